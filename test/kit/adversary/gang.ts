import type { Address } from '../../../core/address.ts'
import type { Vote, VoteFlag } from '../../../core/context.ts'
import { decodeReport } from '../../../modules/classifier/api.ts'
import {
  isAmong,
  isOnDuty,
  LEFT_OUT,
  OCCASIONS,
  type Occasion,
  REPORTS,
  type Strategy,
  TELEMETRY,
  VICTIMS,
  VOTES,
} from './strategy.ts'

const HEAD_BYTES = 17

/** What a gang knows as it acts on a block of a play. */
export interface Moment {
  /** Blocks since the play began. */
  readonly block: number
  readonly proposer: number
  readonly next: number
  readonly isVictimAway: boolean
  readonly wasVictimAway: boolean
  /** Places on the roster that a report speaks of, by validator. */
  readonly places: ReadonlyMap<number, number>
}

export interface GangOptions {
  readonly strategy: Strategy
  readonly members: readonly number[]
  readonly powers: readonly bigint[]
  readonly tolerance: number
  readonly busy: number | undefined
  readonly restarting: number | undefined
}

/** What the members of a strategy do, each as the strategy says and all of one mind. */
export class Gang {
  readonly victim: number
  readonly #options: GangOptions
  readonly #rank: ReadonlyMap<number, number>
  /** Reports made of the same honest one are the same bytes, as honest ones are. */
  #made = new Map<string, Uint8Array>()
  #of: Uint8Array | undefined
  #last: Uint8Array | undefined

  constructor(options: GangOptions) {
    this.#options = options
    this.#rank = new Map(options.members.map((member, i) => [member, i]))
    this.victim = victimOf(options)
  }

  has(validator: number): boolean {
    return this.#rank.has(validator)
  }

  #is(occasion: number, { proposer, next, isVictimAway, wasVictimAway }: Moment): boolean {
    const { victim } = this
    const happens: Record<Occasion, boolean> = {
      always: true,
      'victim proposes next': next === victim,
      'victim proposes': proposer === victim,
      'victim does not propose next': next !== victim,
      'gang proposes next': this.has(next),
      'gang proposes': this.has(proposer),
      'honest propose next': !this.has(next),
      'victim is away': isVictimAway,
      'victim came back': wasVictimAway && !isVictimAway,
    }
    return happens[OCCASIONS[occasion]!]
  }

  #acts(when: number, who: number, period: number, duty: number, member: number, moment: Moment): boolean {
    return (
      isOnDuty(moment.block, period, duty) &&
      isAmong(who, this.#rank.get(member)!, this.#rank.size, moment.block) &&
      this.#is(when, moment)
    )
  }

  vote(member: number, moment: Moment): VoteFlag {
    const s = this.#options.strategy
    if (this.#acts(s.voteWhen, s.voteWho, s.votePeriod, s.voteDuty, member, moment)) return VOTES[s.vote]!
    if (this.#acts(s.otherVoteWhen, s.otherVoteWho, s.otherVotePeriod, s.otherVoteDuty, member, moment))
      return VOTES[s.otherVote]!
    return 'commit'
  }

  report(member: number, honest: Uint8Array, moment: Moment): Uint8Array {
    const s = this.#options.strategy
    let kind = 0
    if (this.#acts(s.reportWhen, s.reportWho, s.reportPeriod, s.reportDuty, member, moment)) kind = s.report
    else if (
      this.#acts(s.otherReportWhen, s.otherReportWho, s.otherReportPeriod, s.otherReportDuty, member, moment)
    )
      kind = s.otherReport
    if (this.#of !== honest) {
      this.#last = this.#of
      this.#of = honest
      this.#made = new Map()
    }
    const side = (this.#rank.get(member) ?? 0) % 2
    const key = `${kind} ${side}`
    const made = this.#made.get(key) ?? this.#make(REPORTS[kind]!, honest, side, moment)
    this.#made.set(key, made)
    return made
  }

  #make(kind: (typeof REPORTS)[number], honest: Uint8Array, side: number, { places }: Moment): Uint8Array {
    if (kind === 'honest' || decodeReport(honest) === undefined) return honest
    if (kind === 'empty') return new Uint8Array(0)
    if (kind === 'copy') return this.#last ?? honest
    if (kind === 'other length') return honest.slice(0, honest.length - 2)
    const lie = honest.slice()
    if (kind === 'other model') {
      lie[1]! ^= 1
      return lie
    }
    const { strategy, tolerance, members } = this.#options
    const target = strategy.reportScore * 100
    const view = new DataView(lie.buffer)
    const change = (place: number | undefined, to: (score: number) => number): void => {
      if (place === undefined) return
      const at = HEAD_BYTES + 2 * place
      view.setUint16(at, Math.max(0, Math.min(10_000, to(view.getUint16(at)))))
    }
    const all = (to: (score: number) => number): void => {
      for (const place of places.values()) change(place, to)
    }
    if (kind === 'frame' || kind === 'frame and boast') change(places.get(this.victim), () => target)
    if (kind === 'boast' || kind === 'frame and boast')
      for (const member of members) change(places.get(member), () => 0)
    if (kind === 'all') all(() => target)
    if (kind === 'invert') all((score) => 10_000 - score)
    if (kind === 'within tolerance') change(places.get(this.victim), (score) => score + tolerance)
    if (kind === 'beyond tolerance') all((score) => score + tolerance + 1)
    if (kind === 'straddle') change(places.get(this.victim), (score) => (side === 0 ? score + 5_000 : 0))
    return lie
  }

  /**
   * What a member passes on of votes in a block of its own: votes that it leaves out as absent, reports as nothing, as
   * long as more than two thirds of the power stay.
   */
  passOn(votes: readonly Vote[], indexOf: (address: Address) => number, moment: Moment): Vote[] {
    const s = this.#options.strategy
    const isOn = (when: number, period: number, duty: number): boolean =>
      isOnDuty(moment.block, period, duty) && this.#is(when, moment)
    let passed = [...votes]
    if (isOn(s.dropVotesWhen, s.dropVotesPeriod, s.dropVotesDuty))
      passed = this.#without(passed, s.dropVotes, indexOf, moment, ({ flag }) => flag === 'commit', {
        flag: 'absent',
      })
    if (isOn(s.dropReportsWhen, s.dropReportsPeriod, s.dropReportsDuty))
      passed = this.#without(
        passed,
        s.dropReports,
        indexOf,
        moment,
        ({ extension }) => extension !== undefined,
        {},
      )
    return passed
  }

  #without(
    votes: readonly Vote[],
    kind: number,
    indexOf: (address: Address) => number,
    { block }: Moment,
    isIn: (vote: Vote) => boolean,
    change: Partial<Vote>,
  ): Vote[] {
    const passed = [...votes]
    const whom = LEFT_OUT[kind]!
    if (whom === 'nobody') return passed
    const total = votes.reduce((sum, { power }) => sum + power, 0n)
    let left = votes.reduce((sum, vote) => (isIn(vote) ? sum + vote.power : sum), 0n)
    for (const { place } of this.#order(votes, whom, indexOf, block)) {
      const vote = passed[place]!
      if (!isIn(vote) || 3n * (left - vote.power) <= 2n * total) continue
      left -= vote.power
      const { address, power, flag } = vote
      passed[place] = { address, power, flag, ...change }
    }
    return passed
  }

  /** Votes in the order in which they are left out. */
  #order(
    votes: readonly Vote[],
    whom: (typeof LEFT_OUT)[number],
    indexOf: (address: Address) => number,
    block: number,
  ): { place: number; index: number; power: bigint }[] {
    const all = votes.map(({ address, power }, place) => ({ place, index: indexOf(address), power }))
    if (whom === 'gang') return all.filter(({ index }) => this.has(index))
    const victim = all.filter(({ index }) => index === this.victim)
    if (whom === 'victim') return victim
    const others = all.filter(({ index }) => index !== this.victim && !this.has(index))
    // Votes are in the order of power, the strongest first.
    if (whom.endsWith('weakest') || whom.startsWith('weakest')) others.reverse()
    if (whom === 'some honest') others.push(...others.splice(0, block % Math.max(1, others.length)))
    return whom.startsWith('victim') ? [...victim, ...others] : others
  }

  /** Whether it lets a turn of its own pass, of which it had so many. */
  isIdle(turn: number): boolean {
    return turn % 16 < this.#options.strategy.idleTurns && this.#options.strategy.idleTurns < 12
  }

  /** Telemetry of a member; nothing for none. */
  telemetry(block: number): object | undefined {
    const kind = TELEMETRY[this.#options.strategy.telemetry]!
    if (kind === 'none') return undefined
    const isHigh = kind === 'extremes' || (kind === 'changing' && block % 32 < 16)
    if (kind === 'honest') return honestTelemetry(false)
    return isHigh
      ? { cpu_pct: 100, latency_ms: 60_000, connections: 1_000_000, net_contrib: 1_000_000_000 }
      : { cpu_pct: 0, latency_ms: 0, connections: 0, net_contrib: 0 }
  }
}

/** What an honest validator tells of its host. */
export const honestTelemetry = (isBusy: boolean): object => ({
  cpu_pct: isBusy ? 98 : 30,
  latency_ms: 40,
  connections: 12,
  net_contrib: 50,
})

function victimOf({ strategy, members, powers, busy, restarting }: GangOptions): number {
  const honest = powers.map((_, i) => i).filter((i) => !members.includes(i))
  honest.sort((a, b) => (powers[a] === powers[b] ? a - b : powers[a]! > powers[b]! ? -1 : 1))
  const any = honest[strategy.anyVictim % honest.length]!
  const victims: Record<(typeof VICTIMS)[number], number> = {
    strongest: honest[0]!,
    weakest: honest.at(-1)!,
    busy: busy ?? any,
    restarting: restarting ?? any,
    any,
  }
  return victims[VICTIMS[strategy.victim]!]
}
