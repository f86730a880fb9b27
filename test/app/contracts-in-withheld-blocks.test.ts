import { expect } from 'chai'
import { formatAddress } from '../../core/address.ts'
import { toHex } from '../../core/bytes.ts'
import { packAny } from '../../core/wire/registry.ts'
import { EthBlocks } from '../../daemon/index/eth-blocks.ts'
import { createAddress } from '../../modules/evm/machine/contract-address.ts'
import { WorldState } from '../../modules/evm/world-state.ts'
import { DegradedChain } from '../kit/app/degraded-chain.ts'
import { CREATION, word } from '../kit/evm/contract.ts'
import { EthAccount } from '../kit/evm/eth-account.ts'

describe('contracts in blocks whose commits are withheld', () => {
  let net: DegradedChain
  const alice = new EthAccount('alice')
  const contract = createAddress(alice.address, 0n)
  const blocks = (): EthBlocks =>
    new EthBlocks({ height: net.chain.store.height, initialHeight: 1n, local: net.chain.store.local })
  const committed = (): WorldState => new WorldState(net.chain.state.view('committed'))

  before(async () => {
    net = await DegradedChain.start({ validators: ['one', 'two'], users: ['one', 'two', 'rich'] })
    const send = packAny('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: net.chain.user('rich').text,
      toAddress: formatAddress(alice.address),
      amount: [{ denom: 'afrx', amount: (10n ** 19n).toString() }],
    })
    await net.healthy(net.chain.sign('rich', { messages: [send] }))
  })
  after(() => net.stop())

  it('are known to nobody until the healthy block, which brings their blocks in order', async () => {
    const create = alice.sign({ data: CREATION })
    const call = alice.sign({ to: `0x${toHex(contract)}`, data: word(5n) })
    await net.withheld(create)
    expect(blocks().latest).to.equal(1n)
    expect(blocks().block(2n)).to.equal(undefined)
    expect(committed().codeHash(contract)).to.equal(undefined)
    await net.withheld(call)
    expect(committed().nonce(alice.address)).to.equal(0n)
    await net.healthy()
    expect(committed().storage(contract, word(0n))).to.equal(5n)
    const found = [1n, 2n, 3n, 4n].map((number) => blocks().block(number)!)
    expect(found.map(({ txCount }) => txCount)).to.deep.equal([0, 1, 1, 0])
    for (const [i, { header }] of found.entries())
      if (i > 0) expect(toHex(header.parentHash)).to.equal(toHex(found[i - 1]!.hash))
    const { decoded, outcome } = blocks().transaction(3n, 0)!
    expect(toHex(decoded.sender)).to.equal(toHex(alice.address))
    expect(outcome.logs).to.have.length(1)
    expect(blocks().placeOf(decoded.hash)).to.deep.equal({ number: 3n, index: 0 })
  })
})
