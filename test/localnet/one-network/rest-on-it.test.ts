import { expect } from 'chai'
import { toBase64 } from '../../../core/bytes.ts'
import { checksumAddress } from '../../../core/hex-address.ts'
import { type SignerKey, signTx } from '../../../core/tx/build.ts'
import { packAny } from '../../../core/wire/registry.ts'
import type { LocalnetInfo } from '../../../localnet/info.ts'
import { user } from '../../kit/app/chain.ts'
import { eventually } from '../../kit/eventually.ts'
import { type Answer, ask } from '../../kit/http/rest.ts'
import { accountOf, keyOfAccount } from '../../kit/localnet/accounts.ts'
import { sharedLocalnet } from '../../kit/localnet/localnet.ts'

const MUCH = 10n ** 30n

describe('REST on a local network', () => {
  const net = sharedLocalnet()
  let info: LocalnetInfo
  let carol: Omit<SignerKey, 'sequence'> & { address: string }

  const get = (path: string, node = 0, headers = {}): Promise<Answer> =>
    ask(info.nodes[node]!.rest + path, { headers })
  const post = (path: string, body: object, node = 0): Promise<Answer> =>
    ask(info.nodes[node]!.rest + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const authAccount = async (address: string) =>
    (await get(`/cosmos/auth/v1beta1/accounts/${address}`)).body.account as Record<string, string>
  const sequence = async (): Promise<bigint> => BigInt((await authAccount(carol.address))['sequence']!)
  const send = async (to: string, amount: bigint, { gas = 200_000n, at = -1n, price = 10n ** 9n } = {}) => {
    const value = {
      fromAddress: carol.address,
      toAddress: to,
      amount: [{ denom: 'afrx', amount: `${amount}` }],
    }
    const tx = {
      messages: [packAny('cosmos.bank.v1beta1.MsgSend', value)],
      fee: { amount: [{ denom: 'afrx', amount: `${gas * price}` }], gasLimit: gas },
    }
    const signer = { ...carol, sequence: at < 0n ? await sequence() : at }
    return { tx_bytes: toBase64(signTx(tx, info.chain_id, [signer])) }
  }

  before(async () => {
    info = net().info
    const account = accountOf(info, 'carol')
    const { account_number } = await authAccount(account.address)
    carol = {
      address: account.address,
      ...keyOfAccount(account),
      accountNumber: BigInt(account_number!),
    }
  })

  it('says what chain this is, that it is in step, and who validates', async () => {
    const node = await get('/cosmos/base/tendermint/v1beta1/node_info')
    expect(node.body.default_node_info.network).to.equal(info.chain_id)
    expect((await get('/cosmos/base/tendermint/v1beta1/syncing')).body).to.deep.equal({ syncing: false })
    const set = await get('/cosmos/base/tendermint/v1beta1/validatorsets/latest')
    expect(set.body.validators).to.have.length(4)
    expect((await get('/ready')).status).to.equal(200)
  })

  it('tells wallets of the chain: its coin, and where its nodes are', async () => {
    const { body } = await get('/cosmos/bank/v1beta1/denoms_metadata/afrx')
    expect(body.metadata).to.deep.include({ base: 'afrx', display: 'frx', symbol: 'FRX' })
    for (const [i, { rest, rpc }] of info.nodes.entries()) {
      const keplr = (await get('/keplr.json', i)).body
      expect(keplr).to.deep.include({ chainId: info.chain_id, rest, rpc, isTestnet: true })
      expect((await fetch(`${keplr.rpc}/status`)).status).to.equal(200)
      const chain = (await get('/chain.json', i)).body
      expect(chain).to.deep.include({ chain_id: info.chain_id, network_type: 'devnet' })
      expect(chain.apis).to.deep.equal({ rpc: [{ address: rpc }], rest: [{ address: rest }] })
    }
    expect((await get('/assetlist.json')).body.assets[0].symbol).to.equal('FRX')
  })

  it('simulates, and broadcasts with the gas that it said; every node finds it in its block', async () => {
    const to = user('rest one').text
    const estimate = await post('/cosmos/tx/v1beta1/simulate', await send(to, 21n))
    expect(estimate.status).to.equal(200)
    const gas = (BigInt(estimate.body.gas_info.gas_used) * 11n) / 10n
    const sent = await post('/broadcast_tx?wait=commit', await send(to, 21n, { gas }), 1)
    expect([sent.status, sent.body.code]).to.deep.equal([200, 0])
    const { tx_hash, height } = sent.body
    await net().reach(Number(height) + 1)
    for (const [i] of info.nodes.entries()) {
      const balance = await get(`/cosmos/bank/v1beta1/balances/${to}`, i)
      expect(balance.body.balances).to.deep.equal([{ denom: 'afrx', amount: '21' }])
      const found = await eventually(`the transaction at node${i}`, async () => {
        const answer = await get(`/cosmos/tx/v1beta1/txs/${tx_hash}`, i)
        return answer.status === 200 && answer.body
      })
      expect(found.tx_response).to.include({ txhash: tx_hash, height, code: 0 })
    }
    for (const query of [
      `transfer.recipient='${to}'`,
      `message.sender='${carol.address}' AND tx.height=${height}`,
    ]) {
      const { body } = await get(`/cosmos/tx/v1beta1/txs?query=${encodeURIComponent(query)}`)
      expect(
        body.tx_responses.map((t: { txhash: string }) => t.txhash),
        query,
      ).to.deep.equal([tx_hash])
    }
  })

  it('says what is wrong with a query for transactions', async () => {
    for (const [query, why] of [
      ['garbage', 'it ends in the midst of a condition'],
      ["message.sender='x' AND", 'it ends in the midst of a condition'],
      ['a=b=c', 'offset '],
      ["message.sender='x", 'it ends in the midst of a condition'],
      ['=', 'offset '],
    ]) {
      const { status, body } = await get(`/cosmos/tx/v1beta1/txs?query=${encodeURIComponent(query!)}`)
      expect([status, body.code], query).to.deep.equal([400, 3])
      expect(body.message, query)
        .to.match(new RegExp(`^failed to parse query: ${why}`))
        .and.match(/; one is such as message\.sender=/)
    }
  })

  it('refuses a wrong sequence, a low fee and a fee that is not there, each with its code', async () => {
    const to = user('rest two').text
    const late = await post('/broadcast_tx', await send(to, 1n, { at: (await sequence()) + 5n }))
    expect([late.status, late.body.error.code]).to.deep.equal([409, 'wrong_sequence'])
    expect(late.body.error.details).to.deep.equal({ codespace: 'sdk', code: 32 })
    const cheap = await post('/broadcast_tx', await send(to, 1n, { price: 1n }))
    expect([cheap.status, cheap.body.error.details.code]).to.deep.equal([422, 13])
    const costly = await post('/broadcast_tx', await send(to, 1n, { price: MUCH }))
    expect([costly.status, costly.body.error.details.code]).to.deep.equal([422, 5])
  })

  it('reports insufficient funds with code 5, in a block and in a simulation', async () => {
    const to = user('rest two').text
    const failed = await post('/broadcast_tx?wait=commit', await send(to, MUCH))
    expect([failed.status, failed.body.code, failed.body.codespace]).to.deep.equal([200, 5, 'sdk'])
    const simulated = await post('/cosmos/tx/v1beta1/simulate', await send(to, MUCH))
    expect([simulated.status, simulated.body.error.details.code]).to.deep.equal([422, 5])
  })

  it('answers the same for one height at every node', async () => {
    const height = (await get('/cosmos/base/node/v1beta1/status')).body.height as string
    await net().reach(Number(height) + 1)
    const answers = await Promise.all(
      info.nodes.map((_, i) =>
        get('/cosmos/bank/v1beta1/denom_owners/afrx?pagination.limit=100', i, {
          'x-cosmos-block-height': height,
        }),
      ),
    )
    for (const { status, body, headers } of answers) {
      expect([status, headers.get('x-cosmos-block-height')]).to.deep.equal([200, height])
      expect(body).to.deep.equal(answers[0]!.body)
    }
  })

  it('gives coins by the faucet', async () => {
    const to = user('rest three').text
    const hex = checksumAddress(user('rest three').address)
    const wrong = hex.replace(/[a-f]/, (letter) => letter.toUpperCase())
    const refused = await post('/faucet', { address: wrong }, 3)
    expect([refused.status, refused.body.error.message]).to.deep.equal([
      400,
      `the checksum of ${wrong} is wrong: a digit is mistyped, or the case of a letter: invalid address`,
    ])
    expect((await post('/faucet', { address: hex }, 3)).status).to.equal(202)
    await eventually('the coins', async () => {
      const { body } = await get(`/cosmos/bank/v1beta1/balances/${to}`)
      return body.balances.length === 1
    })
  })
})
