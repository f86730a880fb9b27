import type { FastifyReply, FastifyRequest } from 'fastify'
import { concatBytes, utf8 } from '../../core/bytes.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Query } from '../../core/module.ts'
import { type FieldDescriptor, messageDescriptor } from '../../core/wire/descriptors.ts'
import { create, wireType } from '../../core/wire/registry.ts'
import { QUERY_GAS, queryMeter } from '../../daemon/app/query-meter.ts'
import { simulate } from '../../daemon/app/simulate.ts'
import { cometRpc } from '../../daemon/client/rpc.ts'
import { agentRoutes } from '../../daemon/http/rest/routes/agents.ts'
import { callMethod, servedMethods } from '../../daemon/http/rest/sdk/methods.ts'
import { Reads } from '../../daemon/read-turns.ts'
import { bindServices } from '../../daemon/services/bind.ts'
import { executedInputs } from './executed.ts'
import { spent } from './processor.ts'
import { refusedInputs } from './refused.ts'
import type { Subject } from './subject.ts'
import type { Cost } from './table.ts'
import { operatorOf, repeated, transaction } from './transaction.ts'

/** Seldom a page has more; a request for less costs less. */
const PAGE = { limit: 10_000n, countTotal: true }

/** Somebody and something for each field of a request, of which the state has much. */
function fill(subject: Subject, { name, t, scalar }: FieldDescriptor): unknown {
  if (t === 'cosmos.base.query.v1beta1.PageRequest') return PAGE
  if (name === 'denom') return 'afrx'
  if (name === 'status' || name === 'params_type' || t.startsWith('enum:')) return undefined
  if (scalar === 'cosmos.ValidatorAddressString' || /valid.*addr|^validator$/.test(name))
    return operatorOf(subject.validators[0]!)
  if (/dst/.test(name)) return ''
  if (scalar === 'cosmos.ConsensusAddressString') return undefined
  if (t === 'string' && /addr|voter|depositor|delegator|granter|grantee/.test(name))
    return subject.users[0]!.text
  if (t === 'uint64' || t === 'int64') return 1n
  return undefined
}

function requestOf(subject: Subject, input: string): object {
  const fields = messageDescriptor(input).fields.map((field) => [
    field.name.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase()),
    fill(subject, field),
  ])
  // Filters would make less of a list.
  return input.endsWith('QueryProposalsRequest')
    ? { pagination: PAGE }
    : Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

async function median(run: () => unknown): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const ms = await spent(run)
    times.push(ms)
    if (ms > 300) break
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!
}

/** The gas that a query takes, whether or not that is more than it may. */
async function gasOfQuery(
  { chain: { state } }: Subject,
  query: Query,
  request: unknown,
  height: number,
): Promise<number> {
  const gas = queryMeter(height === state.store.height)
  try {
    await query.run(state.view('committed', height).withGas(gas), request)
  } catch {
    // A refusal has used gas as well.
  }
  return Number(gas.consumed)
}

/** Every method of the modules, at the last height and at an old one, and with a request that is as long as may be. */
export async function queryCosts(subject: Subject): Promise<Cost[]> {
  const { app, state } = subject.chain
  const costs: Cost[] = []
  const ask = async (
    name: string,
    path: string,
    data: Uint8Array,
    height: bigint,
    gas = 0,
    prove = false,
  ): Promise<void> => {
    const request = { path, data, height, prove }
    const { code, codespace, value } = await app.query(request)
    const ms = await median(() => app.query(request))
    const outcome = code === 0 ? `${value.length} bytes` : `${codespace}/${code}`
    costs.push({ name, bytes: Math.max(1, data.length), gas, ms, outcome })
  }
  const old = BigInt(Math.max(2, state.store.height - 20))
  for (const [path, query] of state.router.methods) {
    if (!query.atHeight) continue
    const request = create(query.input, requestOf(subject, query.input))
    const data = wireType(query.input).encode(request).finish()
    for (const height of [0n, old]) {
      const gas = await gasOfQuery(subject, query, request, Number(height) || state.store.height)
      await ask(height === 0n ? path : `${path} at an old height`, path, data, height, gas)
    }
    await ask(`${path}, 1 MiB of fields`, path, repeated(Uint8Array.of(0x0a, 0), 1024 * 1024 - 8), 0n)
  }
  const key = concatBytes(Uint8Array.of(2), part(addressKey, subject.users[0]!.address), utf8('afrx'))
  for (const height of [0n, old])
    for (const prove of [false, true]) {
      const how = `${prove ? ', proved' : ''}${height === 0n ? '' : ' at an old height'}`
      await ask(`/store/bank/key${how}`, '/store/bank/key', key, height, 0, prove)
      await ask(`/store/bank/key of nothing${how}`, '/store/bank/key', utf8('nothing'), height, 0, prove)
      await ask(
        `/store/bank/key of 1 MiB${how}`,
        '/store/bank/key',
        new Uint8Array(1024 * 1024),
        height,
        0,
        prove,
      )
    }
  return costs
}

/** The longest transaction that a query may hold. */
const SIMULATED_BYTES = 1024 * 1024 - 16_384

/**
 * The transactions that are simulated: all that are refused, as long as may be, and those that a block carries out, for
 * all gas there is.
 */
export async function simulationCosts(subject: Subject): Promise<Cost[]> {
  const { state } = subject.chain
  const costs: Cost[] = []
  const run = async (name: string, tx: Uint8Array): Promise<void> => {
    let gas = 0
    let outcome = ''
    const once = async (): Promise<void> => {
      try {
        const { gasUsed, error } = await simulate(state, tx)
        gas = Number(gasUsed)
        outcome = error === undefined ? 'ok' : `${error.codespace}/${error.code}`
      } catch (error) {
        outcome = (error as Error).message.slice(0, 40)
      }
    }
    await once()
    const ms = await median(once)
    costs.push({ name, bytes: tx.length, gas, ms, outcome })
  }
  for (const { name, size, make } of refusedInputs) {
    const tx = make(subject, 7, size ?? SIMULATED_BYTES)
    if (tx.length < 1024 * 1024) await run(name, tx)
  }
  for (const input of executedInputs) {
    const by = input.signer(subject, 3)
    const once = transaction(by, input.messages(subject, 3, by))
    await run(input.name, once)
    const times = Math.min(60, Math.floor(SIMULATED_BYTES / once.length))
    const all = Array.from({ length: times }, (_, i) => input.messages(subject, 3 + i, by)).flat()
    if (times > 1) await run(`${input.name}, again and again`, transaction(by, all.slice(0, 900)))
  }
  return costs
}

/** Every REST route of a method, and our own that ask the agents: as the server calls them, with the JSON they answer. */
export async function routeCosts(subject: Subject): Promise<Cost[]> {
  const { state } = subject.chain
  const rpc = cometRpc('http://127.0.0.1:1')
  const { methods } = state.router
  if ([...methods.values()].every(({ atHeight }) => atHeight))
    bindServices({
      chain: state,
      rpc,
      facts: { appName: 'fornaxd', version: '0.0.0', minimumGasPrices: '1afrx' },
    })
  const reply = { header: () => reply } as unknown as FastifyReply
  // Each measured by itself: what reads may take together does not count.
  const calls = { chain: state, reads: new Reads({ wait: async () => {} }), queryGas: QUERY_GAS }
  const costs: Cost[] = []
  const measure = async (name: string, run: () => unknown): Promise<void> => {
    let text = ''
    let outcome = ''
    const once = async (): Promise<void> => {
      try {
        text = JSON.stringify(await run())
        outcome = `${text.length} characters`
      } catch (error) {
        outcome = (error as Error).message.slice(0, 40)
      }
    }
    await once()
    costs.push({ name, bytes: Math.max(1, name.length), gas: 0, ms: await median(once), outcome })
  }
  for (const served of servedMethods(state.router)) {
    const { pattern, input, hasBody } = served
    if (hasBody) continue
    const filled = requestOf(subject, input) as Record<string, unknown>
    const params: Record<string, string> = {}
    for (const { field, key } of pattern.fields)
      params[key] = String(filled[field.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase())] ?? '1')
    const query =
      'pagination' in filled ? { 'pagination.limit': '10000', 'pagination.count_total': 'true' } : {}
    const request = {
      params,
      query,
      headers: {},
      body: undefined,
      ip: '127.0.0.1',
    } as unknown as FastifyRequest
    await measure(`${pattern.method} ${pattern.url}`, () => callMethod(calls, served, request, reply))
  }
  for (const route of agentRoutes(state)) {
    const params = Object.fromEntries(
      Object.keys(route.params ?? {}).map((name) => [name, operatorOf(subject.validators[0]!)]),
    )
    await measure(`${route.method} ${route.path}`, () =>
      route.run({ params, query: {}, body: {}, text: '', client: '127.0.0.1', headers: {} }),
    )
  }
  return costs
}
