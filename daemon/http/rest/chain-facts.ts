import { isIP } from 'node:net'
import { isLoopback } from '../credentials.ts'
import { badRequest } from '../errors.ts'
import type { Call } from './route.ts'

/** What a node tells wallets and registries of its chain, besides what is in the state. */
export interface ChainFacts {
  /** Whether the genesis file marks the chain as one for development. */
  readonly development: boolean
  /** SLIP-44's number of the keys that are made for the chain. */
  readonly coinType: number
  readonly cometVersion: string
  /** What this node asks for a unit of gas. */
  readonly minimumGasPrices: readonly { readonly denom: string; readonly amount: bigint }[]
  /** How others reach this node's REST interface; '' for as whoever asks reached it. */
  readonly restUrl: string
  /** How others reach CometBFT's RPC; '' for the host that whoever asks reached, at its port. */
  readonly rpcUrl: string
  /** Where CometBFT's RPC listens. */
  readonly rpcAddress: { readonly host: string; readonly port: number }
}

export interface Endpoints {
  readonly rest: string
  readonly rpc: string
  /** Whether whoever asks reaches `rpc`, as far as the node can tell. */
  readonly isRpcOpen: boolean
}

const HOST = /^(?:\[([0-9a-fA-F:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(:\d{1,5})?$/
const MAX_PORT = 65_535

/** URLs of this node for whoever asks. Throws 400 where the header Host is needed and is none. */
export function endpointsFor(facts: ChainFacts, call: Pick<Call, 'headers'>): Endpoints {
  const { restUrl, rpcUrl, rpcAddress } = facts
  if (restUrl !== '' && rpcUrl !== '') return { rest: restUrl, rpc: rpcUrl, isRpcOpen: true }
  const [, v6, name, port = ''] = HOST.exec((call.headers['host'] ?? '') as string) ?? []
  const host = v6 ?? name
  if (host === undefined || (v6 !== undefined && isIP(v6) !== 6) || Number(port.slice(1)) > MAX_PORT)
    throw badRequest('invalid_host', 'the header Host must name a host')
  const inUrl = v6 === undefined ? host : `[${v6}]`
  return {
    rest: restUrl || `http://${inUrl}${port}`,
    rpc: rpcUrl || `http://${inUrl}:${rpcAddress.port}`,
    isRpcOpen: rpcUrl !== '' || !isLoopback(rpcAddress.host) || isLoopback(host),
  }
}
