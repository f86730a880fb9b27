import type { Address } from '../../core/address.ts'
import { sha256 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { beside } from '../../core/remembered.ts'
import type { Metrics, Roster, ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import * as ring from './bit-ring.ts'
import { rosterOf } from './roster.ts'
import * as state from './state.ts'
import { votesLost, type Witnesses, witnessesOf } from './witness.ts'

/** Names in the order of the model's input, each with its clamp; docs/classifier.md has units and sources. */
export const FEATURES = [
  ['lost', 0, 512],
  ['lost_long', 0, 65_536],
  ['lost_streak', 0, 1_024],
  ['turns_missed', 0, 4_096],
  ['disagreement', 0, 64],
  ['disagreement_long', 0, 65_536],
  ['evidence', 0, 4],
  ['effective_size', 4, 1_024],
  ['missed', 0, 64],
  ['nil', 0, 64],
  ['missed_long', 0, 65_536],
  ['deviant', 0, 64],
  ['others_missed', 0, 1_024],
  ['omissions', 0, 1_000],
  ['network_omissions', 0, 1_000],
  ['cpu', 0, 10_000],
  ['latency', 0, 10_000],
  ['connections', 0, 4_000],
  ['net_contrib', 0, 4_000],
  ['telemetry_age', 0, 1_024],
] as const

export type FeatureName = (typeof FEATURES)[number][0]

/** One validator's features, in the order of `FEATURES`. */
export type FeatureRow = readonly number[]

/** The telemetry that a validator without any is taken to have. */
const NEUTRAL = { cpu: 3_000, latency: 100, ratio: 1_000 }
/** Telemetry older than this does not count towards the medians. */
const FRESH_TELEMETRY = 64n

interface Computed {
  readonly height: bigint
  readonly telemetry: readonly (Readonly<Metrics> | undefined)[]
  readonly rows: readonly FeatureRow[]
}

const computed = beside<Readonly<Roster>, Computed>()

/**
 * The features of every validator on the roster, in its order, from the state that a block leaves. The agents ask for
 * them, and the node's classifier again: what they were computed from are frozen objects, the same where nothing changed.
 */
export function featuresOf(ctx: Context): readonly FeatureRow[] {
  const { height } = ctx
  const roster = rosterOf(ctx)
  const telemetry = roster.records.map((record) => state.telemetry.get(ctx, record.operator as Address))
  const known = computed.get(roster)
  if (known?.height === height && known.telemetry.every((m, i) => m === telemetry[i])) return known.rows
  return computed.set(roster, { height, telemetry, rows: compute(height, roster, telemetry) }).rows
}

function compute(
  height: bigint,
  roster: Readonly<Roster>,
  telemetry: readonly (Readonly<Metrics> | undefined)[],
): FeatureRow[] {
  const network = networkOf(height, roster, telemetry)
  return roster.records.map((record, i) => {
    const row = [
      ...conductFeatures(record, network),
      ...votingFeatures(record, roster.records.length, network),
      ...telemetryFeatures(telemetry[i], network, height),
    ]
    return row.map((value, j) => clamp(value, FEATURES[j]![1], FEATURES[j]![2]))
  })
}

/** sha256 of the rows, four bytes a feature. */
export function featuresHash(rows: readonly FeatureRow[]): Uint8Array {
  const out = new Uint8Array(rows.length * FEATURES.length * 4)
  const view = new DataView(out.buffer)
  for (const [i, row] of rows.entries())
    for (const [j, value] of row.entries()) view.setInt32((i * FEATURES.length + j) * 4, value)
  return sha256(out)
}

interface Network {
  readonly witnesses: Witnesses
  readonly effectiveSize: number
  readonly totalMissed: number
  readonly networkOmissions: number
  readonly connections: number
  readonly netContrib: number
}

function networkOf(
  height: bigint,
  roster: Readonly<Roster>,
  telemetry: readonly (Readonly<Metrics> | undefined)[],
): Network {
  const { records } = roster
  const recent = telemetry.filter((m) => m !== undefined && height - m.height <= FRESH_TELEMETRY) as Metrics[]
  return {
    witnesses: witnessesOf(height, roster),
    effectiveSize: effectiveSizeOf(records),
    totalMissed: records.reduce((sum, r) => sum + ring.count(r.missed), 0),
    networkOmissions: roster.networkOmissions,
    connections: lowerMedian(recent.map((m) => m.connections)),
    netContrib: lowerMedian(recent.map((m) => Number(m.netContrib))),
  }
}

/** Four times as many validators of equal power as are as concentrated as these. */
function effectiveSizeOf(records: readonly ValidatorRecord[]): number {
  let total = 0n
  let squares = 0n
  for (const { power, leftAt } of records) {
    if (leftAt !== 0n) continue
    total += power
    squares += power * power
  }
  return squares === 0n ? 0 : Number((4n * total * total) / squares)
}

function conductFeatures(record: ValidatorRecord, { witnesses, effectiveSize }: Network): number[] {
  return [
    votesLost(record, witnesses),
    record.lostLong >> 4,
    record.streak,
    record.turns >> 8,
    ring.count(record.disagreement),
    record.disagreementLong >> 4,
    record.evidence,
    effectiveSize,
  ]
}

function votingFeatures(record: ValidatorRecord, size: number, network: Network): number[] {
  const missed = ring.count(record.missed)
  const others = size - 1
  return [
    missed,
    ring.count(record.nil),
    record.missedLong >> 4,
    ring.count(record.deviant),
    others === 0 ? 0 : Math.floor((16 * (network.totalMissed - missed)) / others),
    record.omissions >> 4,
    network.networkOmissions >> 8,
  ]
}

function telemetryFeatures(
  telemetry: Readonly<Metrics> | undefined,
  network: Network,
  height: bigint,
): number[] {
  if (telemetry === undefined) return [NEUTRAL.cpu, NEUTRAL.latency, NEUTRAL.ratio, NEUTRAL.ratio, 0]
  return [
    telemetry.cpu,
    Math.floor(telemetry.latencyUs / 1000),
    ratio(telemetry.connections, network.connections),
    ratio(Number(telemetry.netContrib), network.netContrib),
    Number(height - telemetry.height),
  ]
}

const ratio = (value: number, median: number): number =>
  median === 0 ? NEUTRAL.ratio : Math.min(4_000, Math.floor((1000 * value) / median))

/** The lower of the two in the middle of an even number; 0 of none. */
function lowerMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[(sorted.length - 1) >> 1] ?? 0
}

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value))
