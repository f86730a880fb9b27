import { type ChainError, sdk } from '../../core/error.ts'
import { type Queries, type Query, queries } from '../../core/module.ts'
import type { Chain } from '../app/chain.ts'
import { type CometRpc, RpcError } from '../client/rpc.ts'
import type { Reach } from '../read-turns.ts'

/** The node that the services speak of. */
export interface ServedNode {
  readonly chain: Chain
  readonly rpc: CometRpc
  readonly facts: NodeFacts
}

export interface NodeFacts {
  /** As people run it: `fornaxd`. */
  readonly appName: string
  readonly version: string
  /** In hex; empty where it is not known. */
  readonly commit?: string
  /** As in the configuration: `1000000000afrx`. */
  readonly minimumGasPrices: string
  /** Heights kept, and blocks between prunings; absent where nothing is pruned. */
  readonly pruning?: { readonly keepRecent: number; readonly interval: number }
}

/** A method that is answered from the node's CometBFT and its chain. */
export interface NodeQuery extends Query<ServedNode> {
  /** Absent where it is no read, and waits for none. */
  readonly reach?: Reach
}

/** Binds methods of a service of cosmjs-types, `S` being its interface. They ask CometBFT unless `reaches` says otherwise. */
export function nodeQueries<S>(
  service: string,
  types: object,
  handlers: Queries<S, ServedNode>,
  reaches: { readonly [K in keyof S]?: Reach | 'none' } = {},
): NodeQuery[] {
  return queries<S, ServedNode>(service, types, handlers).map((query) => {
    const { [query.method]: reach = 'far' } = reaches as Readonly<Record<string, Reach | 'none'>>
    return { ...query, ...(reach !== 'none' && { reach }) }
  })
}

const MESSAGES: readonly (readonly [RegExp, (text: string) => ChainError])[] = [
  [/must be less than or equal|is not available, lowest height|could not find results/, sdk.invalidHeight],
  [/not found/, sdk.notFound],
  [/tx already exists in cache/, () => sdk.txInMempoolCache()],
  [/mempool is full/, () => sdk.mempoolIsFull()],
  [/Tx too large/i, () => sdk.txTooLarge()],
  [/indexing is disabled/, sdk.notSupported],
  [/page should be within|height must be greater|^offset \d+: |failed to parse query/, sdk.invalidRequest],
]

/** CometBFT's refusals in the SDK's codes; what is no refusal of the request stays as it is. */
export async function refusals<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const text = error.data === '' ? error.message : error.data
    for (const [pattern, refusal] of MESSAGES) if (pattern.test(text)) throw refusal(text.slice(0, 300))
    throw error
  }
}

/** The height a request names, as CometBFT takes it. Throws sdk/18 and sdk/26. */
export async function requireHeight({ rpc }: ServedNode, height: bigint): Promise<bigint> {
  if (height <= 0n) throw sdk.invalidRequest('height must be greater than 0')
  const { latest_block_height } = (await rpc.status()).sync_info
  if (height > BigInt(latest_block_height))
    throw sdk.invalidHeight(
      `requested block height ${height} is bigger then the chain length ${latest_block_height}`,
    )
  return height
}
