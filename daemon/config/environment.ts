import { withSettings } from './file.ts'
import { nearest } from './nearest.ts'
import { type Config, everySetting } from './settings.ts'

/** Variables that are no settings. */
const OTHERS = [
  'FORNAX_HOME',
  'FORNAX_RPC_URL',
  'FORNAX_KEYRING_PASSPHRASE',
  'FORNAX_COMETBFT',
  'FORNAX_HANGUP',
]

/** The variable of a setting: `rest.address` is FORNAX_REST_ADDRESS. */
export const variableOf = (path: string): string => `FORNAX_${path.replace('.', '_').toUpperCase()}`

type Environment = Readonly<Record<string, string | undefined>>

/** The settings that the environment gives, each with its variable. What is empty is not given. */
export function settingsOfEnvironment(
  env: Environment = process.env,
): { readonly path: string; readonly variable: string; readonly text: string }[] {
  return [...everySetting()].flatMap(({ path }) => {
    const variable = variableOf(path)
    const text = env[variable] ?? ''
    return text === '' ? [] : [{ path, variable, text }]
  })
}

/** A copy of `config` with what the environment gives in place of what it says. Throws ConfigError. */
export const withEnvironment = (config: Config, env: Environment = process.env): Config =>
  settingsOfEnvironment(env).reduce(
    (changed, { path, variable, text }) => withSettings(changed, [[path, text]], variable),
    config,
  )

/** The environment without settings, for nodes that have their own. */
export const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const given = new Set(settingsOfEnvironment(env).map(({ variable }) => variable))
  return Object.fromEntries(Object.entries(env).filter(([name]) => !given.has(name)))
}

/** A sentence for each variable FORNAX_… that means nothing, with the nearest that does. */
export function unknownVariables(env: Environment = process.env): string[] {
  const known = [...OTHERS, ...[...everySetting()].map(({ path }) => variableOf(path))]
  return Object.keys(env)
    .filter((name) => name.startsWith('FORNAX_') && !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known)
      return `the environment has ${name}, which means nothing${meant ? `: is ${meant} meant?` : ''}`
    })
}
