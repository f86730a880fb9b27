import type { FastifyReply, FastifyRequest } from 'fastify'
import { ChainError } from '../../../../core/error.ts'
import { type MethodDescriptor, serviceDescriptor } from '../../../../core/wire/descriptors.ts'
import { fromJson, type Json, toJson } from '../../../../core/wire/json.ts'
import { call } from '../../../app/call.ts'
import type { Chain } from '../../../app/chain.ts'
import type { Method, Router } from '../../../app/router.ts'
import type { Reads } from '../../../read-turns.ts'
import { badRequest, HttpError, isSdkPath, txRefused } from '../../errors.ts'
import { networkOf } from '../../rate-limit.ts'
import { type Parameters, putParameter } from './query-string.ts'
import { type RoutePattern, routePattern } from './route-pattern.ts'

export const HEIGHT_HEADER = 'x-cosmos-block-height'

/** A gRPC method with a route of its own. */
export interface ServedMethod extends Method {
  readonly pattern: RoutePattern
  /** Whether the body is the request. */
  readonly hasBody: boolean
}

/** Every method with a route. Of two with one route, the later one has it, as in the SDK. */
export function servedMethods({ methods }: Router): ServedMethod[] {
  const byRoute = new Map<string, ServedMethod>()
  for (const declared of methods.values()) {
    const { service, method } = declared
    const { http = [], body } = serviceDescriptor(service)[method] as MethodDescriptor
    for (const text of http) {
      const pattern = routePattern(text)
      const hasBody = body === '*' && pattern.method === 'POST'
      byRoute.set(`${pattern.method} ${pattern.url}`, { ...declared, pattern, hasBody })
    }
  }
  return [...byRoute.values()]
}

/** The height that the request's header names; 0 for the last. */
function requestedHeight(headers: FastifyRequest['headers']): number {
  const text = headers[HEIGHT_HEADER] ?? headers[`grpc-metadata-${HEIGHT_HEADER}`]
  if (text === undefined) return 0
  if (typeof text !== 'string' || !/^[0-9]{1,15}$/.test(text))
    throw badRequest('invalid_height', `${HEIGHT_HEADER} must be a height`)
  return Number(text)
}

function requestOf(served: ServedMethod, request: FastifyRequest): unknown {
  const { input, pattern, hasBody } = served
  const unknown = isSdkPath(pattern.path) ? 'ignored' : 'refused'
  if (hasBody) {
    const names = Object.keys(request.query as object)
    if (names.length > 0 && unknown === 'refused')
      throw badRequest('invalid_parameter', `unknown parameter ${names[0]!.slice(0, 100)}`)
    return fromJson(input, request.body ?? {}, 'body')
  }
  const json: Record<string, unknown> = {}
  const params = request.params as Record<string, string>
  for (const { field, key } of pattern.fields) putParameter(input, json, field, params[key] ?? '', unknown)
  for (const [name, value] of Object.entries(request.query as Parameters)) {
    // What the path says stands, for grpc-gateway too.
    if (unknown === 'ignored' && pattern.fields.some(({ field }) => field === name)) continue
    putParameter(input, json, name, value, unknown)
  }
  return fromJson(input, json, 'query')
}

export interface MethodCalls {
  readonly chain: Chain
  readonly reads: Reads
  /** Gas that a query of a module may use to read. */
  readonly queryGas: bigint
}

/** Answers a call of the method in the SDK's JSON. */
export async function callMethod(
  { chain, reads, queryGas }: MethodCalls,
  served: ServedMethod,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Json> {
  const asked = served.atHeight ? requestedHeight(request.headers) : 0
  let height = 0
  const ask = (): Promise<object> => {
    const input = requestOf(served, request)
    if (served.atHeight) height = asked || chain.store.height
    return attempt(served, () => call(chain, served, input, { height, gas: queryGas }))
  }
  const shown = (answer: object): { [key: string]: Json } => ({
    ...toJson(served.output, answer),
    ...finality(chain, served, answer),
  })
  const client = networkOf(request.ip)
  const answered = async (): Promise<{ [key: string]: Json }> => {
    const answer = await ask()
    // What CometBFT has answered takes the thread like any read, and so its turn. Its place among the far ones it keeps.
    return served.reach === 'far' ? reads.run(client, () => shown(answer)) : shown(answer)
  }
  const body = await (served.reach === undefined ? answered() : reads.run(client, answered, served.reach))
  if (served.atHeight) {
    reply.header(HEIGHT_HEADER, `${height}`)
    reply.header(`grpc-metadata-${HEIGHT_HEADER}`, `${height}`)
  }
  return body
}

/** Beside the SDK's fields of a transaction: a withheld block's is final when the next healthy one is committed. */
function finality(chain: Chain, { service, method }: ServedMethod, answer: object): { final?: boolean } {
  if (service !== 'cosmos.tx.v1beta1.Service' || method !== 'GetTx') return {}
  const { txResponse } = answer as { txResponse?: { height: bigint } }
  return { final: Number(txResponse?.height ?? 0n) <= chain.store.height }
}

async function attempt(served: ServedMethod, ask: () => Promise<object>): Promise<object> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    if (served.method === 'Simulate' && served.service === 'cosmos.tx.v1beta1.Service')
      throw simulationRefused(error)
    if (served.atHeight && error.codespace === 'sdk' && error.code === 11)
      throw new HttpError(
        422,
        'query_too_expensive',
        'the query reads too much: give pagination.limit, and pagination.key instead of an offset or a count',
      )
    throw error
  }
}

function simulationRefused(error: ChainError): unknown {
  const { codespace, code, message } = error
  return codespace === 'sdk' && code === 18 ? error : txRefused({ codespace, code, log: message })
}
