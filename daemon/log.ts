import { type DestinationStream, type Logger, pino } from 'pino'
import { type Output, openOutput } from './output.ts'

/** A log that its parts take children of. */
export type NodeLog = Logger

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export interface LogOptions {
  /** Default `info`. */
  readonly level?: LogLevel
  /** `json`: an object a line, for machines. `text` (default): a readable line. */
  readonly format?: 'json' | 'text'
  /** Default stderr. */
  readonly stream?: { write(text: string): unknown }
}

type Format = NonNullable<LogOptions['format']>

/** A node's log and the output behind it: standard error, whose reader never holds up the node. */
export function openLog({ level, format = 'text' }: Pick<LogOptions, 'level' | 'format'>): {
  readonly log: NodeLog
  readonly output: Output
} {
  const output = openOutput(2, { notice: (lines) => lostLines(lines, format) })
  return { log: createLog({ ...(level && { level }), format, stream: output }), output }
}

/** A line that stands for lines that could not be written. */
function lostLines(count: number, format: Format): string {
  const line = {
    level: 'warn',
    time: new Date().toISOString(),
    module: 'log',
    count,
    msg: 'lines of this log are lost here: they could not be written in time',
  }
  return format === 'json' ? `${JSON.stringify(line)}\n` : formatLine(line)
}

/**
 * The node's log. A part of the node takes a child of it: `log.child({ module: 'abci' })`. A call gives fields
 * first, then a fixed message: `log.info({ height }, 'committed')`; an error goes under `err`.
 */
export function createLog({
  level = 'info',
  format = 'text',
  stream = process.stderr,
}: LogOptions = {}): NodeLog {
  const destination: DestinationStream =
    format === 'json'
      ? { write: (line) => void stream.write(line) }
      : { write: (line) => void stream.write(formatLine(JSON.parse(line))) }
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
}

interface Line {
  readonly level: string
  readonly time: string
  readonly module?: string
  readonly msg?: string
  readonly err?: unknown
}

/** `2026-01-31 12:00:00.000 WARN  abci  message  key=value`, and below it the stack of an error or given lines. */
export function formatLine({ level, time, module = '', msg = '', err, ...fields }: Line): string {
  const below: string[] = []
  const pairs: string[] = []
  for (const [key, value] of Object.entries({ ...fields })) {
    if (key === 'lines' && Array.isArray(value)) below.push(...value.map(String))
    else pairs.push(`  ${printable(key)}=${formatValue(value)}`)
  }
  if (err !== undefined) {
    const { message, stack } = typeof err === 'object' && err !== null ? (err as Record<string, unknown>) : {}
    pairs.push(`  err=${formatValue(message ?? err)}`)
    if (typeof stack === 'string') below.push(...stack.split('\n').slice(1))
  }
  const when = time.replace('T', ' ').replace('Z', '')
  const head = `${when} ${level.toUpperCase().padEnd(5)} ${printable(module).padEnd(8)} ${printable(msg)}`
  return `${head}${pairs.join('')}\n${below.map((line) => `    ${printable(line)}\n`).join('')}`
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return /^[\w.:/@+-]+$/.test(value) ? value : printable(JSON.stringify(value))
  return typeof value === 'object' ? printable(JSON.stringify(value)) : String(value)
}

/** Text from outside must not move the terminal's cursor, nor begin a line of its own. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
