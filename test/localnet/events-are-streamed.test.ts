import { expect } from 'chai'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { toBase64 } from '../../core/bytes.ts'
import { signTx } from '../../core/tx/build.ts'
import { cometKey } from '../../daemon/comet/keys.ts'
import { agentKeyMessage } from '../../daemon/validator/agent-signer.ts'
import { CHAIN_ID } from '../kit/app/chain.ts'
import { type RunningNode, runNode } from '../kit/comet/running-node.ts'
import { eventually } from '../kit/eventually.ts'
import { EventSourceClient } from '../kit/http/event-source.ts'
import { ask } from '../kit/http/rest.ts'

const KEY_SET = 'fornax.classifier.v1.EventAgentKeySet'
const KEYS = `?types=${KEY_SET}`

describe('the events of the agents', () => {
  let node: RunningNode
  let validator: string
  const clients: EventSourceClient[] = []
  let sequence = 1n

  before(async function () {
    this.timeout(60_000)
    node = await runNode(() => ({ streams: { heartbeatMs: 200, patienceMs: 500 } }))
    validator = formatAddress(node.users.get('validator')!.address, VALIDATOR_PREFIX)
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
    expect(node.faults).to.deep.equal([])
  })
  after(() => node?.stop())

  function listen(query = '', headers = {}, options = {}): EventSourceClient {
    const client = new EventSourceClient(`${node.restUrl}/events${query}`, headers, options)
    clients.push(client)
    return client
  }

  /** Makes an event in a block: the validator's agent key is set to that of a seed of 32 times this byte. */
  async function setKey(byte: number): Promise<string> {
    const { privateKey, accountNumber } = node.users.get('validator')!
    const key = cometKey(new Uint8Array(32).fill(byte))
    const tx = {
      messages: [agentKeyMessage(key, CHAIN_ID, validator)],
      fee: { amount: [], gasLimit: 200_000n },
    }
    const bytes = signTx(tx, CHAIN_ID, [{ privateKey, accountNumber, sequence: sequence++ }])
    const { tx_result } = await node.rpc.broadcastTxCommit(bytes)
    expect(tx_result.code, tx_result.log).to.equal(0)
    return toBase64(key.publicKey)
  }
  const ours = ({ events }: EventSourceClient) => events.filter(({ event }) => event === KEY_SET)
  const keysOf = (client: EventSourceClient): string[] => client.events.map((e) => e.data.attributes.pub_key)

  it('come as they are committed, to everybody who listens', async () => {
    const [one, two] = [listen(), listen(KEYS)]
    await eventually('both streams', () => one.status === 200 && two.status === 200)
    const key = await setKey(1)
    for (const client of [one, two]) {
      const { id, event, data } = await eventually('the event', () => ours(client)[0])
      expect(event).to.equal(KEY_SET)
      expect(data).to.have.all.keys('height', 'index', 'type', 'attributes')
      expect(data).to.deep.include({ type: KEY_SET, attributes: { validator, pub_key: key } })
      expect(id).to.equal(`${data.height}-${data.index}`)
    }
  })

  it('are resumed behind the last one seen, none twice and none lost', async () => {
    const first = listen(KEYS)
    await eventually('the stream', () => first.heartbeats.length > 0)
    const keys = [await setKey(2)]
    await eventually('the event', () => first.events.length === 1)
    first.close()
    keys.push(await setKey(3), await setKey(4))
    const again = listen(KEYS, { 'last-event-id': first.events[0]!.id })
    await eventually('the events in between', () => again.events.length === 2)
    expect(keysOf(again)).to.deep.equal(keys.slice(1))
    const byParameter = listen(`${KEYS}&after=${first.heartbeats[0]}`)
    await eventually('all of them', () => byParameter.events.length === 3)
    expect(keysOf(byParameter)).to.deep.equal(keys)
    const others = listen(
      `?types=fornax.agents.v1.EventBan,fornax.agents.v1.EventBanLifted&after=${first.heartbeats[0]}`,
    )
    await eventually('a heartbeat', () => others.heartbeats.length > 1)
    expect(others.events).to.deep.equal([])
  })

  it('say which heights are missing', async () => {
    const client = listen(KEYS, { 'last-event-id': '0-0' })
    const { id, event, data } = await eventually('the gap', () => client.events[0])
    expect(event).to.equal('gap')
    expect(data.from_height).to.equal(0)
    expect(id).to.equal(`${data.to_height}-end`)
    const future = listen(`${KEYS}&after=${10 ** 9}-0`)
    await eventually('a heartbeat', () => future.heartbeats.length > 0)
  })

  it('are refused to too many streams of one client, and for ids and types that are none', async () => {
    const many = Array.from({ length: 10 }, () => listen())
    await eventually('ten streams', () => many.every(({ status }) => status === 200))
    const url = `${node.restUrl}/events`
    const refused = await ask(url)
    expect([refused.status, refused.body.error.code]).to.deep.equal([429, 'too_many_streams'])
    for (const client of many) client.close()
    await eventually('a place', async () => {
      const client = listen()
      await eventually('an answer', () => client.status !== 0)
      return client.status === 200
    })
    for (const [path, code] of [
      ['?after=x', 'invalid_event_id'],
      ['?types=', 'invalid_parameter'],
      ['?types=fornax.agents.v1.EventBan,x', 'invalid_parameter'],
      ['?x=1', 'invalid_parameter'],
    ])
      expect((await ask(url + path)).body.error.code, path).to.equal(code)
    expect((await ask(url, { headers: { 'last-event-id': '1' } })).body.error.code).to.equal(
      'invalid_event_id',
    )
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).to.deep.equal([
      200,
      'text/event-stream; charset=utf-8',
    ])
    expect(head.headers.get('x-fornax-api-version')).to.equal('1')
    expect((await ask(url, { method: 'POST' })).status).to.equal(405)
  })
})
