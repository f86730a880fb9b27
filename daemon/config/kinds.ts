import { inSmallestUnit } from '../../core/coin.ts'

/** How one setting is read from TOML or from a flag, and written back. */
export interface Kind<T> {
  /** The allowed values in words, to follow "must be". */
  readonly allowed: string
  /** The value as TOML or a command line gives it; undefined where it is not allowed. */
  readonly parse: (raw: unknown) => T | undefined
  /** The TOML text of a value. */
  readonly render: (value: T) => string
}

/** A TCP address to listen on. */
export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** An amount of one denomination. */
export interface Price {
  readonly amount: bigint
  readonly denom: string
}

const quote = (text: string): string => JSON.stringify(text)

const string = <T>(
  allowed: string,
  read: (text: string) => T | undefined,
  show: (value: T) => string,
): Kind<T> => ({
  allowed,
  parse: (raw) => (typeof raw === 'string' ? read(raw) : undefined),
  render: (value) => quote(show(value)),
})

export const flag: Kind<boolean> = {
  allowed: 'true or false',
  parse: (raw) =>
    raw === true || raw === 'true' ? true : raw === false || raw === 'false' ? false : undefined,
  render: String,
}

export const integer = (min: number, max: number): Kind<number> => ({
  allowed: `a whole number from ${min} to ${max}`,
  parse: (raw) => {
    const value =
      typeof raw === 'string' && /^\d{1,15}$/.test(raw)
        ? Number(raw)
        : typeof raw === 'bigint'
          ? Number(raw)
          : raw
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max
      ? value
      : undefined
  },
  render: String,
})

export const text = (allowed: string, pattern: RegExp): Kind<string> =>
  string(
    allowed,
    (s) => (pattern.test(s) ? s : undefined),
    (s) => s,
  )

export const oneOf = <const T extends string>(...values: readonly T[]): Kind<T> =>
  string(
    `one of ${values.map((v) => quote(v)).join(', ')}`,
    (s) => values.find((v) => v === s),
    (s) => s,
  )

const unitsMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Milliseconds, written as `"500ms"`, `"4.6s"`, `"2m"`, `"1h"`. */
export const duration = (minMs: number, maxMs: number): Kind<number> =>
  string(
    `a duration from ${showDuration(minMs)} to ${showDuration(maxMs)}, such as "500ms", "4.6s" or "2m"`,
    (s) => {
      const [, digits, unit] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(s) ?? []
      if (digits === undefined || unit === undefined) return undefined
      const ms = Math.round(Number(digits) * (unitsMs[unit] ?? 0))
      return ms >= minMs && ms <= maxMs ? ms : undefined
    },
    showDuration,
  )

/** Writes milliseconds in the largest unit that leaves no fraction: `"500ms"`, `"5s"`. */
function showDuration(ms: number): string {
  for (const unit of ['h', 'm', 's'])
    if (ms > 0 && ms % (unitsMs[unit] ?? 1) === 0) return `${ms / (unitsMs[unit] ?? 1)}${unit}`
  return `${ms}ms`
}

export const listenAddress: Kind<ListenAddress> = string(
  'host:port, such as "127.0.0.1:1317" or "[::1]:1317"',
  (s) => {
    const [, v6, name, digits] =
      /^(?:\[([0-9a-fA-F:]{2,45})\]|([A-Za-z0-9.-]{1,253})):(\d{1,5})$/.exec(s) ?? []
    const port = Number(digits)
    const host = v6 ?? name
    return host !== undefined && port <= 65_535 ? { host, port } : undefined
  },
  ({ host, port }) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`),
)

/** Where this machine reaches what listens at the address. */
export function localUrl({ host, port }: ListenAddress): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** The longest path a unix socket can have on Linux, less the closing zero. macOS has 103. */
export const maxUnixPath = 107

export const abciAddress: Kind<string> = string(
  `"" for a socket in the home folder, "unix:///path" (at most ${maxUnixPath} bytes of path) or "tcp://host:port"`,
  (s) => {
    if (s === '') return s
    if (s.startsWith('unix:///')) return Buffer.byteLength(s) - 7 <= maxUnixPath ? s : undefined
    return s.startsWith('tcp://') && listenAddress.parse(s.slice(6)) ? s : undefined
  },
  (s) => s,
)

/** Gas prices as the SDK writes them, without fractions but of FRX: `"1000000000afrx,5uatom"`; `""` for none. */
export const prices: Kind<readonly Price[]> = string<readonly Price[]>(
  'amounts with a denomination, separated by commas, such as "1000000000afrx" or "1.5frx"; "0afrx" or "" for none',
  (s) => {
    if (s === '') return []
    const found = s.split(',').map(price)
    const good = found.filter((p) => p !== undefined)
    return good.length === found.length && new Set(good.map((p) => p.denom)).size === good.length
      ? good
      : undefined
  },
  (value) => value.map(({ amount, denom }) => `${amount}${denom}`).join(','),
)

function price(typed: string): Price | undefined {
  const [, frx] = /^([\d.]+)\s*frx$/i.exec(typed.trim()) ?? []
  if (frx !== undefined && !/^\d{1,40}(\.\d{1,18})?$/.test(frx)) return undefined
  const text = inSmallestUnit(typed).trim()
  const [, amount, denom] = /^(\d{1,60})([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(text) ?? []
  return amount === undefined || denom === undefined ? undefined : { amount: BigInt(amount), denom }
}

/** A list of strings, each matching `pattern`; on the command line separated by commas. */
export const list = (allowed: string, pattern: RegExp): Kind<readonly string[]> => ({
  allowed: `a list of ${allowed}`,
  parse: (raw) => {
    const items: unknown =
      typeof raw === 'string' ? (raw === '' ? [] : raw.split(',').map((s) => s.trim())) : raw
    return Array.isArray(items) && items.every((i): i is string => typeof i === 'string' && pattern.test(i))
      ? items
      : undefined
  },
  render: (value) => `[${value.map(quote).join(', ')}]`,
})
