import { readFileSync } from 'node:fs'
import { parse, stringify, TomlError } from 'smol-toml'
import { nearest } from './nearest.ts'
import { type Config, everySetting, sections } from './settings.ts'

/** A setting that is unknown or malformed; the message names file, key, value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Table = Record<string, unknown>

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) !== Array.prototype &&
  !(value instanceof Date)

function show(value: unknown): string {
  if (isTable(value)) return 'a section'
  const shown = stringify({ v: value }).trim().slice(4)
  return shown.length > 80 ? `${shown.slice(0, 77)}…` : shown
}

/** Every setting at its initial value. */
export function defaultConfig(): Config {
  return parseConfig('', 'the defaults')
}

/** Reads the text of app.toml; what it leaves out has its initial value. `file` is for messages. Throws ConfigError. */
export function parseConfig(text: string, file: string): Config {
  let raw: Table
  try {
    raw = parse(text, { integersAsBigInt: 'asNeeded' })
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const what = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '')
    throw new ConfigError(`${file}, line ${error.line}: not TOML: ${what}`)
  }
  const known = new Map<string, Set<string>>()
  const config: Record<string, unknown> = {}
  for (const { section, key, path, setting } of everySetting()) {
    const table = section === undefined ? raw : Object.hasOwn(raw, section) ? raw[section] : {}
    if (!isTable(table))
      throw new ConfigError(`${file}: ${section} is ${show(table)}, but must be a section [${section}]`)
    const keys = known.get(section ?? '') ?? new Set()
    known.set(section ?? '', keys.add(key))
    const found = Object.hasOwn(table, key) ? table[key] : undefined
    const value = found === undefined ? setting.initial : setting.kind.parse(found)
    if (value === undefined)
      throw new ConfigError(`${file}: ${path} is ${show(found)}, but must be ${setting.kind.allowed}`)
    if (section === undefined) config[key] = value
    else Object.assign((config[section] ??= {}) as Table, { [key]: value })
  }
  for (const key of Object.keys(raw))
    if (!known.get('')?.has(key) && !Object.hasOwn(sections, key))
      refuseUnknown(file, key, [...(known.get('') ?? []), ...Object.keys(sections)])
  for (const section of Object.keys(sections))
    for (const key of Object.keys((raw[section] as Table | undefined) ?? {}))
      if (!known.get(section)?.has(key))
        refuseUnknown(file, `${section}.${key}`, [...(known.get(section) ?? [])])
  return config as unknown as Config
}

function refuseUnknown(file: string, key: string, allowed: readonly string[]): never {
  const meant = nearest(key, [...[...everySetting()].map(({ path }) => path), ...allowed])
  throw new ConfigError(
    `${file}: ${key} is not a setting${meant ? `: is ${meant} meant?` : `; there are ${allowed.join(', ')}`}`,
  )
}

/** Reads app.toml. Throws ConfigError, also where the file cannot be read. */
export function readConfig(file: string): Config {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      code === 'ENOENT'
        ? `${file} does not exist: run \`fornaxd init\` first`
        : `${file} cannot be read (${code})`,
    )
  }
  return parseConfig(text, file)
}

/** The settings that a readable app.toml names; all others are at their defaults. */
export function settingsInFile(file: string): ReadonlySet<string> {
  const raw: Table = parse(readFileSync(file, 'utf8'))
  const named = [...everySetting()].filter(({ section, key }) => {
    const table = section === undefined ? raw : raw[section]
    return isTable(table) && Object.hasOwn(table, key)
  })
  return new Set(named.map(({ path }) => path))
}

/** The text of app.toml with a comment above each setting. */
export function renderConfig(config: Config): string {
  const lines = [
    '# Settings of this Fornax node. `fornaxd config check` tells whether the file is well-formed.',
  ]
  let current: string | undefined
  for (const { section, key, setting } of everySetting()) {
    if (section !== current) lines.push('', `[${section}]`)
    current = section
    const value = valueAt(config, section, key)
    lines.push('', `# ${setting.comment}`, `${key} = ${setting.kind.render(value)}`)
  }
  return `${lines.join('\n')}\n`
}

/**
 * A copy of `config` with settings replaced from text, as flags give them: `[['rest.address', '127.0.0.1:1400']]`.
 * `origin` names where they come from. Throws ConfigError.
 */
export function withSettings(
  config: Config,
  changes: readonly (readonly [path: string, text: string])[],
  origin = 'the command line',
): Config {
  const copy = structuredClone(config) as unknown as Table
  const settings = new Map([...everySetting()].map((s) => [s.path, s]))
  for (const [path, text] of changes) {
    const entry = settings.get(path)
    if (!entry) refuseUnknown(origin, path, [...settings.keys()])
    const value = entry.setting.kind.parse(text)
    if (value === undefined)
      throw new ConfigError(
        `${origin}: ${path} is ${JSON.stringify(text)}, but must be ${entry.setting.kind.allowed}`,
      )
    if (entry.section === undefined) copy[entry.key] = value
    else (copy[entry.section] as Table)[entry.key] = value
  }
  return copy as unknown as Config
}

/** The value of one setting. */
export function valueAt(config: Config, section: string | undefined, key: string): unknown {
  const table = config as unknown as Table
  return section === undefined ? table[key] : (table[section] as Table)[key]
}
