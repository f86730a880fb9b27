import { createHash } from 'node:crypto'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import { SigningStargateClient } from '@cosmjs/stargate'
import { expect } from 'chai'
import { GetNodeInfoRequest, GetNodeInfoResponse } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { ACCOUNT_PREFIX } from '../../core/address.ts'
import { fromHex, toBase64, toHex } from '../../core/bytes.ts'
import { signTx } from '../../core/tx/build.ts'
import { packAny } from '../../core/wire/registry.ts'
import { askComet } from '../../daemon/client/comet.ts'
import { CHAIN_ID, user } from '../kit/app/chain.ts'
import { type RunningNode, runNode } from '../kit/comet/running-node.ts'
import { eventually } from '../kit/eventually.ts'
import { type Answer, ask } from '../kit/http/rest.ts'

const FEE = { amount: [], gas: '200000' }

describe('a node answers REST', () => {
  let node: RunningNode
  let sequence = 0n

  before(async function () {
    this.timeout(300_000)
    node = await runNode((users) => ({
      faucet: {
        keyType: 'secp256k1',
        privateKey: users.get('carol')!.privateKey,
        amount: [{ denom: 'afrx', amount: '1000' }],
        intervalMs: 60_000,
        gasPrice: { denom: 'afrx', amount: 1n },
      },
    }))
  })
  afterEach(() => expect(node.faults).to.deep.equal([]))
  after(() => node?.stop())

  const get = (path: string): Promise<Answer> => ask(node.restUrl + path)
  const post = (path: string, body: unknown): Promise<Answer> =>
    ask(node.restUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const aliceSends = (amount: bigint, at: bigint = sequence++): string => {
    const alice = node.users.get('alice')!
    const value = {
      fromAddress: alice.text,
      toAddress: node.users.get('bob')!.text,
      amount: [{ denom: 'afrx', amount: `${amount}` }],
    }
    const tx = {
      messages: [packAny('cosmos.bank.v1beta1.MsgSend', value)],
      fee: { amount: [], gasLimit: 200_000n },
    }
    const { privateKey, accountNumber } = alice
    return toBase64(signTx(tx, CHAIN_ID, [{ privateKey, accountNumber, sequence: at }]))
  }

  it('takes a transaction, waits for its block, and finds it by hash, height and sender', async () => {
    const sent = await post('/broadcast_tx?wait=commit', { tx_bytes: aliceSends(5n) })
    expect(sent.status).to.equal(200)
    expect(sent.body).to.have.all.keys(
      'tx_hash',
      'height',
      'final',
      'code',
      'codespace',
      'raw_log',
      'gas_wanted',
      'gas_used',
    )
    expect(sent.body).to.include({ code: 0, gas_wanted: '200000' })
    const { tx_hash, height } = sent.body
    const found = await get(`/cosmos/tx/v1beta1/txs/${tx_hash.toLowerCase()}`)
    expect([found.status, found.body.final]).to.deep.equal([200, true])
    expect(found.body.tx_response).to.deep.include({
      txhash: tx_hash,
      height,
      code: 0,
      raw_log: '',
      logs: [],
    })
    expect(found.body.tx_response).to.have.all.keys(
      ...[
        'height',
        'txhash',
        'codespace',
        'code',
        'data',
        'raw_log',
        'logs',
        'info',
        'gas_wanted',
        'gas_used',
      ],
      ...['tx', 'timestamp', 'events'],
    )
    expect(found.body.tx_response.tx).to.deep.equal({ '@type': '/cosmos.tx.v1beta1.Tx', ...found.body.tx })
    expect(found.body.tx_response.timestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const sender = node.users.get('alice')!.text
    for (const query of [`message.sender='${sender}'`, `transfer.sender='${sender}'`]) {
      const { body } = await get(
        `/cosmos/tx/v1beta1/txs?order_by=ORDER_BY_DESC&query=${encodeURIComponent(query)}`,
      )
      expect(body, query).to.deep.equal({
        txs: [found.body.tx],
        tx_responses: [found.body.tx_response],
        pagination: null,
        total: '1',
      })
    }
    // Of its block, and in it, with the extended commit in front.
    const { body } = await get(`/cosmos/tx/v1beta1/txs?query=tx.height%3D${height}`)
    const [extended, own] = body.txs
    expect(extended.body.messages[0]['@type']).to.equal('/fornax.abci.v1.ExtendedCommit')
    expect([own, body.total]).to.deep.equal([found.body.tx, '2'])
    const block = await get(`/cosmos/tx/v1beta1/txs/block/${height}`)
    expect(block.body.txs).to.deep.equal([extended, own])
    expect(block.body.pagination).to.deep.equal({ next_key: null, total: '2' })
  })

  it('accepts with 202, and refuses a used sequence with 409 and the rest with 422', async () => {
    const tx_bytes = aliceSends(1n)
    const sent = await post('/broadcast_tx', { tx_bytes })
    expect(sent.status).to.equal(202)
    expect(sent.body).to.have.all.keys('tx_hash')
    const again = await post('/broadcast_tx', { tx_bytes })
    expect([again.status, again.body.error.code]).to.deep.equal([409, 'tx_in_mempool_cache'])
    const late = await post('/broadcast_tx', { tx_bytes: aliceSends(2n, 0n) })
    expect([late.status, late.body.error.code]).to.deep.equal([409, 'wrong_sequence'])
    expect(late.body.error.details).to.deep.equal({ codespace: 'sdk', code: 32 })
    const junk = await post('/broadcast_tx', { tx_bytes: 'AAAA' })
    expect([junk.status, junk.body.error.code]).to.deep.equal([400, 'tx_decode'])
    const failing = await post('/broadcast_tx?wait=commit', { tx_bytes: aliceSends(10n ** 30n) })
    expect([failing.status, failing.body.code, failing.body.codespace]).to.deep.equal([200, 5, 'sdk'])
    const sdk = await post('/cosmos/tx/v1beta1/txs', {
      tx_bytes: aliceSends(3n),
      mode: 'BROADCAST_MODE_SYNC',
    })
    expect(sdk.body.tx_response).to.deep.include({ code: 0, height: '0' })
    const refused = await post('/cosmos/tx/v1beta1/txs', { tx_bytes, mode: 'BROADCAST_MODE_BLOCK' })
    expect(refused.status).to.equal(400)
  })

  it('clients of the SDK with what CheckTx or the mempool says of a transaction, whatever that is', async () => {
    const mode = 'BROADCAST_MODE_SYNC'
    const broadcast = async (tx_bytes: string) => {
      const { status, body } = await post('/cosmos/tx/v1beta1/txs', { tx_bytes, mode })
      expect([status, Object.keys(body)]).to.deep.equal([200, ['tx_response']])
      const { code, codespace, raw_log, txhash, data } = body.tx_response
      const hash = createHash('sha256').update(Buffer.from(tx_bytes, 'base64')).digest('hex').toUpperCase()
      expect([txhash, data]).to.deep.equal([hash, ''])
      return [codespace, code, raw_log]
    }
    const tx_bytes = aliceSends(4n)
    expect(await broadcast(tx_bytes)).to.deep.equal(['', 0, ''])
    expect(await broadcast(tx_bytes)).to.deep.equal(['sdk', 19, 'tx already in mempool'])
    const [codespace, code, log] = await broadcast(aliceSends(2n, 0n))
    expect([codespace, code]).to.deep.equal(['sdk', 32])
    expect(log).to.match(/account sequence mismatch, expected \d+, got 0/)
    expect((await broadcast('AAAA')).slice(0, 2)).to.deep.equal(['sdk', 2])
    const empty = await post('/cosmos/tx/v1beta1/txs', { tx_bytes: '', mode })
    expect([empty.status, empty.body.code, empty.body.error.code]).to.deep.equal([400, 3, 'invalid_request'])
  })

  it('blocks, validators and what it is', async () => {
    const latest = await get('/cosmos/base/tendermint/v1beta1/blocks/latest')
    expect(latest.body).to.have.all.keys('block_id', 'block', 'sdk_block')
    expect(latest.body.sdk_block.header.proposer_address).to.match(/^fornaxvalcons1/)
    expect(latest.body.block.last_commit.signatures[0].block_id_flag).to.equal('BLOCK_ID_FLAG_COMMIT')
    const first = await get('/cosmos/base/tendermint/v1beta1/blocks/1')
    expect(first.body.block.header.last_block_id).to.deep.equal({
      hash: null,
      part_set_header: { total: 0, hash: null },
    })
    const block = await node.rpc.block(1n)
    expect(first.body.block_id.hash).to.equal(toBase64(fromHex(block.block_id.hash)))
    const later = await get('/cosmos/base/tendermint/v1beta1/blocks/100000')
    expect([later.status, later.body.error.code]).to.deep.equal([404, 'invalid_height'])
    expect((await get('/cosmos/base/tendermint/v1beta1/blocks/0')).status).to.equal(400)
    const set = await get('/cosmos/base/tendermint/v1beta1/validatorsets/latest')
    expect(set.body.validators[0]).to.have.all.keys('address', 'pub_key', 'voting_power', 'proposer_priority')
    expect(set.body.pagination).to.deep.equal({ next_key: null, total: '1' })
    const at = await get('/cosmos/base/tendermint/v1beta1/validatorsets/1')
    expect(at.body.block_height).to.equal('1')
    expect((await get('/cosmos/base/tendermint/v1beta1/syncing')).body).to.deep.equal({ syncing: false })
    const info = await get('/cosmos/base/tendermint/v1beta1/node_info')
    expect(info.body.default_node_info.network).to.equal(CHAIN_ID)
    expect(info.body.application_version).to.have.all.keys(
      ...[
        'name',
        'app_name',
        'version',
        'git_commit',
        'build_tags',
        'go_version',
        'build_deps',
        'cosmos_sdk_version',
      ],
    )
    expect((await get('/cosmos/base/node/v1beta1/config')).body.minimum_gas_price).to.equal('0afrx')
    const status = await get('/cosmos/base/node/v1beta1/status')
    expect(status.body).to.have.all.keys(
      'earliest_store_height',
      'height',
      'timestamp',
      'app_hash',
      'validator_hash',
    )
    const proof = await get(
      '/cosmos/base/tendermint/v1beta1/abci_query?path=/store/bank/key&data=AQ%3D%3D&prove=true',
    )
    expect(proof.body.proof_ops.ops.map((op: { type: string }) => op.type)).to.deep.equal([
      'ics23:iavl',
      'ics23:simple',
    ])
    expect((await get('/ready')).body).to.include({ ready: true, chain_id: CHAIN_ID })
  })

  it('and the same services to ABCI queries, while CometBFT waits for their answer', async () => {
    const path = '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo'
    const data = GetNodeInfoRequest.encode({}).finish()
    const { value, height } = await askComet(node.rpcUrl, (comet) => comet.abciQuery({ path, data }))
    const { applicationVersion } = GetNodeInfoResponse.decode(value)
    expect(applicationVersion?.buildDeps.map((d) => d.path)).to.include.members([
      'github.com/cosmos/cosmos-sdk',
      'github.com/cometbft/cometbft',
    ])
    expect(height).to.be.greaterThan(0)
  })

  it('what is not there with 404, and what CometBFT cannot read with 400', async () => {
    const none = await get(`/cosmos/tx/v1beta1/txs/${'00'.repeat(32)}`)
    expect([none.status, none.body.error.code]).to.deep.equal([404, 'not_found'])
    for (const path of [
      '/cosmos/tx/v1beta1/txs/xyz',
      '/cosmos/tx/v1beta1/txs',
      '/cosmos/tx/v1beta1/txs?query=%27%27%27',
      '/cosmos/tx/v1beta1/txs?query=tx.height%3D1&page=18446744073709551615',
      '/cosmos/tx/v1beta1/txs?query=tx.height%3D1&page=7',
      '/cosmos/tx/v1beta1/txs/block/-1',
      '/cosmos/base/tendermint/v1beta1/validatorsets/latest?pagination.offset=50',
      '/cosmos/base/tendermint/v1beta1/abci_query?path=/cosmos.base.tendermint.v1beta1.Service/ABCIQuery',
    ])
      expect((await get(path)).status, path).to.equal(400)
  })

  it('hands out coins once to an address and a client', async () => {
    const dora = user('dora').text
    const bad = await post('/faucet', { address: 'fornax1nonsense' })
    expect([bad.status, bad.body.error.code]).to.deep.equal([400, 'invalid_address'])
    const given = await post('/faucet', { address: dora })
    expect(given.status).to.equal(202)
    expect(given.body.amount).to.deep.equal([{ denom: 'afrx', amount: '1000' }])
    await eventually('the coins', async () => {
      const { body } = await get(`/cosmos/bank/v1beta1/balances/${dora}`)
      return body.balances[0]?.amount === '1000'
    })
    const again = await post('/faucet', { address: dora })
    expect([again.status, again.body.error.code]).to.deep.equal([429, 'faucet_limit'])
    expect(Number(again.headers.get('retry-after'))).to.be.within(30, 60)
  })

  it('hands them out in the form of CosmJS’s faucet too, by the same rule', async () => {
    const address = user('frank').text
    const other = await post('/credit', { denom: 'uatom', address })
    expect([other.status, other.body.error.code]).to.deep.equal([422, 'unknown_denom'])
    const plain = await post('/credit', { address })
    expect([plain.status, plain.body.error.code]).to.deep.equal([400, 'invalid_body'])
    const again = await post('/credit', { denom: 'afrx', address })
    expect([again.status, again.body.error.code]).to.deep.equal([429, 'faucet_limit'])
  })

  it('shows what an unmodified CosmJS client sent', async () => {
    const key = node.users.get('bob')!.privateKey
    const wallet = await DirectSecp256k1Wallet.fromKey(key, ACCOUNT_PREFIX)
    const client = await SigningStargateClient.connectWithSigner(node.rpcUrl, wallet)
    const [{ address } = { address: '' }] = await wallet.getAccounts()
    const to = node.users.get('alice')!.text
    const gas = await client
      .simulate(address, [], '')
      .then(() => 'accepted')
      .catch((error: Error) => error.message)
    expect(gas).to.contain('must contain at least one message')
    const sent = await client.sendTokens(address, to, [{ denom: 'afrx', amount: '7' }], FEE)
    expect(sent.code).to.equal(0)
    const found = await get(`/cosmos/tx/v1beta1/txs/${sent.transactionHash}`)
    expect(found.body.tx.body.messages[0].amount).to.deep.equal([{ denom: 'afrx', amount: '7' }])
    expect(found.body.tx_response.height).to.equal(`${sent.height}`)
    const { body } = await get(`/cosmos/auth/v1beta1/accounts/${address}`)
    expect(body.account.pub_key['@type']).to.equal('/cosmos.crypto.secp256k1.PubKey')
    expect(body.account.sequence).to.equal('1')
    expect(toHex(fromHex(sent.transactionHash))).to.have.length(64)
    client.disconnect()
  })
})
