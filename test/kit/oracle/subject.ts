import type {
  RequestFinalizeBlock,
  RequestInitChain,
  RequestQuery,
  ResponseFinalizeBlock,
  ResponseInitChain,
  ResponseQuery,
} from 'cosmjs-types/tendermint/abci/types'
import type { Json } from '../../../core/wire/json.ts'
import type { Dialect } from './dialect.ts'

/** A chain's state machine, driven as CometBFT drives it. */
export interface Subject {
  readonly name: string
  readonly dialect: Dialect
  /** `app_state` of a chain without accounts, each module at its defaults. */
  readonly emptyState: () => { [module: string]: Json }
  initChain(request: RequestInitChain): Promise<ResponseInitChain>
  finalizeBlock(request: RequestFinalizeBlock): Promise<ResponseFinalizeBlock>
  commit(): Promise<void>
  query(request: RequestQuery): Promise<ResponseQuery>
  /** Whether it has a module (`staking`). */
  has(module: string): boolean
  /** Whether it answers a query by its method's path. */
  serves(path: string): boolean
  stop(): Promise<void>
}
