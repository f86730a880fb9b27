import { createHash } from 'node:crypto'
import { bech32 } from '@scure/base'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { RequestFinalizeBlock, ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import { forwardPass } from './forward-pass.ts'
import { fields, readReports, type SecondReport, telemetryIn } from './second-judgement.ts'
import { secondBody, secondFigure, secondVoteTelemetry } from './second-telemetry.ts'

/**
 * The classifier a second time, by docs/classifier.md and raw blocks alone: it shares no code with modules/classifier,
 * keeps all that ever was, and counts everything anew.
 */

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()
const marksIn = (ring: readonly boolean[], last = 64): number => ring.slice(-last).filter(Boolean).length
const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))
interface Life {
  /** Of blocks, the newest last. */
  readonly deviant: boolean[]
  readonly disagreement: boolean[]
  disagreementLong: number
  readonly missed: boolean[]
  readonly nil: boolean[]
  /** Heights of blocks. */
  readonly lost: Set<number>
  power: bigint
  seen: number
  missedLong: number
  lostLong: number
  streak: number
  age: number
  turns: number
  omissions: number
  evidence: number
  score: number
  /** Whether the results of a block say that a penalty jailed it. */
  jailed: boolean
}

interface Telemetry {
  readonly height: number
  readonly cpu: number
  readonly latencyUs: number
  readonly connections: number
  readonly netContrib: number
}

export interface SecondOptions {
  /** sha256 of the model's file, in force from the beginning. */
  readonly model: Uint8Array
  readonly tolerance: number
  /** Consensus addresses, in hex, by operator address. */
  readonly validators: ReadonlyMap<string, string>
}

/** Of FinalizeBlock, in the order of the block's list. */
export type Results = Pick<ResponseFinalizeBlock, 'txResults' | 'events'>

export class SecondClassifier {
  readonly #options: SecondOptions
  readonly #lives = new Map<string, Life>()
  readonly #kept = new Map<string, Life>()
  readonly #telemetry = new Map<string, Telemetry>()
  readonly #proposers = new Map<number, string>()
  /** Rosters by height. */
  readonly #rosters = new Map<number, readonly string[]>()
  #height = 0
  #networkOmissions = 0

  constructor(options: SecondOptions) {
    this.#options = options
  }

  /** Consensus addresses in hex. */
  get roster(): readonly string[] {
    return this.#rosters.get(this.#height) ?? []
  }

  score(address: string): number {
    return this.#lives.get(address)!.score
  }

  /** Learns from a decided block and its results. */
  learn(block: RequestFinalizeBlock, { txResults, events }: Results): void {
    const height = Number(block.height)
    this.#height = height
    const votes = (block.decidedLastCommit?.votes ?? []).map(({ validator, blockIdFlag }) => ({
      address: hex(validator.address),
      power: validator.power,
      flag: Number(blockIdFlag),
    }))
    const { tolerance, model } = this.#options
    const judged = readReports(block.txs[0], votes, this.#rosters.get(height - 2) ?? [], model, tolerance)
    const voting = new Set(votes.map(({ address }) => address))
    const away = [...this.#lives].filter(([address]) => !voting.has(address))
    away.sort(([a, x], [b, y]) => y.seen - x.seen || (a < b ? -1 : 1))
    for (const [i, [address, life]] of away.entries())
      if (height - life.seen > 16 || voting.size + i >= 240) {
        this.#kept.set(address, life)
        this.#lives.delete(address)
      }
    const total = votes.reduce((sum, { power }) => sum + power, 0n)
    let fresh = 0
    for (const [i, { address, power, flag }] of votes.entries()) {
      const life = this.#lifeOf(address)
      if (life.seen < height - 1) life.turns = Math.max(-81_920, life.turns - 147_456)
      if (flag === 1 && life.age >= 8 && marksIn(life.missed, 8) === 0) fresh++
      const isLost = flag !== 2
      life.missed.push(flag === 1)
      life.nil.push(flag === 3)
      life.deviant.push(judged.strikes[i] === 'deviant')
      life.disagreement.push(judged.strikes[i] === 'disagreement')
      const step = (isSet: boolean, average: number, shift: number): number =>
        average + Math.floor(((isSet ? 1_048_576 : 0) - average) / 2 ** shift)
      life.missedLong = step(isLost, life.missedLong, 11)
      life.disagreementLong = step(judged.strikes[i] === 'disagreement', life.disagreementLong, 10)
      life.streak = isLost ? life.streak + 1 : 0
      life.age++
      life.power = power
      life.seen = height
      if (flag === 1) life.lost.add(height)
      if (flag === 3) life.lost.add(height - 1)
      if (flag === 2) life.turns = Math.min(1_048_576, life.turns + Number((65_536n * power) / total))
    }
    const share = votes.length === 0 ? 0 : Math.floor((1000 * fresh) / votes.length)
    const proposer = hex(block.proposerAddress)
    this.#proposers.set(height, proposer)
    const proposing = this.#lives.get(proposer)
    if (proposing !== undefined) {
      proposing.turns -= 65_536
      if (proposing.turns > 0) proposing.turns = Math.max(0, proposing.turns - 131_072)
      proposing.turns = Math.max(-81_920, proposing.turns)
      proposing.omissions += Math.floor((16 * share - proposing.omissions) / 4)
    }
    this.#networkOmissions += Math.floor((256 * share - this.#networkOmissions) / 64)
    for (const [address, score] of judged.scores) {
      const life = this.#lives.get(address)
      if (life !== undefined) life.score = score
    }
    this.#rosters.set(height, [...this.#lives.keys()].sort())
    if (height % 16 === 0)
      for (const life of this.#lives.values())
        life.lostLong += Math.floor((2_048 * this.#lost(life) - life.lostLong) / 128)
    for (const { validator } of block.misbehavior) {
      const life = this.#lives.get(hex(validator.address))
      if (life !== undefined) life.evidence++
    }
    for (const [i, bytes] of telemetryIn(block.txs[0]).entries()) {
      const told = secondVoteTelemetry(bytes)
      if (votes[i]?.flag === 2 && told !== undefined)
        this.#telemetry.set(votes[i].address, { height, ...told })
    }
    for (const [i, tx] of block.txs.entries()) if (txResults[i]!.code === 0) this.#hear(tx)
    for (const { type, attributes } of [...events, ...txResults.flatMap((result) => result.events)])
      for (const { key, value } of attributes)
        if (type === 'slash' && key === 'jailed') {
          const life = this.#lives.get(hex(bech32.decodeToBytes(value).bytes))
          if (life !== undefined) life.jailed = true
        }
  }

  #lifeOf(address: string): Life {
    const life = this.#lives.get(address)
    if (life !== undefined && !(life.jailed && life.seen < this.#height - 1)) return life
    if (life !== undefined) this.#kept.set(address, life)
    return this.#begin(address)
  }

  #begin(address: string): Life {
    const kept = this.#kept.get(address)
    this.#kept.delete(address)
    const remembered = kept !== undefined && this.#height <= kept.seen + 17_280 ? kept : undefined
    if (remembered !== undefined && !remembered.jailed) {
      const again = { ...remembered, streak: 0, score: 0 }
      this.#lives.set(address, again)
      return again
    }
    const life: Life = {
      missed: [],
      nil: [],
      deviant: remembered?.deviant ?? [],
      disagreement: remembered?.disagreement ?? [],
      disagreementLong: remembered?.disagreementLong ?? 0,
      lost: new Set(),
      power: 0n,
      seen: this.#height,
      missedLong: 0,
      lostLong: 0,
      streak: 0,
      age: 0,
      turns: -81_920,
      omissions: 0,
      evidence: 0,
      score: 0,
      jailed: false,
    }
    this.#lives.set(address, life)
    return life
  }

  #hear(tx: Uint8Array): void {
    for (const { typeUrl, value } of TxBody.decode(TxRaw.decode(tx).bodyBytes).messages) {
      if (typeUrl !== '/fornax.classifier.v1.MsgSubmitMetrics') continue
      const of = fields(value)
      const told = secondBody(Buffer.from(of.get(2)!.at(-1) as Uint8Array).toString())
      this.#telemetry.set(
        this.#options.validators.get(Buffer.from(of.get(1)!.at(-1) as Uint8Array).toString())!,
        {
          height: this.#height,
          cpu: Number(secondFigure(told['cpu_pct']!, 2)),
          latencyUs: Number(secondFigure(told['latency_ms']!, 3)),
          connections: Number(secondFigure(told['connections']!, 0)),
          netContrib: Number(secondFigure(told['net_contrib']!, 3)),
        },
      )
    }
  }

  #power(address: string): bigint {
    const life = this.#lives.get(address)
    return life?.seen === this.#height ? life.power : 0n
  }

  get #total(): bigint {
    return this.roster.reduce((sum, address) => sum + this.#power(address), 0n)
  }

  /** L. */
  #lost(life: Life): number {
    const counts = new Map<string, number>()
    for (const height of life.lost) {
      const proposer = this.#proposers.get(height)
      if (height <= this.#height - 512 || proposer === undefined || this.#power(proposer) === 0n) continue
      counts.set(proposer, (counts.get(proposer) ?? 0) + 1)
    }
    const told = [...counts].map(([address, c]) => ({ c: BigInt(c), w: this.#power(address) }))
    told.sort((a, b) => Number(b.c * a.w - a.c * b.w))
    let room = this.#total / 3n
    let believed = 0n
    for (const { c, w } of told) {
      const taken = w < room ? w : room
      room -= taken
      believed += c - (c * taken + w - 1n) / w
    }
    return Number(believed)
  }

  #median(of: 'connections' | 'netContrib'): number {
    const values = this.roster
      .flatMap((address) => this.#telemetry.get(address) ?? [])
      .filter(({ height }) => this.#height - height <= 64)
      .map((t) => t[of])
      .sort((a, b) => a - b)
    return values[Math.ceil(values.length / 2) - 1] ?? 0
  }

  /** The features of all on the roster, in its order. */
  get rows(): readonly (readonly number[])[] {
    const { roster } = this
    const powers = roster.map((address) => this.#power(address))
    const squares = powers.reduce((sum, power) => sum + power * power, 0n)
    const alike = squares === 0n ? 0 : Number((4n * this.#total ** 2n) / squares)
    const missed = roster.map((address) => marksIn(this.#lives.get(address)!.missed))
    const allMissed = missed.reduce((sum, n) => sum + n, 0)
    const ratio = (own: number, median: number): number =>
      median === 0 ? 1_000 : Math.floor((1000 * own) / median)
    return roster.map((address, i) => {
      const life = this.#lives.get(address)!
      const t = this.#telemetry.get(address)
      return [
        clamp(this.#lost(life), 0, 512),
        clamp(life.lostLong >> 4, 0, 65_536),
        clamp(life.streak, 0, 1_024),
        clamp(life.turns >> 8, 0, 4_096),
        marksIn(life.disagreement),
        clamp(life.disagreementLong >> 4, 0, 65_536),
        clamp(life.evidence, 0, 4),
        clamp(alike, 4, 1_024),
        missed[i]!,
        marksIn(life.nil),
        clamp(life.missedLong >> 4, 0, 65_536),
        marksIn(life.deviant),
        roster.length === 1
          ? 0
          : clamp(Math.floor((16 * (allMissed - missed[i]!)) / (roster.length - 1)), 0, 1_024),
        clamp(life.omissions >> 4, 0, 1_000),
        clamp(this.#networkOmissions >> 8, 0, 1_000),
        clamp(t?.cpu ?? 3_000, 0, 10_000),
        clamp(t === undefined ? 100 : Math.floor(t.latencyUs / 1000), 0, 10_000),
        clamp(t === undefined ? 1_000 : ratio(t.connections, this.#median('connections')), 0, 4_000),
        clamp(t === undefined ? 1_000 : ratio(t.netContrib, this.#median('netContrib')), 0, 4_000),
        clamp(t === undefined ? 0 : this.#height - t.height, 0, 1_024),
      ]
    })
  }

  /** What an honest validator says of this state. */
  get report(): SecondReport {
    const { rows } = this
    const bytes = Buffer.alloc(rows.length * 80)
    for (const [i, row] of rows.entries())
      for (const [j, value] of row.entries()) bytes.writeInt32BE(value, 80 * i + 4 * j)
    return {
      model: hex(this.#options.model.subarray(0, 8)),
      features: hex(sha256(bytes).subarray(0, 8)),
      scores: rows.map((row) => forwardPass(row)),
    }
  }
}
