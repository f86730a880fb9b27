import { get as httpGet, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Ajv, type ValidateFunction } from 'ajv'
import { expect } from 'chai'
import { frxMetadata } from '../../genesis/document.ts'
import { ask, RestChain } from '../kit/http/rest.ts'
import assetListSchema from '../vectors/chain-info/assetlist.schema.json' with { type: 'json' }
import chainSchema from '../vectors/chain-info/chain.schema.json' with { type: 'json' }
import keplrSchema from '../vectors/chain-info/keplr.schema.json' with { type: 'json' }

const FACTS = {
  development: false,
  coinType: 60,
  cometVersion: '0.38.25',
  minimumGasPrices: [{ denom: 'afrx', amount: 1_000_000_000n }],
  restUrl: '',
  rpcUrl: '',
  rpcAddress: { host: '127.0.0.1', port: 36_657 },
}

/** Keplr's names for keys as cosmos/evm has them. */
const ETH_KEYS = ['eth-address-gen', 'eth-key-sign', 'eth-secp256k1-cosmos']

/** Asks with a header Host of the caller's choice, which fetch does not allow. */
function getAs(url: string, host: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const take = (response: IncomingMessage): void => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode!, body }))
    }
    httpGet(url, { headers: { host } }, take).on('error', reject)
  })
}

/** Asks as HTTP/1.0 may, which knows no header Host. Answers the status. */
function statusWithoutHost(url: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.0\r\n\r\n`),
    )
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      answer += text
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(Number(answer.split(' ')[1])))
  })
}

describe('REST tells of the chain', () => {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { uri: (text: string) => URL.canParse(text), 'uri-reference': true },
  })
  const schemas = {
    chain: ajv.compile(chainSchema),
    assets: ajv.compile(assetListSchema),
    keplr: ajv.compile(keplrSchema),
  }
  const expectForm = (validate: ValidateFunction, body: unknown): void => {
    validate(body)
    expect(validate.errors ?? []).to.deep.equal([])
  }
  let rest: RestChain
  afterEach(async () => {
    expect(rest.faults).to.deep.equal([])
    await rest.stop()
  })

  it('in the form of the chain registry', async () => {
    rest = await RestChain.start({ facts: FACTS })
    const { status, body } = await rest.get('/chain.json')
    expect(status).to.equal(200)
    expectForm(schemas.chain, body)
    expect(body).to.deep.include({
      chain_name: 'fornax',
      chain_id: 'fornax-7',
      network_type: 'mainnet',
      bech32_prefix: 'fornax',
      slip44: 60,
      key_algos: ['ethsecp256k1', 'secp256k1'],
      staking: { staking_tokens: [{ denom: 'afrx' }], lock_duration: { time: '1814400s' } },
    })
    expect(body.fees.fee_tokens[0]).to.deep.equal({
      denom: 'afrx',
      fixed_min_gas_price: 1_000_000_000,
      low_gas_price: 1_000_000_000,
      average_gas_price: 1_250_000_000,
      high_gas_price: 2_000_000_000,
    })
    expect(body.apis).to.deep.equal({
      rpc: [{ address: 'http://127.0.0.1:36657' }],
      rest: [{ address: rest.server.url }],
    })
    expectForm(schemas.assets, (await rest.get('/assetlist.json')).body)
    schemas.chain({ ...body, network_type: 'other' })
    expect(schemas.chain.errors).to.have.length(1)
  })

  it('with its coin, whether or not the genesis says how that is shown', async () => {
    for (const metadata of [[], [frxMetadata]]) {
      rest = await RestChain.start({ facts: FACTS }, { chain: { metadata } })
      const { body } = await rest.get('/assetlist.json')
      expectForm(schemas.assets, body)
      expect(body.assets).to.have.length(1)
      expect(body.assets[0]).to.deep.include({
        type_asset: 'sdk.coin',
        base: 'afrx',
        display: 'frx',
        symbol: 'FRX',
        name: 'Fornax',
      })
      expect(body.assets[0].denom_units.at(-1)).to.deep.equal({
        denom: 'frx',
        exponent: 18,
        aliases: ['FRX'],
      })
      if (metadata.length === 0) await rest.stop()
    }
  })

  it('to Keplr, as a page suggests it', async () => {
    rest = await RestChain.start({ facts: { ...FACTS, development: true } })
    const { status, body } = await rest.get('/keplr.json')
    expect(status).to.equal(200)
    expectForm(schemas.keplr, body)
    expect(body).to.deep.include({
      rpc: 'http://127.0.0.1:36657',
      rest: rest.server.url,
      chainId: 'fornax-7',
      bip44: { coinType: 60 },
      stakeCurrency: { coinDenom: 'FRX', coinMinimalDenom: 'afrx', coinDecimals: 18 },
      features: [...ETH_KEYS, 'query:/cosmos/bank/v1beta1/spendable_balances'],
      isTestnet: true,
    })
    // Of keys that Keplr derives in the way of Cosmos it must not make Ethereum's addresses.
    const cosmos = await rest.get('/keplr.json?coin_type=118')
    expectForm(schemas.keplr, cosmos.body)
    expect(cosmos.body).to.deep.equal({
      ...body,
      bip44: { coinType: 118 },
      features: ['query:/cosmos/bank/v1beta1/spendable_balances'],
    })
    expect((await rest.get('/keplr.json?coin_type=61')).status).to.equal(400)
    expect(body.feeCurrencies[0].gasPriceStep).to.deep.equal({ low: 1e9, average: 1.25e9, high: 2e9 })
    expect(body.bech32Config.bech32PrefixConsAddr).to.equal('fornaxvalcons')
  })

  it('with the endpoints of the settings, else of the host that was asked', async () => {
    rest = await RestChain.start({ facts: FACTS })
    const answers = async (host: string) => {
      const { status, body } = await getAs(`${rest.server.url}/chain.json`, host)
      expect(status).to.equal(200)
      return JSON.parse(body).apis
    }
    // CometBFT's RPC listens for this machine alone, as the operator set it.
    expect(await answers('node.example:8317')).to.deep.equal({
      rpc: [],
      rest: [{ address: 'http://node.example:8317' }],
    })
    expect(await answers('[::1]:1317')).to.deep.equal({
      rpc: [{ address: 'http://[::1]:36657' }],
      rest: [{ address: 'http://[::1]:1317' }],
    })
    for (const host of ['a b', 'a/b', '"><script>', 'user@host', '[zz]', ':80', 'a:65536', 'h'.repeat(300)]) {
      const { status, body } = await getAs(`${rest.server.url}/keplr.json`, host)
      expect([status, JSON.parse(body).error.code], host).to.deep.equal([400, 'invalid_host'])
    }
    expect(await statusWithoutHost(rest.server.url, '/chain.json')).to.equal(400)
    await rest.stop()
    rest = await RestChain.start({
      facts: { ...FACTS, restUrl: 'https://rest.example', rpcUrl: 'https://rpc.example/fornax' },
    })
    const { body } = await ask(`${rest.server.url}/keplr.json`)
    expect([body.rest, body.rpc]).to.deep.equal(['https://rest.example', 'https://rpc.example/fornax'])
    expectForm(schemas.keplr, body)
  })

  it('of a node that asks nothing for gas', async () => {
    rest = await RestChain.start({ facts: { ...FACTS, minimumGasPrices: [] } })
    const { body } = await rest.get('/keplr.json')
    expectForm(schemas.keplr, body)
    expect(body.feeCurrencies[0].gasPriceStep).to.deep.equal({ low: 0, average: 0, high: 0 })
  })
})
