import { expect } from 'chai'
import { utf8 } from '../../core/bytes.ts'
import { Dispatcher } from '../../daemon/http/jsonrpc/dispatcher.ts'
import { type Methods, method } from '../../daemon/http/jsonrpc/method.ts'
import { identityMethods, moduleMethods } from '../../daemon/http/jsonrpc/namespaces/identity.ts'
import { subscribeMethods } from '../../daemon/http/jsonrpc/namespaces/subscribe.ts'
import { data, flag, listOf, objectOf, optional, quantity, text } from '../../daemon/http/jsonrpc/params.ts'
import { subscriptionKind } from '../../daemon/http/jsonrpc/subscriptions.ts'
import { Reads } from '../../daemon/read-turns.ts'
import { fuzzInputs, fuzzSeed, fuzzTimeoutMs, inBoundedMemory, mutated } from '../kit/hostile/fuzz.ts'
import { JsonRpcService, type WebSocketClient } from '../kit/http/json-rpc.ts'
import { pick, type Random, randomness } from '../kit/random.ts'

const INPUTS = fuzzInputs(50)
/** Of these inputs one goes over HTTP, and one over a WebSocket. */
const EACH = 20
const MAX_BATCH = 20

const call = objectOf({ to: data(20), data: optional(data()), value: optional(quantity(256)) })
const typed: Methods = {
  test_call: method([call, optional(text)], (_, { to, value = 0n }) => `${to.length} ${value}`, 'near'),
  test_list: method([listOf(data(32), 4), flag], (_, list, isFull) => [list.length, isFull]),
}
const kinds = { ticks: subscriptionKind([optional(objectOf({ from: quantity(64) }))], () => () => {}) }
const identity = identityMethods({ chainId: 7373n, clientVersion: 'x' })
const methods: Methods = { ...identity, ...subscribeMethods(kinds), ...moduleMethods(identity), ...typed }

const words = [
  ...[
    '"__proto__"',
    '"constructor"',
    '"id"',
    '"jsonrpc"',
    '"2.0"',
    '"method"',
    '"params"',
    'null',
    'true',
    '-0',
  ],
  ...['1e999', '123456789012345678901234567890', '0.1', '"0x"', '"0x00"', '"0x1"', '"\\u0000"', '"\\ud800"'],
  ...[
    '[]',
    '{}',
    '[[]]',
    '{"a":{}}',
    '[{}',
    ']',
    '}',
    ',',
    ':',
    '"',
    '\\',
    ' ',
    '\n',
    '\u2028',
    'é',
    '𝄞',
    '\ufeff',
  ],
]

function corpus(): string[] {
  const address = `0x${'ab'.repeat(20)}`
  const hash = `0x${'cd'.repeat(32)}`
  const calls: unknown[][] = [
    ['eth_chainId'],
    ['net_version', []],
    ['web3_clientVersion', null],
    ['rpc_modules', []],
    ['eth_subscribe', ['ticks', { from: '0x5' }]],
    ['eth_unsubscribe', ['0x1']],
    ['test_call', [{ to: address, data: '0x1234', value: '0xde0b6b3a7640000' }, 'latest']],
    ['test_list', [[hash, hash], true]],
    ['eth_foo', { a: 1 }],
  ]
  const ids = ['1', '"a"', 'null', '18446744073709551616', '1.5']
  const texts = calls.map(([name, params], i) => {
    const id = i % 4 === 3 ? '' : `"id":${ids[i % ids.length]},`
    return `{"jsonrpc":"2.0",${id}"method":"${name}"${params === undefined ? '' : `,"params":${JSON.stringify(params)}`}}`
  })
  return [...texts, `[${texts.join(',')}]`, `[${texts[0]},${texts[1]}]`, '[]', '{}', '[1,null,"x"]']
}

const texts = corpus()

const TOKEN = /"(?:[^"\\]|\\.)*"|[\d.eE+-]+|\w+|[\s\S]/g

/** A request that something has been done to. */
function input(random: Random): string {
  let request = pick(random, texts)
  if (random(50) === 0)
    request = `[${Array.from({ length: random(30) }, () => pick(random, texts)).join(',')}]`
  if (random(200) === 0) request = pick(random, ['[', '{"a":']).repeat(random(10_000))
  const kind = random(4)
  if (kind === 0) return Buffer.from(mutated(random, utf8(request))).toString()
  for (let i = random(4); i > 0; i--) {
    if (kind === 1) {
      const at = random(request.length + 1)
      request =
        request.slice(0, at) + pick(random, words) + request.slice(at + (random(2) === 0 ? 0 : random(12)))
    } else {
      const tokens = request.match(TOKEN) ?? ['']
      tokens[random(tokens.length)] = pick(random, words)
      request = tokens.join('')
    }
  }
  return request
}

type Id = string | number | null

/** The ids under which answers are due; undefined for one error without an id. */
function due(request: string): readonly Id[] | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(request)
  } catch {
    return undefined
  }
  if (Array.isArray(parsed)) {
    if (parsed.length === 0 || parsed.length > MAX_BATCH) return undefined
    return parsed.flatMap(idOf)
  }
  return idOf(parsed)
}

function idOf(object: unknown): Id[] {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return [null]
  const own = new Map(Object.entries(object))
  const [id, name] = [own.get('id'), own.get('method')]
  const isCall = own.get('jsonrpc') === '2.0' && typeof name === 'string' && name !== ''
  if (!own.has('id') && isCall) return []
  return [typeof id === 'string' || typeof id === 'number' ? id : null]
}

/** What JSON-RPC 2.0 says of an answer's form. */
function expectAnswer(answer: unknown): Id {
  expect(answer).to.be.an('object')
  const { id, error } = answer as { id: Id; error?: { code: unknown; message: unknown } }
  expect(answer).to.have.all.keys('jsonrpc', 'id', error === undefined ? 'result' : 'error')
  expect(answer).to.include({ jsonrpc: '2.0' })
  if (error !== undefined) {
    expect(Number.isInteger(error.code)).to.equal(true)
    expect(error.code).to.not.equal(-32603)
    expect(error.message).to.be.a('string').and.not.equal('')
  }
  return id
}

/** The answer is the one that is due; where nothing was readable, or a name stands twice, it is a single error. */
function expectDue(request: string, answer: unknown): void {
  const ids = due(request)
  if (answer === undefined) {
    expect(ids).to.deep.equal([])
    return
  }
  if (Array.isArray(answer)) {
    expect(answer.map(expectAnswer)).to.deep.equal(ids)
    return
  }
  const id = expectAnswer(answer)
  const { error } = answer as { error?: { code: number; message: string } }
  const isWhole =
    ids === undefined || /^(nested too deeply|the body has ".*" twice)$/s.test(error?.message ?? '')
  if (isWhole)
    expect([id, error?.code]).to.be.deep.oneOf([
      [null, -32700],
      [null, -32600],
    ])
  else expect([id]).to.deep.equal(ids)
}

describe('JSON-RPC under fuzz', () => {
  const faults: unknown[] = []
  const dispatcher = new Dispatcher({
    methods,
    reads: new Reads(),
    maxBatch: MAX_BATCH,
    maxAnswerBytes: 100_000,
    timeoutMs: 60_000,
    report: (error) => faults.push(error),
  })
  const session = { client: '127.0.0.1', signal: new AbortController().signal }
  let service: JsonRpcService
  let client: WebSocketClient

  before(async () => {
    service = await JsonRpcService.start(
      { maxBatch: MAX_BATCH, maxAnswerBytes: 100_000, pingMs: 600_000 },
      { methods: typed, subscriptions: kinds },
    )
    client = await service.connect()
  })
  after(() => service.stop())

  async function overHttp(request: string): Promise<void> {
    const response = await fetch(service.server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: request,
    })
    expect(response.status).to.be.oneOf([200, 204])
    expectDue(request, response.status === 204 ? undefined : await response.json())
  }

  async function overWebSocket(request: string, n: number): Promise<void> {
    client.send(request)
    client.send({ jsonrpc: '2.0', id: `end ${n}`, method: 'net_version' })
    await client.take((message) => message.id === `end ${n}`)
    const answers = client.messages.splice(0)
    expect(answers).to.have.length.of.at.most(1)
    expectDue(request, answers[0])
  }

  it('gives each request the answers that are due, and goes on', async () => {
    const random = randomness(fuzzSeed)
    await inBoundedMemory(INPUTS, async (n) => {
      const request = input(random)
      try {
        const answer = await dispatcher.answer(request, session)
        expectDue(request, answer === undefined ? undefined : JSON.parse(answer))
        if (n % EACH === 0) await overHttp(request)
        // Between the two, answers that are slower than the last call would come too late.
        if (n % EACH === 1 && !/test_call/.test(request)) await overWebSocket(request, n)
      } catch (error) {
        throw new Error(`FUZZ_SEED=${fuzzSeed}, input ${n}: ${JSON.stringify(request)}`, { cause: error })
      }
    })
    expect([faults, service.faults]).to.deep.equal([[], []])
    expect((await client.call('eth_chainId')).result).to.equal('0x1ccd')
  }).timeout(fuzzTimeoutMs(INPUTS))

  it('would find an answer that is not due', () => {
    expect(() => expectDue('{"jsonrpc":"2.0","id":1,"method":"x"}', undefined)).to.throw()
    expect(() =>
      expectDue('{"jsonrpc":"2.0","id":1,"method":"x"}', { jsonrpc: '2.0', id: 2, result: 1 }),
    ).to.throw()
    expect(() => expectDue('[]', [])).to.throw()
    expect(() =>
      expectDue('{"jsonrpc":"2.0","method":"x"}', { jsonrpc: '2.0', id: null, result: 1 }),
    ).to.throw()
    expect(() =>
      expectAnswer({ jsonrpc: '2.0', id: 1, result: 1, error: { code: 1, message: 'x' } }),
    ).to.throw()
  })
})
