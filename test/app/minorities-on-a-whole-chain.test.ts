import { expect } from 'chai'
import { decodeReport } from '../../modules/classifier/api.ts'
import { FRX } from '../kit/app/governance.ts'
import type { Conduct } from '../kit/app/scored-chain.ts'
import { range, WatchedChain } from '../kit/app/watched-chain.ts'
import { withScore } from '../kit/classifier/altered-report.ts'

const EMPTY = () => new Uint8Array(0)

describe('On a whole chain', () => {
  let chain: WatchedChain
  afterEach(() => chain?.stop())

  /** Away for some blocks, and then without a report for some. */
  const areSilent = async (them: readonly string[]): Promise<void> => {
    await chain.blocks(6, () => ({ absent: them }))
    const reports = Object.fromEntries(them.map((name) => [name, EMPTY]))
    await chain.blocks(6, () => ({ reports }))
    expect(chain.degraded, 'rounds withheld').to.equal(0)
  }

  it('validators in the middle of a Zipf law, with a tenth of the power, withhold no round by silence', async () => {
    chain = await WatchedChain.start({ validators: range(100) })
    const power = (i: number): bigint => BigInt(Math.ceil(10_000 / (i + 1)))
    const stakes = chain.ranked
      .slice(0, 99)
      .map((n, i) => chain.stake('MsgDelegate', n, FRX * (power(i) - 100n)))
    await chain.block({}, ...stakes)
    await chain.blocks(14)
    await areSilent(chain.ranked.slice(29, 50))
  }).timeout(120_000)

  it('28 newcomers with a unit each beside ten with 10,000 withhold none, when they are in good standing', async () => {
    const newcomers = range(28, 'n')
    chain = await WatchedChain.start({ validators: range(10), users: newcomers })
    await chain.block({}, ...chain.ranked.map((name) => chain.stake('MsgDelegate', name, 9_900n * FRX)))
    await chain.block({}, ...newcomers.map((name) => chain.create(name, FRX)))
    await chain.blocks(135)
    await areSilent(newcomers)
  }).timeout(120_000)

  it('six of 20 that are cut off for 20 minutes are jailed by nobody, and lose nothing', async () => {
    chain = await WatchedChain.start({ validators: range(20) })
    await chain.blocks(12)
    const absent = chain.ranked.slice(-6)
    await chain.blocks(240, () => ({ absent }))
    for (const name of absent) expect(await chain.fate(name)).to.equal('free, 100 FRX')
  }).timeout(120_000)

  it('a proposer that leaves six of 31 votes out of its blocks, others each time, is Moderate for Omission', async () => {
    chain = await WatchedChain.start({ validators: range(31) })
    await chain.blocks(20)
    const last = chain.ranked.at(-1)!
    await chain.blocks(320, (i) => {
      const proposer = chain.ranked[i % 31]!
      const others = Array.from({ length: 6 }, (_, k) => chain.ranked[(7 * Math.floor(i / 31) + k) % 30]!)
      return { proposer, absent: proposer === last ? others : [] }
    })
    for (const name of chain.ranked)
      expect(chain.penalties(name), name).to.deep.equal(name === last ? ['Moderate Omission'] : [])
  }).timeout(120_000)
})

describe('A gang of 28 % that leaves a third of the reports out of its blocks', () => {
  let chain: WatchedChain
  let gang: readonly string[]
  /** With 400 of 2,500 units; each of the others has 100. */
  const victim = 'victim'
  beforeEach(async () => {
    chain = await WatchedChain.start({ validators: [victim, ...range(21)] })
    gang = others().slice(0, 7)
    await chain.block({ proposer: chain.turn() }, chain.stake('MsgDelegate', victim, 300n * FRX))
    for (let i = 0; i < 24; i++) await chain.block({ proposer: chain.turn() })
  })
  afterEach(() => chain.stop())

  const others = (): string[] => chain.ranked.filter((name) => name !== victim)
  const snub = (proposer: string): Conduct => ({ proposer, absent: [victim] })
  /** What is passed on are the gang's lies and, beside the victim's own report, those of six others: 68 %. */
  const forge = (proposer: string, to: (score: number) => number = () => 9_999): Conduct => {
    const place = chain.net.place(victim)
    const lie = (honest: Uint8Array): Uint8Array =>
      withScore(honest, place, to(decodeReport(honest)!.scores[place]!))
    const reports = Object.fromEntries(gang.map((name) => [name, lie]))
    return { proposer, withheld: others().slice(13), reports }
  }
  /** The victim's worst score. */
  const play = async (blocks: number, act: (proposer: string) => Conduct): Promise<number> => {
    let worst = 0
    for (let i = 0; i < blocks; i++) {
      const proposer = chain.turn()
      await chain.block(gang.includes(proposer) ? act(proposer) : { proposer })
      worst = Math.max(worst, (await chain.net.scores())[victim]!)
    }
    return worst
  }

  it('moves no score, neither by great lies nor by some within the tolerance', async () => {
    expect(await play(25, forge), 'great lies').to.be.below(100)
    expect(await play(25, (proposer) => forge(proposer, (score) => score + 190)), 'small lies').to.be.below(
      100,
    )
  })

  it('gets nobody judged for votes that it leaves out, nor banned by these and its lies together', async () => {
    let snubs = 0
    await play(75, (proposer) => (snubs++ < 16 ? snub(proposer) : forge(proposer)))
    expect([chain.penalties(victim), await chain.fate(victim)]).to.deep.equal([[], 'free, 400 FRX'])
  })
})
