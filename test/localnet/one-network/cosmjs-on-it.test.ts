import {
  createMultisigThresholdPubkey,
  type MultisigThresholdPubkey,
  pubkeyToAddress,
  Secp256k1HdWallet,
} from '@cosmjs/amino'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import {
  assertIsDeliverTxSuccess,
  calculateFee,
  coins,
  type DeliverTxResponse,
  GasPrice,
  makeMultisignedTxBytes,
  SigningStargateClient,
  type StdFee,
} from '@cosmjs/stargate'
import { expect } from 'chai'
import { getAddress } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { ACCOUNT_PREFIX, formatAddress } from '../../../core/address.ts'
import { parseEitherAddress } from '../../../core/hex-address.ts'
import { cometRpc } from '../../../daemon/client/rpc.ts'
import type { LocalnetInfo } from '../../../localnet/info.ts'
import { accountOf, walletOf } from '../../kit/localnet/accounts.ts'
import { sharedLocalnet } from '../../kit/localnet/localnet.ts'

const DENOM = 'afrx'
const gasPrice = GasPrice.fromString(`1000000000${DENOM}`)
const fee = calculateFee(200_000, gasPrice)
const paid = BigInt(fee.amount[0]!.amount)

const sendMessage = (fromAddress: string, toAddress: string, amount: number) => ({
  typeUrl: '/cosmos.bank.v1beta1.MsgSend',
  value: { fromAddress, toAddress, amount: coins(amount, DENOM) },
})

describe('an unmodified CosmJS on a local network', () => {
  const net = sharedLocalnet()
  let info: LocalnetInfo
  let alice: SigningStargateClient
  let from: string
  let bob: string

  const account = (name: string) => accountOf(info, name)
  const connect = async (name: string, node = 0): Promise<SigningStargateClient> => {
    const wallet = await walletOf(accountOf(info, name))
    return SigningStargateClient.connectWithSigner(info.nodes[node]!.rpc, wallet, {
      gasPrice,
      broadcastPollIntervalMs: 100,
    })
  }
  const balance = async (address: string, client = alice): Promise<bigint> =>
    BigInt((await client.getBalance(address, DENOM)).amount)
  const fresh = async (): Promise<string> => {
    const wallet = await DirectSecp256k1HdWallet.generate(12, { prefix: ACCOUNT_PREFIX })
    return (await wallet.getAccounts())[0]!.address
  }

  before(async () => {
    info = net().info
    alice = await connect('alice')
    from = account('alice').address
    bob = account('bob').address
  })
  after(() => alice?.disconnect())

  it('connects, and reads the chain id, height, account and balance', async () => {
    expect(await alice.getChainId()).to.equal(info.chain_id)
    expect(await alice.getHeight()).to.be.greaterThan(0)
    expect(await alice.getAccount(from)).to.deep.include({ address: from, sequence: 0 })
    expect(await balance(from)).to.equal(10n ** 27n)
    expect(await alice.getAllBalances(from)).to.deep.equal(coins(`${10n ** 27n}`, DENOM))
    expect(await alice.getAccount(await fresh())).to.equal(null)
  })

  it('sends, paying the fee', async () => {
    const [before, to] = [await balance(from), await fresh()]
    const sent = await alice.sendTokens(from, to, coins(12_345, DENOM), fee, 'for you')
    assertIsDeliverTxSuccess(sent)
    expect(await balance(to)).to.equal(12_345n)
    expect(await balance(from)).to.equal(before - 12_345n - paid)
    expect(sent.gasUsed < sent.gasWanted).to.equal(true)
  })

  it('signs for the accounts that wallets of Ethereum have, and for those of Cosmos alone', async () => {
    for (const { name, key_type, address, evm_address, mnemonic, private_key } of info.accounts) {
      const ofEthereum = privateKeyToAccount(private_key as `0x${string}`).address
      const isSame = key_type === 'ethsecp256k1'
      expect([ofEthereum === evm_address, getAddress(evm_address)], name).to.deep.equal([isSame, evm_address])
      expect(mnemonicToAccount(mnemonic).address === evm_address, name).to.equal(isSame)
      expect(formatAddress(parseEitherAddress(evm_address)), name).to.equal(address)
    }
    for (const name of ['bob', 'frank']) {
      const client = await connect(name)
      const to = await fresh()
      const { address, key_type } = account(name)
      assertIsDeliverTxSuccess(await client.sendTokens(address, to, coins(3, DENOM), 'auto'))
      expect(await balance(to)).to.equal(3n)
      expect((await client.getAccount(address))?.pubkey?.type).to.equal(
        key_type === 'secp256k1' ? 'tendermint/PubKeySecp256k1' : 'os/PubKeyEthSecp256k1',
      )
      client.disconnect()
    }
  })

  it('sends several messages in one transaction, all or none', async () => {
    const [one, other] = [await fresh(), await fresh()]
    const messages = [sendMessage(from, one, 1), sendMessage(from, other, 2)]
    assertIsDeliverTxSuccess(await alice.signAndBroadcast(from, messages, fee))
    expect([await balance(one), await balance(other)]).to.deep.equal([1n, 2n])
    const tooMuch = { ...sendMessage(from, other, 0) }
    tooMuch.value.amount = [{ denom: DENOM, amount: `${10n ** 30n}` }]
    const failed = await alice.signAndBroadcast(from, [sendMessage(from, one, 1), tooMuch], fee)
    expect(failed.code).to.equal(5)
    expect([await balance(one), await balance(other)]).to.deep.equal([1n, 2n])
  })

  it('estimates gas by simulation, and what it estimates is enough', async () => {
    const messages = [sendMessage(from, await fresh(), 5)]
    const gas = await alice.simulate(from, messages, 'a memo')
    expect(gas).to.be.within(20_000, 200_000)
    const sent = await alice.signAndBroadcast(
      from,
      messages,
      calculateFee(Math.ceil(gas * 1.1), gasPrice),
      'a memo',
    )
    expect(sent.code).to.equal(0)
    assertIsDeliverTxSuccess(await alice.signAndBroadcast(from, messages, 'auto'))
    const failing = [sendMessage(from, bob, 1)]
    failing[0]!.value.amount = [{ denom: DENOM, amount: `${10n ** 30n}` }]
    expect(String(await alice.simulate(from, failing, undefined).catch(String))).to.contain(
      'insufficient funds',
    )
  })

  it('finds what it sent by hash, sender, recipient and height', async () => {
    const to = await fresh()
    const sent = await alice.sendTokens(from, to, coins(77, DENOM), fee)
    const byHash = await alice.getTx(sent.transactionHash)
    expect(byHash).to.include({ height: sent.height, code: 0, hash: sent.transactionHash })
    for (const query of [
      [{ key: 'transfer.recipient', value: to }],
      `transfer.recipient='${to}' AND transfer.sender='${from}'`,
      `message.sender='${from}' AND message.action='/cosmos.bank.v1beta1.MsgSend' AND tx.height=${sent.height}`,
      `tx.height=${sent.height} AND message.action='/cosmos.bank.v1beta1.MsgSend'`,
    ])
      expect(
        (await alice.searchTx(query)).map((t) => t.hash),
        JSON.stringify(query),
      ).to.deep.equal([sent.transactionHash])
    const all = await alice.searchTx([{ key: 'message.sender', value: from }])
    expect(all.map((t) => t.hash)).to.include(sent.transactionHash)
    expect(await alice.getTx('00'.repeat(32))).to.equal(null)
  })

  it('is told of a wrong sequence with code 32', async () => {
    const { accountNumber, sequence } = await alice.getSequence(from)
    for (const wrong of [sequence - 1, sequence + 1]) {
      const tx = await alice.sign(from, [sendMessage(from, bob, 1)], fee, '', {
        accountNumber,
        sequence: wrong,
        chainId: info.chain_id,
      })
      const refused = await broadcast(alice, tx).catch((error: unknown) => error)
      expect(refused).to.include({ code: 32, codespace: 'sdk' })
      expect(String(refused)).to.contain('account sequence mismatch')
    }
  })

  it('is told of insufficient funds with code 5', async () => {
    const amount = [{ denom: DENOM, amount: `${10n ** 30n}` }]
    const failed = await alice.sendTokens(from, bob, amount, fee)
    expect(failed.code).to.equal(5)
    expect(failed.rawLog).to.contain('insufficient funds')
    const costly: StdFee = { amount, gas: '200000' }
    const refused = await alice
      .sendTokens(from, bob, coins(1, DENOM), costly)
      .catch((error: unknown) => error)
    expect(refused).to.include({ code: 5, codespace: 'sdk' })
  })

  it('and of a fee below the minimum with code 13', async () => {
    const cheap: StdFee = { amount: coins(1, DENOM), gas: '200000' }
    const refused = await alice.sendTokens(from, bob, coins(1, DENOM), cheap).catch((error: unknown) => error)
    expect(refused).to.include({ code: 13, codespace: 'sdk' })
  })

  it('sends from a multisig account by two of three members', async () => {
    const members = await Promise.all(
      ['erin', 'frank', 'dave'].map((name) =>
        Secp256k1HdWallet.fromMnemonic(account(name).mnemonic, { prefix: ACCOUNT_PREFIX }),
      ),
    )
    const keys = await Promise.all(members.map(async (m) => (await m.getAccounts())[0]!))
    const team: MultisigThresholdPubkey = createMultisigThresholdPubkey(
      keys.map(({ pubkey }) => ({
        type: 'tendermint/PubKeySecp256k1',
        value: Buffer.from(pubkey).toString('base64'),
      })),
      2,
    )
    const address = pubkeyToAddress(team, ACCOUNT_PREFIX)
    assertIsDeliverTxSuccess(await alice.sendTokens(from, address, coins(10 ** 15, DENOM), fee))
    const { accountNumber, sequence } = await alice.getSequence(address)
    const to = await fresh()
    const messages = [sendMessage(address, to, 42)]
    const signatures = new Map<string, Uint8Array>()
    let bodyBytes = new Uint8Array(0)
    for (const i of [0, 2]) {
      const signer = await SigningStargateClient.offline(members[i]!)
      const signed = await signer.sign(keys[i]!.address, messages, fee, 'from the team', {
        accountNumber,
        sequence,
        chainId: info.chain_id,
      })
      bodyBytes = new Uint8Array(signed.bodyBytes)
      signatures.set(keys[i]!.address, signed.signatures[0]!)
    }
    const one = new Map([...signatures].slice(0, 1))
    const refused = await alice
      .broadcastTx(makeMultisignedTxBytes(team, sequence, fee, bodyBytes, one))
      .catch((error: unknown) => error)
    expect(refused).to.include({ codespace: 'sdk', code: 4 })
    const tx = makeMultisignedTxBytes(team, sequence, fee, bodyBytes, signatures)
    assertIsDeliverTxSuccess(await alice.broadcastTx(tx, 60_000, 100))
    expect(await balance(to)).to.equal(42n)
  })

  it('sees the same balances and app hashes at every node', async () => {
    const sent = await alice.sendTokens(from, bob, coins(5, DENOM), fee)
    await net().reach(sent.height + 2)
    const hashes = new Set<string>()
    const balances = new Set<bigint>()
    for (const [i, { rpc }] of info.nodes.entries()) {
      const client = await connect('bob', i)
      balances.add(await balance(bob, client))
      client.disconnect()
      hashes.add((await cometRpc(rpc).block(BigInt(sent.height + 1))).block.header.app_hash)
    }
    expect([hashes.size, balances.size]).to.deep.equal([1, 1])
  })
})

type Signed = Awaited<ReturnType<SigningStargateClient['sign']>>

async function broadcast(client: SigningStargateClient, signed: Signed): Promise<DeliverTxResponse> {
  const { TxRaw } = await import('cosmjs-types/cosmos/tx/v1beta1/tx')
  return client.broadcastTx(TxRaw.encode(signed).finish())
}
