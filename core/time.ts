import { Unreadable } from './error.ts'
/** Protobuf's Timestamp and Duration as cosmjs-types holds them. */
export interface Seconds {
  readonly seconds: bigint
  readonly nanos: number
}

const NS = 1_000_000_000n
const DAY = 86_400n

/** Nanoseconds since 1970 as a Timestamp; nanos are 0 … 999,999,999 before 1970 too. */
export function timestampOf(ns: bigint): Seconds {
  const nanos = ((ns % NS) + NS) % NS
  return { seconds: (ns - nanos) / NS, nanos: Number(nanos) }
}

export const nanosecondsOf = ({ seconds, nanos }: Seconds): bigint => seconds * NS + BigInt(nanos)

/** Nothing, or a point and 3, 6 or 9 digits. */
function fraction(nanos: number): string {
  if (nanos === 0) return ''
  const digits = nanos.toString().padStart(9, '0')
  return `.${digits.endsWith('000000') ? digits.slice(0, 3) : digits.endsWith('000') ? digits.slice(0, 6) : digits}`
}

const pad = (n: bigint, width: number): string => n.toString().padStart(width, '0')

/** Year, month, day of a day number since 1970 (proleptic Gregorian). */
function civil(days: bigint): readonly [bigint, bigint, bigint] {
  const z = days + 719_468n
  const era = (z >= 0n ? z : z - 146_096n) / 146_097n
  const doe = z - era * 146_097n
  const yoe = (doe - doe / 1460n + doe / 36_524n - doe / 146_096n) / 365n
  const doy = doe - (365n * yoe + yoe / 4n - yoe / 100n)
  const mp = (5n * doy + 2n) / 153n
  const day = doy - (153n * mp + 2n) / 5n + 1n
  const month = mp < 10n ? mp + 3n : mp - 9n
  return [yoe + era * 400n + (month <= 2n ? 1n : 0n), month, day]
}

function dayNumber(year: bigint, month: bigint, day: bigint): bigint {
  const y = month <= 2n ? year - 1n : year
  const era = (y >= 0n ? y : y - 399n) / 400n
  const yoe = y - era * 400n
  const doy = (153n * (month > 2n ? month - 3n : month + 9n) + 2n) / 5n + day - 1n
  return era * 146_097n + yoe * 365n + yoe / 4n - yoe / 100n + doy - 719_468n
}

/** RFC 3339 in UTC; the fraction has 0, 3, 6 or 9 digits, or with `trim` none of its trailing zeros (as Go prints). */
export function formatTimestamp({ seconds, nanos }: Seconds, trim = false): string {
  const second = ((seconds % DAY) + DAY) % DAY
  const [y, m, d] = civil((seconds - second) / DAY)
  const tail =
    trim && nanos !== 0 ? `.${nanos.toString().padStart(9, '0').replace(/0+$/, '')}` : fraction(nanos)
  return `${pad(y, 4)}-${pad(m, 2)}-${pad(d, 2)}T${pad(second / 3600n, 2)}:${pad((second / 60n) % 60n, 2)}:${pad(second % 60n, 2)}${tail}Z`
}

/** RFC 3339 with any offset. Throws Unreadable. */
export function parseTimestamp(text: string): Seconds {
  const m =
    /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(text)
  if (m === null) throw new Unreadable(`${JSON.stringify(text.slice(0, 60))} is not an RFC 3339 time`)
  const [year, month, day, hour, minute, second] = m.slice(1, 7).map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  const days = dayNumber(year, month, day)
  const [, month2, day2] = civil(days)
  if (month2 !== month || day2 !== day || hour > 23n || minute > 59n || second > 59n)
    throw new Unreadable(`${text} is not a time`)
  const offset =
    m[8] === undefined ? 0n : (BigInt(m[9]!) * 60n + BigInt(m[10]!)) * (m[8] === '-' ? -60n : 60n)
  return {
    seconds: days * DAY + hour * 3600n + minute * 60n + second - offset,
    nanos: Number((m[7] ?? '').padEnd(9, '0')),
  }
}

/** `5s`, `1.500s`, `-0.5s`. */
export function formatDuration({ seconds, nanos }: Seconds): string {
  const negative = seconds < 0n || nanos < 0
  return `${negative ? '-' : ''}${seconds < 0n ? -seconds : seconds}${fraction(Math.abs(nanos))}s`
}

/** `1.5s`. Throws Unreadable. */
export function parseDuration(text: string): Seconds {
  const m = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text)
  if (m === null) throw new Unreadable(`${JSON.stringify(text.slice(0, 60))} is not a duration such as "5s"`)
  const seconds = BigInt(m[2]!)
  const nanos = Number((m[3] ?? '').padEnd(9, '0'))
  return m[1] === '-' ? { seconds: -seconds, nanos: nanos === 0 ? 0 : -nanos } : { seconds, nanos }
}
