import { expect } from 'chai'
import {
  CheckTxType,
  RequestProcessProposal,
  ResponseProcessProposal_ProposalStatus as Status,
} from 'cosmjs-types/tendermint/abci/types'
import { timestampOf } from '../../core/time.ts'
import { clearHalt, NO_HALT, Rejoining, readHalt } from '../../daemon/app/halt.ts'
import { DegradedChain } from '../kit/app/degraded-chain.ts'

const hash = (filler: number): Uint8Array => new Uint8Array(32).fill(filler)

describe('A halted node', () => {
  let net: DegradedChain
  beforeEach(async () => {
    net = await DegradedChain.start({ validators: ['one', 'two'], users: ['alice', 'bob'] })
    await net.healthy()
  })
  afterEach(() => net.stop())

  const halt = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) await net.withheld()
    expect(net.chain.state.isHalted).to.equal(true)
  }
  const judge = async (proposal: Uint8Array): Promise<Status> => {
    const request = RequestProcessProposal.fromPartial({ hash: proposal, height: net.chain.height + 1n })
    return (await net.chain.app.processProposal(request)).status
  }

  it('is one after three degraded rounds in a row, and not after two and a healthy one', async () => {
    for (const _ of [1, 2]) {
      await net.withheld()
      await net.withheld()
      expect([net.chain.state.isHalted, net.chain.state.degradedStreak]).to.deep.equal([false, 2])
      await net.healthy()
    }
    await halt()
    expect(readHalt(net.chain.store)).to.deep.equal({ height: 10, clearedHeight: 0 })
  })

  it('refuses transactions that are new, keeps those it has, and proposes none', async () => {
    const held = net.chain.send('alice', 'bob', 1n)
    expect((await net.chain.check(held)).code).to.equal(0)
    await halt()
    expect(await net.chain.check(net.chain.send('bob', 'alice', 1n))).to.include({
      codespace: 'node',
      code: 1,
    })
    expect((await net.chain.check(held, CheckTxType.RECHECK)).code).to.equal(0)
    const { txs } = net.chain.app.prepareProposal({
      height: 5n,
      time: timestampOf(0n),
      maxTxBytes: 100_000n,
      txs: [held],
    } as never)
    expect(txs).to.deep.equal([])
  })

  it('refuses after the clear until the rounds of the halt have passed, and takes part then', async () => {
    await halt()
    expect([await judge(hash(1)), await judge(hash(2))]).to.deep.equal([Status.REJECT, Status.REJECT])
    expect(await clearHalt(net.chain.store)).to.equal(4)
    await net.crash()
    expect([net.chain.state.isHalted, net.chain.state.degradedStreak]).to.deep.equal([false, 0])
    expect(await judge(hash(1))).to.equal(Status.REJECT)
    const { state } = net.chain
    const rejoining = new Rejoining()
    // CometBFT replays past rounds at once; live ones come slowly.
    const asked = [0, 2, 4, 1_000, 3_003, 3_004, 3_500, 6_003, 6_005, 9_004, 9_006]
    expect(asked.map((ms) => rejoining.refuses(state, ms))).to.deep.equal([
      ...[true, true, true, true, true, true, true, true, true, true, true],
    ])
    expect([9_500, 12_007, 15_000].map((ms) => rejoining.refuses(state, ms))).to.deep.equal([
      true,
      false,
      false,
    ])
    await net.healthy()
    expect([net.chain.state.halt, readHalt(net.chain.store)]).to.deep.equal([NO_HALT, NO_HALT])
    expect(await judge(hash(1))).to.equal(Status.ACCEPT)
  })

  it('halts anew three rounds after the halt that was cleared, where the rounds stay degraded', async () => {
    await halt()
    await clearHalt(net.chain.store)
    await net.crash()
    await net.withheld()
    await net.withheld()
    expect(net.chain.state.isHalted).to.equal(false)
    await net.withheld()
    expect(net.chain.state.halt).to.include({ height: 7, clearedHeight: 4 })
  })

  it('has nothing to clear when it is none', async () => {
    expect(await clearHalt(net.chain.store)).to.equal(undefined)
  })
})
