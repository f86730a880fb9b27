import type { TelemetryBody } from '../../../modules/classifier/api.ts'
import type { Random } from '../random.ts'

/** What a validator does of its own accord or suffers. */
export type Family =
  | 'honest'
  | 'straggler'
  | 'restarting'
  | 'partitioned'
  | 'overloaded'
  | 'fabulist'
  | 'withholder'
  | 'liar'
  | 'equivocator'

/** Whoever is in none of these must never be banned. */
export const DISHONEST: ReadonlySet<Family> = new Set<Family>(['withholder', 'liar', 'equivocator'])

/** Those against whom there is nothing but what they say of themselves must never be jailed. */
export const TALKERS: ReadonlySet<Family> = new Set<Family>(['honest', 'overloaded', 'fabulist'])

/** The validators of a soak: most are well, and no other family could halt the chain. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`honest ${i + 1}`, 'honest' as const])),
  'overloaded 1': 'overloaded',
  'fabulist 1': 'fabulist',
  'straggler 1': 'straggler',
  'straggler 2': 'straggler',
  'restarting 1': 'restarting',
  'partitioned 1': 'partitioned',
  'partitioned 2': 'partitioned',
  'withholder 1': 'withholder',
  'liar 1': 'liar',
  'equivocator 1': 'equivocator',
}

/** Heights are counted from these: the classifier knows everybody by then. */
const QUIET = 200n

/** Whether a validator of the family is away at a height. Those that are partitioned are so together. */
export function isAway(family: Family, height: bigint, random: Random): boolean {
  if (height < QUIET) return false
  if (family === 'straggler') return random(12) === 0
  if (family === 'restarting') return height % 400n < 6n
  if (family === 'partitioned') return height % 3_000n < 45n
  return false
}

/**
 * Whether a validator's engine fails at a height: half of them now and then do, as when all machines run out of memory at
 * once. Two rounds are degraded by that, and no third.
 */
export const isSpeechless = (index: number, height: bigint): boolean =>
  index % 2 === 1 && height % 2_500n >= 1_200n && height % 2_500n < 1_202n

/** What a validator tells of its host at a height; nothing most of the time. */
export function telemetryOf(
  family: Family,
  index: number,
  height: bigint,
  random: Random,
): Omit<TelemetryBody, 'node'> | undefined {
  if ((height + BigInt(index)) % 4n !== 0n || index % 10 === 9) return undefined
  const any = (most: number): number => random(3) * (most / 2)
  if (family === 'fabulist')
    return {
      cpu_pct: any(100),
      latency_ms: any(60_000),
      connections: any(1_000_000),
      net_contrib: any(1_000_000_000),
    }
  return {
    cpu_pct: family === 'overloaded' ? 97 + random(3) : 20 + random(30),
    latency_ms: family === 'overloaded' ? 1_500 + random(1_000) : 30 + random(60),
    connections: 10 + random(4),
    net_contrib: 40 + random(20),
  }
}

/** Height at which an equivocator signs twice. */
export const EQUIVOCATION = 1_000n

/** What it puts into its vote where an honest validator puts `report`: nothing, or other scores. */
export function reportOf(family: Family, height: bigint, report: Uint8Array): Uint8Array {
  if (height < QUIET) return report
  if (family === 'withholder') return new Uint8Array(0)
  if (family !== 'liar' || report.length <= REPORT_HEAD) return report
  const lie = report.slice()
  const view = new DataView(lie.buffer)
  for (let at = REPORT_HEAD; at < lie.length; at += 2) view.setUint16(at, 10_000 - view.getUint16(at))
  return lie
}

/** Bytes of a report before its scores, of two bytes each. */
const REPORT_HEAD = 17
