import { expect } from 'chai'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { type Address, formatAddress, moduleAddress } from '../../core/address.ts'
import { fromHex, toHex } from '../../core/bytes.ts'
import { packAny } from '../../core/wire/registry.ts'
import { derivedKey } from '../../daemon/app/derived.ts'
import { brokenInvariants } from '../../daemon/app/router.ts'
import { balanceOf, supplyOf } from '../../modules/bank/api.ts'
import { decodeHeader, hashOfHeader } from '../../modules/evm/block/header.ts'
import { createAddress } from '../../modules/evm/machine/contract-address.ts'
import { blockKey, decodeReceipt, decodeTxRecord, txHashKey, txKey } from '../../modules/evm/records.ts'
import { WorldState } from '../../modules/evm/world-state.ts'
import { modules } from '../../modules/index.ts'
import { MsgEthereumTxResponse } from '../../proto/gen/cosmos/evm/vm/v1/tx.ts'
import { TestChain } from '../kit/app/chain.ts'
import { CREATION, REVERTED, RUNTIME, word } from '../kit/evm/contract.ts'
import { EthAccount } from '../kit/evm/eth-account.ts'
import { evmOf } from '../kit/evm/genesis.ts'

const FRX = 10n ** 18n
const GWEI = 10n ** 9n
const NOBODY = new Uint8Array(20)

describe('contracts', () => {
  let chain: TestChain
  let alice: EthAccount
  let contract: Address

  const world = (): WorldState => new WorldState(chain.state.view('committed'))
  const balance = (address: Address): bigint => balanceOf(chain.state.view('committed'), address, 'afrx')
  const fund = async (account: EthAccount, amount: bigint): Promise<void> => {
    const send = packAny('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: chain.user('alice').text,
      toAddress: formatAddress(account.address),
      amount: [{ denom: 'afrx', amount: amount.toString() }],
    })
    const fee = { gasLimit: 200_000n, amount: [{ denom: 'afrx', amount: (200_000n * GWEI).toString() }] }
    const { txResults } = await chain.block(chain.sign('alice', { messages: [send], fee }))
    expect(txResults[0]!.code, txResults[0]!.log).to.equal(0)
  }
  const derived = (key: Uint8Array): Uint8Array | undefined => chain.store.local.get(derivedKey('~evm', key))

  beforeEach(async () => {
    chain = await TestChain.start({ appState: { evm: evmOf({}) } })
    alice = new EthAccount('alice')
    await fund(alice, 100n * FRX)
    contract = createAddress(alice.address, 0n)
  })
  afterEach(async () => {
    expect(brokenInvariants(modules, chain.state.view('committed'))).to.deep.equal([])
    await chain.stop()
  })

  it('are created, called, and keep what they store', async () => {
    const { txResults } = await chain.block(
      alice.sign({ data: CREATION }),
      alice.sign({ to: `0x${toHex(contract)}`, data: word(42n) }),
    )
    expect(txResults.map(({ code, log }) => [code, log])).to.deep.equal([
      [0, ''],
      [0, ''],
    ])
    expect(toHex(world().code(contract).bytes)).to.equal(RUNTIME)
    expect(world().storage(contract, word(0n))).to.equal(42n)
    expect(world().nonce(alice.address)).to.equal(2n)
    const response = TxMsgData.decode(txResults[1]!.data).msgResponses[0]!
    expect(response.typeUrl).to.equal('/cosmos.evm.vm.v1.MsgEthereumTxResponse')
    expect(MsgEthereumTxResponse.decode(response.value).ret).to.deep.equal(word(42n))
    const used = txResults.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
    expect(balance(alice.address)).to.equal(100n * FRX - used * GWEI)
  })

  it('that revert leave their fee and their nonce, and the reason', async () => {
    await chain.block(alice.sign({ data: CREATION }))
    const before = balance(alice.address)
    const to = `0x${toHex(contract)}` as const
    const { txResults } = await chain.block(alice.sign({ to, data: REVERTED, value: 5n }))
    expect(txResults[0]).to.include({ code: 3, codespace: 'evm', log: 'execution reverted' })
    expect(balance(contract)).to.equal(0n)
    expect(balance(alice.address)).to.equal(before - txResults[0]!.gasUsed * GWEI)
    expect(world().nonce(alice.address)).to.equal(2n)
  })

  it('take value, of coins that a send of the bank’s moves too', async () => {
    const bob = new EthAccount('bob')
    await chain.block(alice.sign({ to: bob.hex, value: 3n * FRX }))
    expect(balance(bob.address)).to.equal(3n * FRX)
    expect(chain.check(bob.sign({ to: alice.hex, value: FRX })).code).to.equal(0)
  })

  it('are refused what they may not be, with Ethereum’s words, and without a fee', async () => {
    const before = balance(alice.address)
    const { nonce } = alice
    const cases: [Uint8Array, string, number, string][] = [
      [alice.sign({ nonce: nonce + 1n }), 'evm', 24, 'nonce too high'],
      [alice.sign({ nonce, value: 1000n * FRX }), 'evm', 25, 'insufficient funds for gas * price + value'],
      [alice.sign({ nonce, gasLimit: 20_999n }), 'evm', 26, 'intrinsic gas too low'],
      [alice.sign({ nonce, maxFeePerGas: GWEI - 1n }), 'evm', 27, 'max fee per gas less than block base fee'],
      [alice.sign({ nonce, gasLimit: 2n ** 24n + 1n }), 'evm', 30, 'transaction gas limit too high'],
      [alice.sign({ nonce }, 7374), 'sdk', 2, 'it is for another chain'],
      [Uint8Array.of(0x03, 0xc0), 'sdk', 2, 'transaction type not supported'],
    ]
    for (const [tx, codespace, code, words] of cases) {
      const checked = chain.check(tx)
      expect([checked.codespace, checked.code], checked.log).to.deep.equal([codespace, code])
      expect(checked.log).to.include(words)
    }
    const { txResults } = await chain.block(...cases.map(([tx]) => tx))
    expect(txResults.map(({ codespace, code }) => [codespace, code])).to.deep.equal(
      cases.map(([, codespace, code]) => [codespace, code]),
    )
    expect(balance(alice.address)).to.equal(before)
    const header = decodeHeader(derived(blockKey(chain.height))!.subarray(8))
    expect(header.gasUsed).to.equal(0n)
  })

  it('cannot send value to the account of a module', async () => {
    const pool = `0x${toHex(moduleAddress('bonded_tokens_pool'))}` as const
    const before = balance(moduleAddress('bonded_tokens_pool'))
    const { txResults } = await chain.block(alice.sign({ to: pool, value: 1n }))
    expect(txResults[0]).to.include({ code: 3, codespace: 'evm' })
    expect(txResults[0]!.log).to.include('takes no value')
    expect(balance(moduleAddress('bonded_tokens_pool'))).to.equal(before)
  })

  it('stand in a block whose header can be computed again, with their receipts', async () => {
    const create = alice.sign({ data: CREATION })
    const call = alice.sign({ to: `0x${toHex(contract)}`, data: word(42n) })
    const reverted = alice.sign({ to: `0x${toHex(contract)}`, data: REVERTED })
    const parent = derived(blockKey(chain.height))!.subarray(8)
    const { txResults } = await chain.block(create, call, reverted)
    const record = derived(blockKey(chain.height))!
    expect(toHex(record.subarray(0, 8))).to.equal('0000000000000003')
    const header = decodeHeader(record.subarray(8))
    expect(toHex(header.parentHash)).to.equal(toHex(hashOfHeader(parent)))
    expect(header.gasUsed).to.equal(txResults.reduce((sum, { gasUsed }) => sum + gasUsed, 0n))
    expect(header.number).to.equal(chain.height)
    const records = [0n, 1n, 2n].map((i) => decodeTxRecord(derived(txKey(chain.height, i))!))
    expect(records.map(({ tx }) => toHex(tx))).to.deep.equal([create, call, reverted].map(toHex))
    const receipts = records.map(({ receipt }) => decodeReceipt(receipt))
    expect(receipts.map(({ succeeded }) => succeeded)).to.deep.equal([true, true, false])
    expect(receipts[2]!.cumulativeGasUsed).to.equal(header.gasUsed)
    expect(receipts[1]!.logs.map(({ data }) => toHex(data))).to.deep.equal([toHex(word(42n))])
    expect(records.map(({ firstLog }) => firstLog)).to.deep.equal([0n, 0n, 1n])
    expect(toHex(records[0]!.contract!)).to.equal(toHex(contract))
    const { attributes } = txResults[1]!.events.find(({ type }) => type === 'ethereum_tx')!
    const hash = attributes.find(({ key }) => key === 'ethereumTxHash')!.value
    expect(toHex(derived(txHashKey(fromHex(hash.slice(2))))!.subarray(8))).to.equal('0000000000000001')
  })

  it('burn what they still hold when they destroy themselves as they are made, and the supply tells', async () => {
    const supply = (): bigint => supplyOf(chain.state.view('committed'), 'afrx')
    const before = supply()
    // ADDRESS SELFDESTRUCT
    const { txResults } = await chain.block(alice.sign({ data: fromHex('30ff'), value: 5n }))
    expect(txResults[0]!.code, txResults[0]!.log).to.equal(0)
    expect(supply()).to.equal(before - 5n)
    expect(balance(contract)).to.equal(0n)
    expect(world().nonce(contract)).to.equal(0n)
  })

  it('run as the code of an account that says so, until it says another (EIP-7702)', async () => {
    const bob = new EthAccount('bob')
    await chain.block(alice.sign({ data: CREATION }))
    const { txResults } = await chain.block(
      alice.sign({ type: 4, to: bob.hex, data: word(9n), authorizationList: [bob.authorize(contract, 0n)] }),
    )
    expect(txResults[0]!.code, txResults[0]!.log).to.equal(0)
    expect(toHex(world().code(bob.address).bytes)).to.equal(`ef0100${toHex(contract)}`)
    expect(world().storage(bob.address, word(0n))).to.equal(9n)
    expect(world().storage(contract, word(0n))).to.equal(0n)
    expect(world().nonce(bob.address)).to.equal(1n)
    await fund(bob, FRX)
    // A word that is used, one for another chain, and one that takes the code away.
    const words = [bob.authorize(contract, 0n), bob.authorize(contract, 1n, 7374), bob.authorize(NOBODY, 1n)]
    await chain.block(alice.sign({ type: 4, to: bob.hex, authorizationList: words }))
    expect(toHex(world().code(bob.address).bytes)).to.equal('')
    expect(world().nonce(bob.address)).to.equal(2n)
    bob.nonce = 2n
    const sent = await chain.block(bob.sign({ to: alice.hex, value: 1n }))
    expect(sent.txResults[0]!.code, sent.txResults[0]!.log).to.equal(0)
  })
})
