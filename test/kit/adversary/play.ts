import type { Address } from '../../../core/address.ts'
import { NO_BYTES, toHex } from '../../../core/bytes.ts'
import { Context, type Misbehavior, type Vote } from '../../../core/context.ts'
import { lastRound } from '../../../modules/agents/consensus-agent.ts'
import { FAILSAFE_HALT_AFTER_BLOCKS } from '../../../modules/agents/constants.ts'
import { lastDecisions } from '../../../modules/agents/decision-module.ts'
import { params as agentParams } from '../../../modules/agents/params.ts'
import type { Reason } from '../../../modules/agents/penalty.ts'
import { standingOf } from '../../../modules/agents/pools.ts'
import { figuresOf, subjectsOf } from '../../../modules/agents/reasons.ts'
import { params as classifierParams, decodeReport, rosterOf } from '../../../modules/classifier/api.ts'
import type { Decision } from '../../../proto/gen/fornax/agents/v1/agents.ts'
import { Gang, honestTelemetry, type Moment } from './gang.ts'
import { Network, timeAt, validatorAt } from './network.ts'
import { powersOf, type Scenario, type Shape } from './scenario.ts'
import { NO_STRATEGY, type Strategy } from './strategy.ts'

/** How a play ended for honest validators, and how close it came to harm. */
export interface Played {
  /** Violations of what must never happen, each once, with what it was. */
  readonly harm: ReadonlyMap<Harm, string>
  /** The highest score of an honest validator that was neither away nor busy, of 10,000. */
  readonly score: number
  /** The most that an honest validator's figure came to of what makes a cause, of what it does not do itself. */
  readonly cause: number
  readonly figure: string
  /** The most power that disagreed in a round, in ‰. */
  readonly disagreeing: number
  readonly blocks: number
}

export type Harm = 'demoted' | 'jailed' | 'banned' | 'marked' | 'forged score' | 'degraded round' | 'halt'

/** Causes that a validator away for a while, or a busy one, has by itself; they are Moderate. */
const OWN_CAUSES: Readonly<Record<'away' | 'busy', ReadonlySet<string>>> = {
  away: new Set<Reason>(['MissedVotes', 'MissedProposals']),
  busy: new Set<Reason>(['Overload']),
}
/** Figures that no gang can touch; and a dispute, which either side has to bear now and then. */
const OWN_FIGURES: ReadonlySet<string> = new Set([
  'disputed_power',
  'stale_blocks',
  'overload_cpu',
  'overload_latency_ms',
])
/** Blocks between what validators tell of their hosts. */
const TELLING = 40
/** How often figures are looked at. */
const LOOKING = 8
const KNOWN_AFTER = 80

const grown = new Map<string, Promise<Play>>()

/** What a network of honest validators has come to: it has just begun, or is known to the judges. */
function peaceOf(shape: Shape, fresh: boolean): Promise<Play> {
  const key = `${shape.size} ${shape.spread} ${fresh}`
  const peace = grown.get(key) ?? grow(shape, fresh)
  grown.set(key, peace)
  return peace
}

async function grow(shape: Shape, fresh: boolean): Promise<Play> {
  const peace = { shape, gang: [], share: 0, restarting: undefined, away: [], busy: undefined, blocks: 0 }
  const play = new Play(await Network.begin(powersOf(shape)), { ...peace, fresh }, NO_STRATEGY)
  for (let i = 0; i < (fresh ? 2 : KNOWN_AFTER); i++) await play.block(i)
  return play
}

/** Plays one adversary. */
export async function play(scenario: Scenario, strategy: Strategy): Promise<Played> {
  const played = (await peaceOf(scenario.shape, scenario.fresh)).fork(scenario, strategy)
  for (let i = 0; i < scenario.blocks; i++) {
    await played.block(i)
    if (played.harm.has('halt')) break
  }
  return played
}

class Play implements Played {
  readonly harm = new Map<Harm, string>()
  score = 0
  cause = 0
  figure = ''
  disagreeing = 0
  blocks = 0
  readonly #network: Network
  readonly #scenario: Scenario
  readonly #strategy: Strategy
  readonly #gang: Gang
  readonly #powers: readonly bigint[]
  readonly #indices: ReadonlyMap<string, number>
  readonly #places = new Map<number, number>()
  #votes: Vote[] = []
  #honest: Uint8Array = new Uint8Array(0)
  #scores: ReadonlyMap<number, number> = new Map()
  #next: number | undefined
  #turns = 0
  #degraded = 0
  /** Whether rounds of the victim failed for want of the gang's votes and of honest ones that were away. */
  #stalled = false
  readonly #disputed = new Set<number>()

  constructor(network: Network, scenario: Scenario, strategy: Strategy) {
    const { shape, gang: members, busy, restarting } = scenario
    this.#network = network
    this.#scenario = scenario
    this.#strategy = strategy
    this.#powers = powersOf(shape)
    this.#indices = new Map(this.#powers.map((_, i) => [validatorAt(i).id, i]))
    const tolerance = classifierParams(network.ctx).agreementTolerance
    this.#gang = new Gang({ strategy, members, powers: this.#powers, tolerance, busy, restarting })
  }

  /** The same network from here on, with other people in it. */
  fork(scenario: Scenario, strategy: Strategy): Play {
    const fork = new Play(this.#network.fork(), scenario, strategy)
    fork.#votes = this.#votes
    fork.#honest = this.#honest
    fork.#scores = this.#scores
    fork.#next = this.#next
    for (const [validator, place] of this.#places) fork.#places.set(validator, place)
    return fork
  }

  #indexOf = (address: Uint8Array): number => this.#indices.get(toHex(address))!

  #isAway(validator: number, block: number): boolean {
    const { restarting, away } = this.#scenario
    return validator === restarting && away.some(([from, to]) => block >= from && block < to)
  }

  /** Whether the gang can make a round fail, and does: with those who are away it is not below a third. */
  #fails(proposer: number, block: number): boolean {
    if (this.#strategy.stalls === 0 || proposer !== this.#gang.victim) return false
    const set = this.#network.rotation.at(this.#network.height + 1n)
    const power = (isIn: (i: number) => boolean): bigint =>
      set.reduce((sum, m) => (isIn(this.#indexOf(m.address)) ? sum + m.power : sum), 0n)
    const missing = power((i) => this.#gang.has(i) || this.#isAway(i, block))
    const fails = 3n * missing >= power(() => true)
    this.#stalled ||= fails
    return fails
  }

  #proposer(height: bigint, block: number): number {
    const [{ address }] = this.#network.rotation.proposer(height, (member) => {
      const i = this.#indexOf(member.address)
      if (this.#gang.has(i)) return this.#gang.isIdle(this.#turns++)
      return this.#isAway(i, block) || this.#fails(i, block)
    })
    return this.#indexOf(address)
  }

  async block(block: number): Promise<void> {
    const network = this.#network
    const height = network.height + 1n
    const begun = block >= 4 * this.#strategy.begins
    const proposer = this.#next ?? this.#proposer(height, block)
    const next = this.#proposer(height + 1n, block + 1)
    this.#next = next
    const { victim } = this.#gang
    const moment: Moment = {
      block,
      proposer,
      next,
      isVictimAway: this.#isAway(victim, block),
      wasVictimAway:
        block > 0 &&
        this.#scenario.away.some(([from]) => block >= from) &&
        victim === this.#scenario.restarting,
      places: this.#places,
    }
    const isGangs = begun && this.#gang.has(proposer)
    const votes = isGangs ? this.#gang.passOn(this.#votes, this.#indexOf, moment) : this.#votes
    const { degraded } = await network.block({
      proposer: validatorAt(proposer).address,
      votes,
      misbehavior: this.#misbehavior(block, height),
    })
    this.blocks++
    this.#note(degraded, block)
    this.#vote(begun, moment)
    this.#tell(block)
  }

  /** The votes on the block just made, which the next one carries. */
  #vote(begun: boolean, moment: Moment): void {
    const network = this.#network
    this.#honest = network.report
    this.#places.clear()
    for (const [place, address] of rosterOf(network.ctx).previous.entries())
      this.#places.set(this.#indexOf(address), place)
    const set = network.rotation.at(network.height)
    const flags = set.map(({ address }) => {
      const i = this.#indexOf(address)
      if (begun && this.#gang.has(i)) return this.#gang.vote(i, moment)
      return this.#isAway(i, moment.block) ? 'absent' : 'commit'
    })
    const total = set.reduce((sum, { power }) => sum + power, 0n)
    const committed = set.reduce((sum, { power }, i) => (flags[i] === 'commit' ? sum + power : sum), 0n)
    // Without more than two thirds there is no block: the gang gives in, for CometBFT would wait.
    const isDecided = 3n * committed > 2n * total
    this.#votes = set.map(({ address, power }, at): Vote => {
      const i = this.#indexOf(address)
      const isMember = this.#gang.has(i)
      const flag = isMember && !isDecided ? 'commit' : flags[at]!
      const vote = { address: address as Address, power, flag }
      if (flag !== 'commit') return vote
      const report = begun && isMember ? this.#gang.report(i, network.report, moment) : network.report
      return { ...vote, extension: { report, telemetry: NO_BYTES } }
    })
  }

  #misbehavior(block: number, height: bigint): Misbehavior[] {
    const { gang, blocks } = this.#scenario
    if (gang.length === 0 || block !== Math.floor((this.#strategy.equivocates * blocks) / 32)) return []
    const { address } = validatorAt(gang[0]!)
    const total = this.#powers.reduce((sum, power) => sum + power, 0n)
    const at = height - 1n
    const power = this.#powers[gang[0]!]!
    return [{ kind: 'duplicate_vote', address, power, height: at, timeNs: timeAt(at), totalPower: total }]
  }

  /** What validators tell of their hosts, and the way back of members that were in jail. */
  #tell(block: number): void {
    const { gang, busy, shape } = this.#scenario
    for (let i = block % TELLING; i < shape.size; i += TELLING) {
      if (this.#isAway(i, block)) continue
      const telemetry = this.#gang.has(i) ? this.#gang.telemetry(block) : honestTelemetry(i === busy)
      if (telemetry !== undefined) this.#network.tell(validatorAt(i), telemetry)
    }
    if (this.#strategy.comesBack === 1 && block % LOOKING === 0)
      for (const i of gang) this.#network.bringBack(validatorAt(i))
  }

  #own(validator: number): ReadonlySet<string> {
    const { restarting, busy } = this.#scenario
    if (validator === restarting) return OWN_CAUSES.away
    return validator === busy ? OWN_CAUSES.busy : NOTHING
  }

  #harm(kind: Harm, what: string): void {
    if (!this.harm.has(kind)) this.harm.set(kind, `block ${this.blocks}: ${what}`)
  }

  #note(degraded: boolean, block: number): void {
    const { ctx } = this.#network
    this.#degraded = degraded ? this.#degraded + 1 : 0
    const { disagreeingPower, totalPower, disagreeing } = lastRound(ctx)
    if (totalPower > 0n)
      this.disagreeing = Math.max(this.disagreeing, Number((1000n * disagreeingPower) / totalPower))
    if (degraded) this.#harm('degraded round', `${disagreeing.length} members disagree`)
    if (this.#degraded >= FAILSAFE_HALT_AFTER_BLOCKS) this.#harm('halt', 'three degraded rounds in a row')
    for (const decision of lastDecisions(ctx).decisions) this.#noteDecision(decision)
    this.#noteScores()
    if (block % LOOKING === LOOKING - 1) this.#noteFigures(ctx)
  }

  #noteDecision({ node, penalty, reason }: Decision): void {
    const validator = this.#powers.findIndex((_, i) => validatorAt(i).operatorText === node)
    if (this.#gang.has(validator)) return
    const what = `validator ${validator}: ${penalty} for ${reason}`
    if (penalty !== 'Moderate') this.#harm(penalty === 'Heavy' ? 'jailed' : 'banned', what)
    // Once in 1,440 blocks, which is longer than a play, either side of a dispute has to bear it.
    if (reason === 'Omission' && !this.#disputed.has(validator)) this.#disputed.add(validator)
    else if (!this.#own(validator).has(reason) && !(reason === 'MissedProposals' && this.#stalled))
      this.#harm('demoted', what)
  }

  /** No score that reports agree on is another than honest ones say. */
  #noteScores(): void {
    const said = decodeReport(this.#honest)?.scores
    const before = this.#scores
    const { records } = rosterOf(this.#network.ctx)
    const scores = new Map<number, number>()
    for (const { address, score, deviant, disagreement } of records) {
      const i = this.#indexOf(address)
      scores.set(i, score)
      const place = this.#places.get(i)
      const honestScore = place === undefined ? undefined : said?.[place]
      if (honestScore !== undefined && score !== honestScore && score !== (before.get(i) ?? 0))
        this.#harm('forged score', `validator ${i} has ${score}, honest ones say ${honestScore}`)
      if (this.#gang.has(i)) continue
      if (this.#own(i) === NOTHING) this.score = Math.max(this.score, score)
      if (deviant !== 0n || disagreement !== 0n) this.#harm('marked', `validator ${i}`)
    }
    this.#scores = scores
  }

  /** How near honest validators are to causes that they do not make themselves. */
  #noteFigures(ctx: Context): void {
    const p = agentParams(ctx)
    const asked = new Context(ctx.journal, ctx.block, 'query')
    for (const subject of subjectsOf(asked)) {
      const i = this.#indexOf(subject.record.address)
      if (this.#gang.has(i)) continue
      if (standingOf(asked, subject.record.operator as Address).horizonUntil > ctx.height) continue
      for (const { reason, figure, value, causeFrom, heavyFrom } of figuresOf(asked, subject, p)) {
        const isOwn = this.#own(i).has(reason) || (reason === 'MissedProposals' && this.#stalled)
        const from = isOwn ? heavyFrom : causeFrom
        if (from === 0 || OWN_FIGURES.has(figure) || value <= from * this.cause) continue
        this.cause = value / from
        this.figure = figure
      }
    }
  }
}

const NOTHING: ReadonlySet<string> = new Set()
