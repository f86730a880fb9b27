import { expect } from 'chai'
import { toHex } from '../../core/bytes.ts'
import type { Vote, VoteFlag } from '../../core/context.ts'
import { lastDecisions } from '../../modules/agents/decision-module.ts'
import { params } from '../../modules/agents/params.ts'
import { figuresOf, subjectsOf } from '../../modules/agents/reasons.ts'
import { rosterOf } from '../../modules/classifier/api.ts'
import type { Decision } from '../../proto/gen/fornax/agents/v1/agents.ts'
import { Network, validatorAt } from '../kit/adversary/network.ts'
import { powersOf } from '../kit/adversary/scenario.ts'
import { ScoredChain } from '../kit/app/scored-chain.ts'
import { withScore } from '../kit/classifier/altered-report.ts'

const EMPTY = new Uint8Array(0)

/** What validators do in a block; all the others vote and report what the model says. */
interface Acts {
  readonly proposer?: number
  readonly absent?: readonly number[]
  readonly nil?: readonly number[]
  /** Whose vote carries nothing. */
  readonly empty?: readonly number[]
  /** Who says the worst of the first on the roster but itself. */
  readonly lies?: readonly number[]
  /** Whose report the proposer leaves out. */
  readonly leftOut?: readonly number[]
}

/** A network with any powers, block by block. */
class Minority {
  degraded = 0
  readonly decided: (Decision & { readonly validator: number })[] = []
  readonly #network: Network
  readonly #powers: readonly bigint[]
  #blocks = 0

  private constructor(network: Network, powers: readonly bigint[]) {
    this.#network = network
    this.#powers = powers
  }

  static async start(powers: readonly bigint[], blocks = 20): Promise<Minority> {
    const minority = new Minority(await Network.begin(powers), powers)
    await minority.blocks(blocks)
    return minority
  }

  async block({
    proposer,
    absent = [],
    nil = [],
    empty = [],
    lies = [],
    leftOut = [],
  }: Acts = {}): Promise<void> {
    const network = this.#network
    const indices = new Map(this.#powers.map((_, i) => [validatorAt(i).id, i]))
    const votes = network.rotation.at(network.height).map(({ address, power }): Vote => {
      const i = indices.get(toHex(address))!
      const flag: VoteFlag = absent.includes(i) ? 'absent' : nil.includes(i) ? 'nil' : 'commit'
      const vote = { address: validatorAt(i).address, power, flag }
      if (flag !== 'commit' || leftOut.includes(i)) return vote
      const honest = empty.includes(i) ? EMPTY : network.report
      const report = lies.includes(i) ? withScore(network.report, this.#victimOf(i), 9_999) : honest
      return { ...vote, extension: { report, telemetry: EMPTY } }
    })
    const turn = proposer ?? this.#blocks++ % this.#powers.length
    const { degraded } = await network.block({ proposer: validatorAt(turn).address, votes })
    if (degraded) this.degraded++
    for (const decision of lastDecisions(network.ctx).decisions) {
      const validator = this.#powers.findIndex((_, i) => validatorAt(i).operatorText === decision.node)
      this.decided.push({ ...decision, validator })
    }
  }

  /** The first place on the roster that is not the liar's. */
  #victimOf(liar: number): number {
    const [first] = rosterOf(this.#network.ctx).records
    return toHex(first!.address) === validatorAt(liar).id ? 1 : 0
  }

  async blocks(count: number, acts: (block: number) => Acts = () => ({})): Promise<void> {
    for (let i = 0; i < count; i++) await this.block(acts(i))
  }

  tell(validator: number, cpu_pct: number): void {
    const telemetry = { cpu_pct, latency_ms: 40, connections: 12, net_contrib: 50 }
    this.#network.tell(validatorAt(validator), telemetry)
  }

  score(validator: number): number {
    const { address } = validatorAt(validator)
    return rosterOf(this.#network.ctx).records.find((r) => toHex(r.address) === toHex(address))!.score
  }

  isCause(validator: number, figure: string): boolean {
    const ctx = this.#network.ctx
    const subject = subjectsOf(ctx).find(({ record }) => toHex(record.address) === validatorAt(validator).id)!
    return figuresOf(ctx, subject, params(ctx)).some(
      (e) => e.figure === figure && e.causeFrom > 0 && e.value >= e.causeFrom,
    )
  }

  penalties(validator: number): string[] {
    const of = this.decided.filter((d) => d.validator === validator)
    return [...new Set(of.map(({ penalty, reason }) => `${penalty} ${reason}`))]
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)
/** Validators from the last one on, the weakest, with less than this share of the power. */
function weakest(powers: readonly bigint[], permille: bigint): number[] {
  const total = powers.reduce((sum, power) => sum + power, 0n)
  let held = 0n
  return powers
    .map((_, i) => powers.length - 1 - i)
    .filter((i) => {
      held += powers[i]!
      return 1000n * held <= permille * total
    })
}

describe('A minority degrades no round', () => {
  const zipf = powersOf({ size: 100, spread: 'zipf' })
  const SYBILS = [...new Array<bigint>(10).fill(10_000n), ...new Array<bigint>(28).fill(1n)]
  const cases: [string, bigint[], number[]][] = [
    ['21 of 100', new Array<bigint>(100).fill(100n), range(0, 21)],
    ['the weakest of 100 with 11 % of the power, which a Zipf law gives', zipf, weakest(zipf, 110n)],
    ['28 newcomers with a unit each beside ten with 10,000', SYBILS, range(10, 38)],
    ['two of seven', new Array<bigint>(7).fill(100n), [5, 6]],
  ]
  for (const [who, powers, them] of cases) {
    it(`by being away or by reporting nothing: ${who}`, async () => {
      const network = await Minority.start(powers, 12)
      await network.blocks(6, () => ({ absent: them }))
      await network.blocks(6, () => ({ empty: them }))
      expect(network.degraded).to.equal(0)
    })
  }

  it('by leaving reports out: three proposers in a row, of a third each', async () => {
    const network = await Minority.start(new Array<bigint>(100).fill(100n), 12)
    await network.blocks(3, (i) => ({ proposer: 97 + i, leftOut: range(0, 33) }))
    expect(network.degraded).to.equal(0)
  })

  it('by silence in 15 of 64 blocks: five of 20, who are in Horizon for it before long', async () => {
    const network = await Minority.start(new Array<bigint>(20).fill(100n))
    const five = range(15, 20)
    await network.blocks(256, (i) => ({ absent: i % 64 < 15 ? five : [] }))
    expect(network.degraded).to.equal(0)
    for (const i of five)
      expect(network.penalties(i), `validator ${i}`).to.deep.equal(['Moderate MissedVotes'])
    expect(network.decided.every(({ validator }) => five.includes(validator))).to.equal(true)
  })
})

describe('A busy validator', () => {
  it('is not jailed for what framers make of its score: they withhold their votes where it proposes', async () => {
    const network = await Minority.start(new Array<bigint>(20).fill(100n), 40)
    let worst = 0
    for (let i = 0; i < 160; i++) {
      if (i % 40 === 0) network.tell(0, 97)
      await network.block({ proposer: i % 20, absent: i % 20 === 0 ? [17, 18, 19] : [] })
      worst = Math.max(worst, network.score(0))
    }
    expect(network.penalties(0)).to.satisfy((all: string[]) => all.every((p) => p.startsWith('Moderate')))
    expect([worst > 0, network.penalties(0).includes('Moderate Overload')]).to.deep.equal([true, true])
  })
})

describe('Validators that are cut off together', () => {
  it('are judged by what the rest could know: three of 20 for 20 minutes are not jailed', async () => {
    const network = await Minority.start(new Array<bigint>(20).fill(100n), 80)
    await network.blocks(240, () => ({ absent: [17, 18, 19] }))
    await network.blocks(60)
    for (const i of [17, 18, 19])
      expect(network.penalties(i)).to.satisfy((all: string[]) => all.every((p) => p.startsWith('Moderate')))
    expect(network.decided.every(({ validator }) => validator >= 17)).to.equal(true)
  })

  it('are not jailed by the downtime of the SDK either: three of ten for a hundred blocks', async () => {
    const names = range(0, 10).map((i) => `v${i}`)
    const net = await ScoredChain.start({ validators: names, coldTwin: false })
    try {
      await net.blocks(10)
      await net.blocks(100, { absent: ['v7', 'v8', 'v9'] })
      const { validators } = await net.chain.query<{ validators: { jailed: boolean }[] }>(
        '/cosmos.staking.v1beta1.Query/Validators',
      )
      expect(validators.filter(({ jailed }) => jailed)).to.have.length(0)
    } finally {
      await net.stop()
    }
  })
})

describe('Nil votes', () => {
  it('count as missed ones: 15 of 64 for ever are Moderate, and never a jail', async () => {
    const network = await Minority.start(new Array<bigint>(7).fill(100n))
    await network.blocks(288, (i) => ({ nil: (i * 15) % 64 < 15 ? [1] : [] }))
    expect(network.isCause(1, 'long_missed_votes')).to.equal(true)
    expect(network.penalties(1)).to.deep.equal(['Moderate MissedVotes'])
    expect(network.decided.every(({ validator }) => validator === 1)).to.equal(true)
  })
})

describe('Who is dishonest now and then', () => {
  it('and lies in 7 reports of 64 is found by the average, and jailed for Disagreement; nobody else is judged', async () => {
    const network = await Minority.start(new Array<bigint>(7).fill(100n))
    for (let i = 0; i < 2_048 && !network.penalties(6).includes('Heavy Disagreement'); i++)
      await network.block({ lies: (i * 7) % 64 < 7 ? [6] : [] })
    expect(network.penalties(6)).to.include('Heavy Disagreement')
    expect(network.decided.every(({ validator }) => validator === 6)).to.equal(true)
    expect(network.degraded).to.equal(0)
  })

  it('and reports nothing in 15 votes of 64 is Moderate for InvalidExtension', async () => {
    const network = await Minority.start(new Array<bigint>(7).fill(100n))
    await network.blocks(128, (i) => ({ empty: (i * 15) % 64 < 15 ? [6] : [] }))
    expect(network.penalties(6)).to.deep.equal(['Moderate InvalidExtension'])
    expect(network.decided.every(({ validator }) => validator === 6)).to.equal(true)
  })

  it('and drops a third of the reports of its blocks changes no score and strikes nobody', async () => {
    const powers = new Array<bigint>(7).fill(100n)
    const [network, twin] = [await Minority.start(powers), await Minority.start(powers)]
    for (let i = 0; i < 140; i++) {
      const acts = { proposer: i % 7, absent: i < 60 ? [2] : [] }
      await network.block(i % 7 === 6 ? { ...acts, leftOut: [0, 1] } : acts)
      await twin.block(acts)
      for (const v of range(0, 7)) expect(network.score(v), `block ${i}, ${v}`).to.equal(twin.score(v))
    }
    expect(network.decided.map(({ validator, score }) => [validator, score])).to.deep.equal(
      twin.decided.map(({ validator, score }) => [validator, score]),
    )
    expect(twin.penalties(2)).to.deep.equal(['Moderate MissedVotes'])
  })
})
