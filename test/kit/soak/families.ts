import type { Random } from '../random.ts'

/** What a validator does of its own accord or suffers. */
export type Family =
  | 'honest'
  | 'straggler'
  | 'restarting'
  | 'partitioned'
  | 'withholder'
  | 'liar'
  | 'equivocator'

/** Whoever is in none of these must never be banned. */
export const DISHONEST: ReadonlySet<Family> = new Set<Family>(['withholder', 'liar', 'equivocator'])

/** The validators of a soak: three quarters are well, and no other family could halt the chain. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`honest ${i + 1}`, 'honest' as const])),
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

/** Height at which an equivocator signs twice. */
export const EQUIVOCATION = 1_000n

/** What it puts into its vote where an honest validator puts `report`: nothing, or other scores. */
export function extensionOf(family: Family, height: bigint, report: Uint8Array): Uint8Array {
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
