import { sdk } from '../../core/error.ts'
import { wireType } from '../../core/wire/registry.ts'
import type { Chain } from './chain.ts'
import { QUERY_GAS, queryMeter } from './query-meter.ts'
import type { Method } from './router.ts'

/** Of a method of a module, whose bytes are read before its gas counts. */
const MAX_REQUEST_BYTES = 64 * 1024

export interface CallOptions {
  /** Of the committed state that a method `atHeight` is answered from; default the last. */
  readonly height?: number
  /** Gas that it may use to read there; default QUERY_GAS. */
  readonly gas?: bigint
}

/**
 * Answers a request of any method of the node, whoever asks: ABCI, REST and whatever comes beside them. Throws what the
 * method does; of one that is `atHeight` sdk/26 where the height is not kept or not reached, sdk/11 beyond the gas.
 */
export async function call(
  chain: Chain,
  method: Method,
  request: unknown,
  { height = chain.store.height, gas = QUERY_GAS }: CallOptions = {},
): Promise<object> {
  const ctx = method.atHeight
    ? chain.view('committed', height).withGas(queryMeter(height === chain.store.height, gas))
    : chain.view('working')
  return method.run(ctx, request)
}

/** The same in protobuf. Throws sdk/18 besides where the request is malformed or too long. */
export async function callEncoded(
  chain: Chain,
  method: Method,
  data: Uint8Array,
  options?: CallOptions,
): Promise<Uint8Array> {
  if (method.atHeight && data.length > MAX_REQUEST_BYTES) throw sdk.invalidRequest('query is too long')
  const answer = await call(chain, method, decode(method.input, data), options)
  return wireType(method.output).encode(answer).finish()
}

function decode(type: string, data: Uint8Array): unknown {
  try {
    return wireType(type).decode(data)
  } catch {
    throw sdk.invalidRequest(`malformed ${type}`)
  }
}
