import type { Command } from 'commander'
import type { Json } from '../../core/wire/json.ts'
import { withEnvironment } from '../config/environment.ts'
import { defaultConfig, readConfig } from '../config/file.ts'
import { defaultHome, type Home, homeLayout } from '../config/home.ts'
import type { Config } from '../config/settings.ts'
import { toYaml } from './yaml.ts'

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

/** The node's settings, with those that the environment gives, or undefined where this home has none. */
export function configOf(home: Home): Config | undefined {
  try {
    return withEnvironment(readConfig(home.appToml))
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return undefined
    throw error
  }
}

/** The same, at the defaults where this home has none. */
export const configOrDefaults = (home: Home): Config => configOf(home) ?? withEnvironment(defaultConfig())

/** Writes a result to stdout: JSON, or text for people: by default YAML. */
export function print(command: Command, value: Json, text?: () => string): void {
  const { output } = globals(command)
  process.stdout.write(
    output === 'json' ? `${JSON.stringify(value)}\n` : `${text ? text() : toYaml(value)}\n`,
  )
}

/** A line beside the result, to stderr. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`)
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
