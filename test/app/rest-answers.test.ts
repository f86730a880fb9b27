import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { RequestQuery } from 'cosmjs-types/tendermint/abci/types'
import { toBase64 } from '../../core/bytes.ts'
import { BlockAge } from '../../daemon/block-age.ts'
import { cometRpc, type Status } from '../../daemon/client/rpc.ts'
import { CommittedBlocks } from '../../daemon/committed-blocks.ts'
import { createMetrics } from '../../daemon/metrics.ts'
import { observed } from '../../daemon/node/observed-app.ts'
import { Pulse } from '../../daemon/node/pulse.ts'
import { recordingLog } from '../kit/abci/handler.ts'
import { CHAIN_ID, user } from '../kit/app/chain.ts'
import { ask, RestChain } from '../kit/http/rest.ts'

describe('REST answers', () => {
  let rest: RestChain
  before(async () => {
    rest = await RestChain.start()
  })
  afterEach(() => expect(rest.faults).to.deep.equal([]))
  after(() => rest.stop())

  it('balances in the form of the SDK, with the version and the height in headers', async () => {
    const { status, body, headers } = await rest.get(
      `/cosmos/bank/v1beta1/balances/${rest.chain.user('alice').text}`,
    )
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      balances: [{ denom: 'afrx', amount: '1000000000000000000000000' }],
      pagination: { next_key: null, total: '1' },
    })
    expect(headers.get('x-fornax-api-version')).to.equal('1')
    expect(headers.get('x-cosmos-block-height')).to.equal('1')
    expect(headers.get('grpc-metadata-x-cosmos-block-height')).to.equal('1')
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect(headers.get('access-control-allow-origin')).to.equal(null)
  })

  it('of the bare address what it is, and where it is described', async () => {
    for (const path of ['/', '', '//']) {
      const { status, body } = await rest.get(path)
      expect([status, body], path).to.deep.equal([
        200,
        { name: 'fornaxd', version: '0.0.0', chain_id: CHAIN_ID, docs: '/docs', openapi: '/openapi.json' },
      ])
      for (const there of [body.docs, body.openapi]) expect((await rest.get(there)).status).to.equal(200)
    }
  })

  it('an account with its type', async () => {
    const address = rest.chain.user('bob').text
    const { body } = await rest.get(`/cosmos/auth/v1beta1/accounts/${address}`)
    expect(body).to.deep.equal({
      account: {
        '@type': '/cosmos.auth.v1beta1.BaseAccount',
        address,
        pub_key: null,
        account_number: '2',
        sequence: '0',
      },
    })
  })

  it('from the state of the height that a header names', async () => {
    const before = `${rest.chain.store.height}`
    await rest.chain.block(rest.chain.send('alice', 'erin', 5n))
    const path = `/cosmos/bank/v1beta1/balances/${user('erin').text}/by_denom?denom=afrx`
    expect((await rest.get(path)).body).to.deep.equal({ balance: { denom: 'afrx', amount: '5' } })
    const then = await rest.get(path, { 'x-cosmos-block-height': before })
    expect(then.body).to.deep.equal({ balance: { denom: 'afrx', amount: '0' } })
    expect(then.headers.get('x-cosmos-block-height')).to.equal(before)
  })

  it('pages by dotted parameters, enough to come to the end', async () => {
    const seen: string[] = []
    let key = ''
    do {
      const { body } = await rest.get(
        `/cosmos/auth/v1beta1/accounts?pagination.limit=2${key && `&pagination.key=${encodeURIComponent(key)}`}`,
      )
      seen.push(
        ...body.accounts.map(
          (a: { address?: string; base_account?: { address: string } }) =>
            a.address ?? a.base_account?.address,
        ),
      )
      key = body.pagination.next_key ?? ''
    } while (key !== '')
    const all = await rest.get('/cosmos/auth/v1beta1/accounts?pagination.count_total=true')
    expect(new Set(seen).size).to.equal(seen.length)
    expect(all.body.pagination.total).to.equal(`${seen.length}`)
  })

  it('of denominations that hold slashes', async () => {
    const denom = `ibc/${'AB'.repeat(32)}`
    const { status, body } = await rest.get(`/cosmos/bank/v1beta1/denom_owners/${denom}`)
    expect(status).to.equal(200)
    expect(body.denom_owners).to.deep.equal([])
    const missing = await rest.get(`/cosmos/bank/v1beta1/denoms_metadata/${denom}`)
    expect(missing.status).to.equal(404)
    expect(missing.body.error.code).to.equal('key_not_found')
    expect(missing.body.error.message).to.contain(denom)
  })

  it('a simulation in both of its forms', async () => {
    const tx = rest.chain.send('carol', 'bob', 5n)
    rest.chain.user('carol').sequence--
    const { status, body } = await rest.post('/cosmos/tx/v1beta1/simulate', { tx_bytes: toBase64(tx) })
    expect(status).to.equal(200)
    expect(Number(body.gas_info.gas_used)).to.be.greaterThan(10_000)
    expect(body.result.msg_responses[0]['@type']).to.equal('/cosmos.bank.v1beta1.MsgSendResponse')
    const decoded = await rest.post('/cosmos/tx/v1beta1/decode', { tx_bytes: toBase64(tx) })
    expect(decoded.body.tx.body.messages[0]['@type']).to.equal('/cosmos.bank.v1beta1.MsgSend')
    const again = await rest.post('/cosmos/tx/v1beta1/simulate', decoded.body)
    expect(again.body.gas_info).to.deep.equal(body.gas_info)
    const encoded = await rest.post('/cosmos/tx/v1beta1/encode', decoded.body)
    expect(encoded.body).to.deep.equal({ tx_bytes: toBase64(tx) })
  })

  it('transactions of 1 MiB under /cosmos/tx, with what becomes of them', async () => {
    const of = (memo: string): Uint8Array => {
      rest.chain.user('carol').sequence = 0n
      return rest.chain.send('carol', 'bob', 5n, { memo })
    }
    const tx = of('m'.repeat(1_048_576 - of('m'.repeat(1_000_000)).length + 1_000_000))
    rest.chain.user('carol').sequence = 0n
    expect(tx).to.have.length(1_048_576)
    const tx_bytes = toBase64(tx)
    const decoded = await rest.post('/cosmos/tx/v1beta1/decode', { tx_bytes })
    expect(decoded.status).to.equal(200)
    const encoded = await rest.post('/cosmos/tx/v1beta1/encode', decoded.body)
    expect(encoded.body.tx_bytes === tx_bytes).to.equal(true)
    const simulated = await rest.post('/cosmos/tx/v1beta1/simulate', { tx_bytes })
    expect([simulated.status, simulated.body.error.code]).to.deep.equal([422, 'memo_too_large'])
    const sent = await rest.post('/cosmos/tx/v1beta1/txs', { tx_bytes, mode: 'BROADCAST_MODE_SYNC' })
    expect([sent.status, sent.body.error.code]).to.deep.equal([503, 'node_unavailable'])
  })

  it('a refused simulation with 422, and with 409 where the sequence is a wrong one', async () => {
    const much = await rest.post('/cosmos/tx/v1beta1/simulate', {
      tx_bytes: toBase64(rest.chain.send('carol', 'bob', 10n ** 30n)),
    })
    expect(much.status).to.equal(422)
    expect(much.body.error).to.deep.include({ code: 'insufficient_funds' })
    expect(much.body.error.details).to.deep.equal({ codespace: 'sdk', code: 5 })
    const late = await rest.post('/cosmos/tx/v1beta1/simulate', {
      tx_bytes: toBase64(rest.chain.send('carol', 'bob', 1n)),
    })
    expect([late.status, late.body.error.code]).to.deep.equal([409, 'wrong_sequence'])
    rest.chain.user('carol').sequence = 0n
  })

  it('compressed as the client takes them, from 1 KiB on', async () => {
    const encoded = async (path: string, encoding: string) => {
      const { headers, body } = await rest.get(path, { 'accept-encoding': encoding })
      return [headers.get('content-encoding'), headers.get('vary'), body] as const
    }
    const plain = await rest.get('/openapi.json', { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).to.equal(null)
    expect(plain.body.openapi).to.equal('3.1.0')
    for (const encoding of ['gzip', 'br', 'br, gzip', 'deflate, gzip;q=0.5']) {
      const [used, vary, body] = await encoded('/openapi.json', encoding)
      expect(used, encoding).to.equal(encoding.includes('deflate') ? 'gzip' : encoding.split(',')[0])
      expect(vary).to.match(/accept-encoding/i)
      expect(body).to.deep.equal(plain.body)
    }
    expect((await encoded('/health', 'gzip'))[0]).to.equal(null)
    expect((await encoded('/openapi.json', 'compress'))[0]).to.equal(null)
    const head = await fetch(`${rest.server.url}/openapi.json`, { method: 'HEAD' })
    expect([head.status, await head.text()]).to.deep.equal([200, ''])
    const events = await rest.get('/events', { 'accept-encoding': 'gzip, br' })
    expect(events.headers.get('content-type')).to.match(/^text\/event-stream/)
    expect(events.headers.get('content-encoding')).to.equal(null)
  })

  it('and takes nothing compressed from it', async () => {
    const body = gzipSync(JSON.stringify({ tx_bytes: 'AAAA' }))
    const answer = await ask(`${rest.server.url}/broadcast_tx`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
    })
    expect([answer.status, answer.body.error.code]).to.deep.equal([400, 'invalid_body'])
  })

  it('HEAD like GET', async () => {
    const response = await fetch(`${rest.server.url}/cosmos/bank/v1beta1/params`, { method: 'HEAD' })
    expect([response.status, await response.text()]).to.deep.equal([200, ''])
  })

  it('whether the process lives, and that it is of no use without CometBFT', async () => {
    expect(await rest.get('/health')).to.deep.include({ status: 200, body: { status: 'ok' } })
    const ready = await rest.get('/ready')
    expect([ready.status, ready.body.error.code]).to.deep.equal([503, 'comet_unavailable'])
    const info = await rest.get('/cosmos/base/tendermint/v1beta1/node_info')
    expect([info.status, info.body.error.code]).to.deep.equal([503, 'node_unavailable'])
    expect(info.headers.get('retry-after')).to.equal('2')
    const path = '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo'
    const answer = await rest.chain.app.query(RequestQuery.fromPartial({ path }))
    expect(`${answer.codespace}/${answer.code}`).to.equal('sdk/39')
  })
})

describe('Readiness of a node', () => {
  let rest: RestChain
  afterEach(() => rest.stop())

  it('ends where no block has come for a minute or 20 slots, and is back with the next', async () => {
    for (const [slotMs, stallMs] of [
      [1_000, 60_000],
      [5_000, 100_000],
    ] as const) {
      let now = 7_000
      let catching_up = false
      const sync_info = () => ({ latest_block_height: '1', catching_up })
      const rpc = {
        ...cometRpc('http://127.0.0.1:1'),
        status: async () => ({ sync_info: sync_info() }) as Status,
      }
      const blockAge = new BlockAge(slotMs, () => now)
      rest = await RestChain.start({}, { rpc, blockAge })
      now += stallMs
      expect((await rest.get('/ready')).status).to.equal(200)
      now += 1
      const { status, body } = await rest.get('/ready')
      expect([status, body.error.code]).to.deep.equal([503, 'stalled'])
      expect(body.error.message).to.include(`no block for ${stallMs / 1_000} s`)
      expect(body.error.details).to.deep.equal({
        height: '1',
        comet_height: '1',
        seconds_without_block: stallMs / 1_000,
      })
      catching_up = true
      expect((await rest.get('/ready')).body.error.code).to.equal('syncing')
      catching_up = false
      const { state, app, height } = rest.chain
      const metrics = createMetrics({ processMetrics: false })
      const pulse = new Pulse({ log: recordingLog(), slotMs: 5_000, nameOf: String })
      const node = observed(state, app, { metrics, blocks: new CommittedBlocks(), blockAge, pulse })
      await node.finalizeBlock(rest.chain.blockRequest(height + 1n, []))
      await node.commit()
      const { status: again, body: ready } = await rest.get('/ready')
      expect([again, Object.keys(ready)]).to.deep.equal([200, ['ready', 'chain_id', 'height']])
      if (slotMs === 1_000) await rest.stop()
    }
  })
})

describe('REST to web pages', () => {
  let rest: RestChain
  afterEach(() => rest.stop())

  it('is open to the origins of the configuration only', async () => {
    rest = await RestChain.start({ corsOrigins: ['https://wallet.example'] })
    const allowed = await rest.get('/health', { origin: 'https://wallet.example' })
    expect(allowed.headers.get('access-control-allow-origin')).to.equal('https://wallet.example')
    const other = await rest.get('/health', { origin: 'https://other.example' })
    expect(other.headers.get('access-control-allow-origin')).to.equal(null)
    const preflight = await fetch(`${rest.server.url}/broadcast_tx`, {
      method: 'OPTIONS',
      headers: { origin: 'https://wallet.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).to.equal(204)
    expect(preflight.headers.get('access-control-allow-methods')).to.contain('POST')
    const none = await ask(`${rest.server.url}/broadcast_tx`, { method: 'OPTIONS' })
    expect([none.status, none.body.error.code]).to.deep.equal([405, 'method_not_allowed'])
    expect(none.headers.get('allow')).to.equal('GET, HEAD, POST')
  })

  it('and to all where it says so', async () => {
    rest = await RestChain.start({ corsOrigins: ['*'] })
    const { headers } = await rest.get('/health', { origin: 'https://any.example' })
    expect(headers.get('access-control-allow-origin')).to.equal('*')
  })
})

describe('REST writes', () => {
  let rest: RestChain
  afterEach(() => rest.stop())

  it('are limited for each client, and say when to come again', async () => {
    rest = await RestChain.start({ writesPerSecond: 5 })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => rest.post('/cosmos/tx/v1beta1/decode', { tx_bytes: '' })),
    )
    const limited = answers.filter((a) => a.status === 429)
    expect(limited).to.have.length.within(6, 7)
    expect(limited[0]!.body.error.code).to.equal('rate_limited')
    expect(limited[0]!.headers.get('retry-after')).to.equal('1')
    expect((await rest.get('/health')).status).to.equal(200)
  })
})
