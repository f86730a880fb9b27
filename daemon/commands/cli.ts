import type { Command } from 'commander'
import type { Json } from '../../core/wire/json.ts'
import { readConfig } from '../config/file.ts'
import { defaultHome, type Home, homeLayout } from '../config/home.ts'
import type { Config } from '../config/settings.ts'

export interface Globals {
  readonly home: Home
  readonly output: 'text' | 'json'
  readonly verbose: boolean
}

/** The options that every command takes. */
export function globals(command: Command): Globals {
  const { home, output, verbose } = command.optsWithGlobals<{
    home?: string
    output?: string
    verbose?: boolean
  }>()
  return {
    home: homeLayout(home ?? defaultHome()),
    output: output === 'json' ? 'json' : 'text',
    verbose: verbose === true,
  }
}

/** The node's settings, or undefined where this home has none. */
export function configOf(home: Home): Config | undefined {
  try {
    return readConfig(home.appToml)
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return undefined
    throw error
  }
}

/** Writes a result to stdout: JSON, or the text for people. */
export function print(command: Command, value: Json, text?: () => string): void {
  const { output } = globals(command)
  process.stdout.write(
    output === 'json' ? `${JSON.stringify(value)}\n` : `${text ? text() : describe(value)}\n`,
  )
}

/** A line beside the result, to stderr. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** JSON for people: a line for each value, indented by depth. */
const describe = (value: Json): string => lines(value).join('\n')

function lines(value: Json): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return ['[]']
    return value.flatMap((item) => lines(item).map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`)))
  }
  if (typeof value !== 'object' || value === null) return [value === '' ? '""' : String(value)]
  const entries = Object.entries(value)
  if (entries.length === 0) return ['{}']
  return entries.flatMap(([key, item]) => {
    const inner = lines(item)
    const nested = typeof item === 'object' && item !== null && Object.keys(item).length > 0
    return nested ? [`${key}:`, ...inner.map((line) => `  ${line}`)] : [`${key}: ${inner[0]}`]
  })
}

/** Rows in columns as wide as need be. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((h, i) => Math.max(h.length, ...rows.map((r) => (r[i] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((c, i) => c.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), ...rows.map(line)].join('\n')
}

/** Help's examples, in one form. */
export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((l) => `  $ ${l}`).join('\n')}`
