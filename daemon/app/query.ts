import type { RequestQuery, ResponseQuery } from 'cosmjs-types/tendermint/abci/types'
import { NO_BYTES, utf8 } from '../../core/bytes.ts'
import { ChainError, sdk, Unavailable } from '../../core/error.ts'
import { callEncoded } from './call.ts'
import type { Chain } from './chain.ts'
import { haltJson } from './halt.ts'

const MAX_QUERY_BYTES = 1024 * 1024

interface Answer {
  readonly value: Uint8Array
  readonly key?: Uint8Array
  readonly proofOps?: ResponseQuery['proofOps']
}

/** Answers from the committed state of the height asked for (0: the last), by gRPC method path or store path. */
export async function query(chain: Chain, request: RequestQuery): Promise<ResponseQuery> {
  const height = request.height === 0n ? chain.store.height : Number(request.height)
  try {
    if (request.height < 0n)
      throw sdk.invalidRequest('cannot query with height < 0; please provide a valid height')
    if (request.data.length > MAX_QUERY_BYTES) throw sdk.invalidRequest('query is too long')
    return response(height, await route(chain, request, height))
  } catch (error) {
    if (error instanceof Unavailable) return failure(height, sdk.io(error.message))
    if (!(error instanceof ChainError)) chain.log.error({ err: error, path: request.path }, 'a query failed')
    return failure(height, asQueryError(error))
  }
}

async function route(chain: Chain, request: RequestQuery, height: number): Promise<Answer> {
  const method = chain.router.methods.get(request.path)
  if (method !== undefined) return { value: await callEncoded(chain, method, request.data, { height }) }
  const [root, ...rest] = request.path.replace(/^\//, '').split('/')
  if (root === 'store') return queryStore(chain, request, rest, height)
  if (root === 'app' && rest[0] === 'version') return { value: utf8(chain.version) }
  if (root === 'app' && rest[0] === 'halt') return { value: utf8(JSON.stringify(haltJson(chain))) }
  if (root === 'p2p' && rest[0] === 'filter') return { value: NO_BYTES }
  throw sdk.unknownRequest(`unknown query path: ${request.path.slice(0, 200)}`)
}

function queryStore(chain: Chain, request: RequestQuery, [name, kind]: string[], height: number): Answer {
  if (name === undefined || kind !== 'key')
    throw sdk.unknownRequest(`unknown query path: ${request.path.slice(0, 200)}`)
  if (!chain.router.stores.includes(name)) throw sdk.unknownRequest(`no such store: ${name.slice(0, 100)}`)
  if (request.data.length === 0) throw sdk.txDecode('query cannot be zero length')
  if (!request.prove)
    return { key: request.data, value: chain.past(height).get(name, request.data) ?? NO_BYTES }
  try {
    const { value, ops } = chain.store.prove(name, request.data, height)
    return { key: request.data, value: value ?? NO_BYTES, proofOps: { ops: ops.map((op) => ({ ...op })) } }
  } catch (error) {
    throw sdk.invalidHeight((error as Error).message)
  }
}

function response(height: number, { value, key = NO_BYTES, proofOps }: Answer): ResponseQuery {
  return {
    code: 0,
    codespace: '',
    log: '',
    info: '',
    index: 0n,
    key,
    value,
    height: BigInt(height),
    ...(proofOps && { proofOps }),
  }
}

/** The SDK's gRPC layer knows the root codes only: a module's own error is an unknown request there. */
const asQueryError = (error: unknown): unknown =>
  error instanceof ChainError && error.codespace !== 'sdk' ? sdk.unknownRequest(error.message) : error

/** `rpc error: code = NotFound` is what clients look for (CosmJS). */
function failure(height: number, error: unknown): ResponseQuery {
  const known = error instanceof ChainError ? error : new ChainError('undefined', 1, 'internal error')
  const notFound = known.codespace === 'sdk' && known.code === 22
  return {
    ...response(height, { value: NO_BYTES }),
    code: known.code,
    codespace: known.codespace,
    log: notFound ? `rpc error: code = NotFound desc = ${known.message}` : known.message,
  }
}
