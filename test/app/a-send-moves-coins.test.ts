import { expect } from 'chai'
import { CheckTxType } from 'cosmjs-types/tendermint/abci/types'
import { brokenInvariants } from '../../daemon/app/router.ts'
import { TestChain } from '../kit/app/chain.ts'

const FUNDS = 10n ** 24n

describe('a send', () => {
  let chain: TestChain
  beforeEach(async () => {
    chain = await TestChain.start()
    await chain.block()
  })
  afterEach(() => chain.stop())

  it('moves coins, pays its fee and emits the events of the SDK', async () => {
    const tx = chain.send('alice', 'bob', 5n, {
      fee: { amount: [{ denom: 'afrx', amount: '7' }], gasLimit: 200_000n },
    })
    expect(chain.check(tx)).to.include({ code: 0, log: '' })
    const { txResults } = await chain.block(tx)
    expect(txResults[0]).to.include({ code: 0, log: '' })
    expect(await chain.balance('alice')).to.equal(FUNDS - 12n)
    expect(await chain.balance('bob')).to.equal(FUNDS + 5n)
    expect(
      txResults[0]!.events.map((e) => `${e.type}(${e.attributes.map((a) => a.key).join(' ')})`),
    ).to.deep.equal([
      'coin_spent(spender amount)',
      'coin_received(receiver amount)',
      'transfer(recipient sender amount)',
      'message(sender)',
      'tx(fee fee_payer)',
      'tx(acc_seq)',
      'tx(signature)',
      'message(action sender module msg_index)',
      'coin_spent(spender amount msg_index)',
      'coin_received(receiver amount msg_index)',
      'transfer(recipient sender amount msg_index)',
      'message(sender msg_index)',
    ])
    expect(brokenInvariants(chain.state.router.modules, chain.state.view('committed'))).to.deep.equal([])
  })

  it('makes the account of a recipient that had none', async () => {
    await chain.block(chain.send('alice', 'dora', 9n))
    expect(await chain.balance('dora')).to.equal(9n)
  })

  it('that exceeds the balance keeps the fee and moves nothing else', async () => {
    const tx = chain.send('alice', 'bob', FUNDS, {
      fee: { amount: [{ denom: 'afrx', amount: '7' }], gasLimit: 200_000n },
    })
    const { txResults } = await chain.block(tx)
    expect(txResults[0]).to.include({ code: 5, codespace: 'sdk' })
    expect(await chain.balance('alice')).to.equal(FUNDS - 7n)
    expect(await chain.balance('bob')).to.equal(FUNDS)
  })

  it('of several messages happens whole or not at all', async () => {
    const tx = chain.sign('alice', {
      messages: [chain.sendMessage('alice', 'bob', 5n), chain.sendMessage('alice', 'bob', FUNDS)],
    })
    const { txResults } = await chain.block(tx)
    expect(txResults[0]).to.include({ code: 5, codespace: 'sdk' })
    expect(await chain.balance('bob')).to.equal(FUNDS)
  })

  it('with a used sequence is refused with 32 by CheckTx, recheck and the block', async () => {
    const tx = chain.send('alice', 'bob', 5n)
    expect(chain.check(tx).code).to.equal(0)
    expect(chain.check(tx)).to.include({ code: 32, codespace: 'sdk' })
    const { txResults } = await chain.block(tx, tx)
    expect(txResults.map((r) => r.code)).to.deep.equal([0, 32])
    expect(chain.check(tx, CheckTxType.RECHECK)).to.include({ code: 32, codespace: 'sdk' })
  })

  it('is found again after a restart, with the same app hash', async () => {
    await chain.block(chain.send('alice', 'bob', 5n))
    const { lastBlockAppHash, lastBlockHeight } = chain.app.info()
    await chain.restart()
    expect(chain.app.info()).to.deep.include({ lastBlockHeight, lastBlockAppHash })
    expect(await chain.balance('bob')).to.equal(FUNDS + 5n)
    const { txResults } = await chain.block(chain.send('alice', 'bob', 5n))
    expect(txResults[0]!.code).to.equal(0)
  })

  it('is answered for by historical queries', async () => {
    const before = BigInt(chain.store.height)
    await chain.block(chain.send('alice', 'bob', 5n))
    expect(await chain.balance('bob', before)).to.equal(FUNDS)
    expect(await chain.balance('bob')).to.equal(FUNDS + 5n)
  })
})
