import { expect } from 'chai'
import { formatAddress } from '../../core/address.ts'
import { toBase64 } from '../../core/bytes.ts'
import { newGenesis } from '../../genesis/document.ts'
import { modules } from '../../modules/index.ts'
import { sdkRoutes } from '../../proto/gen/sdk-routes.ts'
import { consensusAddress } from '../kit/app/chain.ts'
import { RestChain } from '../kit/http/rest.ts'

const BALANCES = '/cosmos/bank/v1beta1/balances'

describe('REST, to clients of the SDK,', () => {
  let rest: RestChain
  let alice: string
  before(async () => {
    rest = await RestChain.start()
    alice = rest.chain.user('alice').text
  })
  afterEach(() => expect(rest.faults).to.deep.equal([]))
  after(() => rest.stop())

  const refusal = async (path: string) => {
    const { status, body } = await rest.get(path)
    return [status, body.code, body.error.code]
  }

  it('tells errors in the fields of grpc-gateway beside its own', async () => {
    const { status, body } = await rest.get('/cosmos/bank/v1beta1/denoms_metadata/none')
    expect(status).to.equal(404)
    expect(body).to.deep.equal({
      code: 5,
      message: body.error.message,
      details: [],
      error: { code: 'key_not_found', message: body.error.message, details: { codespace: 'sdk', code: 22 } },
    })
    expect(body.message).to.contain('none')
    expect(await refusal('/ibc/nothing')).to.deep.equal([404, 5, 'unknown_route'])
    expect(await refusal(`${BALANCES}/x`)).to.deep.equal([400, 3, 'invalid_address'])
    expect(await refusal(`${BALANCES}/%`)).to.deep.equal([400, 3, 'invalid_url'])
    expect(await refusal(`${BALANCES}/${'q'.repeat(5000)}`)).to.deep.equal([414, 3, 'url_too_long'])
    expect(await refusal('/cosmos/tx/v1beta1/simulate')).to.deep.equal([405, 12, 'method_not_allowed'])
    expect(await refusal('/cosmos/base/tendermint/v1beta1/node_info')).to.deep.equal([
      503,
      14,
      'node_unavailable',
    ])
    const large = await rest.post('/cosmos/tx/v1beta1/decode', ' '.repeat(1_600_000))
    expect([large.status, large.body.code]).to.deep.equal([413, 11])
    const text = await rest.post('/cosmos/tx/v1beta1/decode', '{}', { 'content-type': 'text/plain' })
    expect([text.status, text.body.code]).to.deep.equal([415, 3])
  })

  it('and what a wallet shows of a refused simulation is its reason', async () => {
    const tx_bytes = toBase64(rest.chain.send('carol', 'bob', 10n ** 30n))
    const much = await rest.post('/cosmos/tx/v1beta1/simulate', { tx_bytes })
    expect([much.status, much.body.code]).to.deep.equal([422, 9])
    expect(much.body.message).to.match(/insufficient funds$/)
    const late = await rest.post('/cosmos/tx/v1beta1/simulate', {
      tx_bytes: toBase64(rest.chain.send('carol', 'bob', 1n)),
    })
    expect([late.status, late.body.code]).to.deep.equal([409, 10])
    expect(late.body.message).to.match(/account sequence mismatch/)
    rest.chain.user('carol').sequence = 0n
  })

  it('keeps to the one form elsewhere', async () => {
    for (const path of ['/nothing', '/agents/bans/x', '/health?x=1', '/fornax/nothing', '/cosmosx', '/%'])
      expect((await rest.get(path)).body, path).to.have.all.keys('error')
  })

  it('ignores parameters that it does not know, and repetitions of what the path says', async () => {
    const plain = (await rest.get(`${BALANCES}/${alice}`)).body
    for (const query of [
      '_=123',
      'pagination.x=1',
      'address=other',
      '__proto__=1',
      'constructor.prototype=1',
    ])
      expect((await rest.get(`${BALANCES}/${alice}?${query}`)).body, query).to.deep.equal(plain)
    const many = Array.from({ length: 300 }, (_, i) => `d${i}=`).join('&')
    expect((await rest.get(`${BALANCES}/${alice}?${many}`)).status).to.equal(200)
    const votes =
      '/cosmos/gov/v1/proposals/1/votes?proposal_status=&pagination.limit=20&pagination.reverse=true'
    expect((await rest.get(votes)).body).to.deep.equal({
      votes: [],
      pagination: { next_key: null, total: '0' },
    })
    const posted = await rest.post('/cosmos/tx/v1beta1/simulate?x=1', {})
    expect(posted.body.error.code).to.equal('invalid_request')
  })

  it('answers 501 for what modules that it lacks would answer, and 404 for what nobody would', async () => {
    for (const path of [
      `/cosmos/authz/v1beta1/grants/granter/${alice}`,
      `/cosmos/feegrant/v1beta1/allowances/${alice}?pagination.limit=1`,
      '/cosmos/mint/v1beta1/inflation',
      '/cosmos/mint/v1beta1/inflation/',
      '//cosmos/mint//v1beta1/inflation',
      '/cosmos/upgrade/v1beta1/current_plan',
      '/cosmos/group/v1/groups',
      '/cosmos/nft/v1beta1/classes',
      '/cosmos/circuit/v1/accounts',
      '/cosmos/protocolpool/v1/community_pool',
      '/ibc/applications/transfer/v1beta1/params',
      `/ibc/apps/transfer/v1/denom_traces/${'A'.repeat(64)}`,
      '/ibc/apps/fee/v1/fee_enabled',
    ])
      expect(await refusal(path), path).to.deep.equal([501, 12, 'not_implemented'])
    expect(
      (await fetch(`${rest.server.url}/cosmos/mint/v1beta1/params`, { method: 'HEAD' })).status,
    ).to.equal(501)
    for (const path of [
      '/cosmos/mint',
      '/cosmos/mint/v1beta1',
      '/cosmos/mint/v1beta1/inflations',
      '/cosmos/mint/v1beta1/inflation/x',
      '/cosmos/authz/v1beta1/grants/granter',
      '/ibc/apps/transfer/v2/params',
    ])
      expect(await refusal(path), path).to.deep.equal([404, 5, 'unknown_route'])
    expect((await rest.post('/cosmos/mint/v1beta1/inflation', {})).status).to.equal(404)
    expect((await rest.get('/feemarket/v1/params')).status).to.equal(404)
  })

  it('has every route of the SDK answer in one of these ways', async () => {
    const seen = new Set<number>()
    for (const route of sdkRoutes.filter((text) => text.startsWith('GET '))) {
      const { status } = await rest.get(route.slice(4).replace(/\{[^}]+\}/g, '1'))
      expect(status, route).to.be.oneOf([200, 400, 404, 501, 503])
      seen.add(status)
    }
    expect(seen).to.include(200).and.include(501)
  })

  it('tells parameters by subspace and key, in the JSON of x/params', async () => {
    const value = async (subspace: string, key: string) => {
      const { status, body } = await rest.get(
        `/cosmos/params/v1beta1/params?subspace=${subspace}&key=${encodeURIComponent(key)}`,
      )
      expect(status).to.equal(200)
      expect(body.param).to.deep.include({ subspace, key })
      return body.param.value === '' ? undefined : JSON.parse(body.param.value)
    }
    expect(await value('staking', 'MaxValidators')).to.equal(100)
    expect(await value('staking', 'UnbondingTime')).to.equal('1814400000000000')
    expect(await value('staking', 'BondDenom')).to.equal('afrx')
    expect(await value('slashing', 'SignedBlocksWindow')).to.equal('10000')
    expect(await value('slashing', 'SlashFractionDoubleSign')).to.equal('0.050000000000000000')
    expect(await value('gov', 'votingparams')).to.deep.equal({ voting_period: '172800000000000' })
    expect(await value('gov', 'depositparams')).to.deep.equal({
      min_deposit: [{ denom: 'afrx', amount: '10000000000000000000' }],
      max_deposit_period: '172800000000000',
    })
    expect(await value('distribution', 'communitytax')).to.equal('0.020000000000000000')
    expect(await value('bank', 'DefaultSendEnabled')).to.equal(true)
    expect(await value('auth', 'MaxMemoCharacters')).to.equal('256')
    expect(await value('staking', 'Nothing')).to.equal(undefined)
    expect(await value('staking', '__proto__')).to.equal(undefined)
    const { subspaces } = (await rest.get('/cosmos/params/v1beta1/subspaces')).body
    expect(subspaces).to.have.length(6)
    for (const { subspace, keys } of subspaces)
      for (const key of keys) expect(await value(subspace, key), `${subspace} ${key}`).not.to.equal(undefined)
    const params = '/cosmos/params/v1beta1/params'
    expect(await refusal(`${params}?subspace=mint&key=x`)).to.deep.equal([404, 5, 'unknown_subspace'])
    expect(await refusal(`${params}?subspace=staking`)).to.deep.equal([400, 3, 'invalid_request'])
  })

  it('takes addresses in capitals, as BIP-173 and the SDK do, of every prefix', async () => {
    const validator = rest.chain.user('validator').address
    const text = (prefix: 'fornax' | 'fornaxvaloper' | 'fornaxvalcons', address: Uint8Array = validator) =>
      formatAddress(address, prefix)
    for (const path of [
      `${BALANCES}/${alice}`,
      `/cosmos/auth/v1beta1/accounts/${alice}`,
      `/cosmos/staking/v1beta1/validators/${text('fornaxvaloper')}`,
      `/classifier/predict/${text('fornaxvaloper')}`,
      `/classifier/predict/${text('fornax')}`,
      `/fornax/classifier/v1/features/${text('fornaxvaloper')}`,
      `/fornax/classifier/v1/features/${text('fornaxvalcons', consensusAddress('validator'))}`,
      `/fornax/agents/v1/standings/${text('fornaxvaloper')}`,
    ]) {
      const small = await rest.get(path)
      const capital = await rest.get(path.replace(/[^/]+$/, (address) => address.toUpperCase()))
      expect(small.status, path).to.be.oneOf([200, 404, 422])
      expect(capital.status, path).to.equal(small.status)
      expect(JSON.stringify(capital.body).toLowerCase()).to.equal(JSON.stringify(small.body).toLowerCase())
    }
    const mixed = await rest.get(`${BALANCES}/${alice.replace('fornax', 'Fornax')}`)
    expect([mixed.status, mixed.body.message]).to.deep.equal([
      400,
      'decoding bech32 failed: String must be lowercase or uppercase: invalid address',
    ])
    const other = await rest.get(`${BALANCES}/${text('fornaxvaloper').toUpperCase()}`)
    expect([other.status, other.body.message]).to.deep.equal([
      400,
      'invalid Bech32 prefix; expected fornax, got fornaxvaloper: invalid address',
    ])
  })

  it('takes slashes doubled or at the end as if they were not there', async () => {
    const plain = (await rest.get(`${BALANCES}/${alice}`)).body
    for (const path of [`${BALANCES}/${alice}/`, `/${BALANCES}/${alice}`, `${BALANCES}//${alice}///?_=1`])
      expect((await rest.get(path)).body, path).to.deep.equal(plain)
    for (const path of ['/health/', '//health', '///health//'])
      expect((await rest.get(path)).body).to.deep.equal({ status: 'ok' })
    const wrong = await rest.get('/health/', { 'x-cosmos-block-height': 'x' })
    expect(wrong.status).to.equal(200)
    expect((await rest.get('//cosmos//nothing/')).body.code).to.equal(5)
  })

  it('but not to get around the rules of a route', async () => {
    const body = {
      node: rest.chain.user('alice').text,
      cpu_pct: 1,
      latency_ms: 1,
      connections: 1,
      net_contrib: 1,
    }
    for (const path of ['/agents/metrics', '/agents/metrics/', '//agents//metrics'])
      expect((await rest.post(path, body)).status, path).to.equal(401)
    for (const path of ['/broadcast_tx', '//broadcast_tx/'])
      expect((await rest.post(path, ' '.repeat(65_537))).status, path).to.equal(413)
    const delet = await fetch(`${rest.server.url}//health/`, { method: 'DELETE' })
    expect(delet.status).to.equal(405)
  })
})

describe('REST of a chain that `fornaxd init` or `make localnet` begins', () => {
  let rest: RestChain
  afterEach(() => rest.stop())

  it('tells how its coin is shown', async () => {
    const { bank } = newGenesis({ chainId: 'fornax-7', modules }).app_state
    const { denom_metadata } = bank as { denom_metadata: object[] }
    rest = await RestChain.start({}, { chain: { metadata: denom_metadata } })
    const afrx = {
      description: 'The coin of Fornax: it pays for gas and is staked.',
      denom_units: [
        { denom: 'afrx', exponent: 0, aliases: ['attofrx'] },
        { denom: 'frx', exponent: 18, aliases: ['FRX'] },
      ],
      base: 'afrx',
      display: 'frx',
      name: 'Fornax',
      symbol: 'FRX',
      uri: '',
      uri_hash: '',
    }
    const path = '/cosmos/bank/v1beta1/denoms_metadata'
    expect((await rest.get(path)).body).to.deep.equal({
      metadatas: [afrx],
      pagination: { next_key: null, total: '1' },
    })
    expect((await rest.get(`${path}/afrx`)).body).to.deep.equal({ metadata: afrx })
    expect((await rest.get(`${path}_by_query_string?denom=afrx`)).body).to.deep.equal({ metadata: afrx })
  })
})

describe('REST writes with slashes to spare', () => {
  let rest: RestChain
  afterEach(() => rest.stop())

  it('count like others', async () => {
    rest = await RestChain.start({ writesPerSecond: 5 })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        rest.post(`${'/'.repeat(1 + (i % 3))}cosmos/tx/v1beta1/decode${'/'.repeat(i % 2)}`, { tx_bytes: '' }),
      ),
    )
    const limited = answers.filter((answer) => answer.status === 429)
    expect(limited).to.have.length.within(6, 7)
    expect(limited[0]!.body.code).to.equal(8)
  })
})
