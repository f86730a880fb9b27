import { Command } from 'commander'
import type { Json } from '../../core/wire/json.ts'
import { settingsOfEnvironment, unknownVariables, withEnvironment } from '../config/environment.ts'
import {
  ConfigError,
  readConfig,
  renderConfig,
  settingsInFile,
  valueAt,
  withSettings,
} from '../config/file.ts'
import { nearest } from '../config/nearest.ts'
import type { Config } from '../config/settings.ts'
import { everySetting } from '../config/settings.ts'
import { writeFileAtomically } from '../files.ts'
import { examples, globals, note, print, table } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'

const help = `
The environment goes before the file: FORNAX_REST_ADDRESS is rest.address, FORNAX_COMET_RPC_ADDRESS comet.rpc_address, and so
on. Options of \`fornaxd start\` go before both.`

export function configCommand(): Command {
  return new Command('config')
    .description("show, check and change the node's settings (config/app.toml)")
    .addHelpText('after', help)
    .addCommand(show())
    .addCommand(check())
    .addCommand(set())
    .addHelpText(
      'after',
      examples('fornaxd config show rest.address', 'fornaxd config set rest.address 0.0.0.0:1317'),
    )
}

/** The settings as JSON, as app.toml would write them. */
function configJson(config: Config): { [key: string]: Json } {
  const out: { [key: string]: Json } = {}
  for (const { section, key, setting } of everySetting()) {
    const text = setting.kind.render(valueAt(config, section, key))
    const into = section === undefined ? out : ((out[section] ??= {}) as { [key: string]: Json })
    into[key] = JSON.parse(text) as Json
  }
  return out
}

function show(): Command {
  return new Command('show')
    .argument('[setting]', 'such as rest.address')
    .description('print the settings in force, defaults and those of the environment included')
    .option('--sources', 'tell of each where it comes from: the default, the file or a variable')
    .addHelpText(
      'after',
      examples(
        'fornaxd config show',
        'fornaxd config show --sources',
        'fornaxd config show minimum_gas_prices',
      ),
    )
    .action((path: string | undefined, options: { sources?: true }, command: Command) => {
      warnOfUnknown()
      const { appToml } = globals(command).home
      const config = withEnvironment(readConfig(appToml))
      if (path !== undefined) showOne(command, config, path)
      else if (options.sources) showSources(command, config, appToml)
      else {
        for (const { path: given, variable } of settingsOfEnvironment()) note(`${given} is from ${variable}`)
        print(command, configJson(config), () => renderConfig(config).trimEnd())
      }
    })
}

function showOne(command: Command, config: Config, path: string): void {
  const entry = [...everySetting()].find((s) => s.path === path)
  if (!entry) {
    const meant = nearest(
      path,
      [...everySetting()].map((s) => s.path),
    )
    const hint = meant ? `is ${meant} meant?` : '`fornaxd config show` lists them'
    throw new CliError(`${path} is not a setting: ${hint}`, exitCodes.usage)
  }
  const text = entry.setting.kind.render(valueAt(config, entry.section, entry.key))
  const given = settingsOfEnvironment().find((s) => s.path === path)
  if (given) note(`${path} is from ${given.variable}`)
  print(command, JSON.parse(text) as Json, () => text.replace(/^"(.*)"$/, '$1'))
}

function showSources(command: Command, config: Config, file: string): void {
  const inFile = settingsInFile(file)
  const given = new Map(settingsOfEnvironment().map(({ path, variable }) => [path, variable]))
  const rows = [...everySetting()].map(({ path, section, key, setting }) => ({
    setting: path,
    value: JSON.parse(setting.kind.render(valueAt(config, section, key))) as Json,
    source: given.get(path) ?? (inFile.has(path) ? 'app.toml' : 'default'),
  }))
  print(command, rows, () =>
    table(
      ['SETTING', 'SOURCE', 'VALUE'],
      rows.map(({ setting, source, value }) => [setting, source, JSON.stringify(value)]),
    ),
  )
}

function warnOfUnknown(): void {
  for (const unknown of unknownVariables()) note(`Warning: ${unknown}`)
}

function check(): Command {
  return new Command('check')
    .description('tell whether the settings, of the file and of the environment, are well-formed')
    .addHelpText('after', examples('fornaxd config check'))
    .action((_options: unknown, command: Command) => {
      warnOfUnknown()
      const { appToml } = globals(command).home
      withEnvironment(readConfig(appToml))
      const given = settingsOfEnvironment()
      const environment = given.map(({ path, variable }) => ({ setting: path, variable }))
      print(command, { file: appToml, valid: true, environment }, () =>
        [
          `${appToml} is well-formed`,
          ...given.map(({ path, variable }) => `${path} is from ${variable}, which is well-formed too`),
        ].join('\n'),
      )
    })
}

function set(): Command {
  return new Command('set')
    .argument('<setting>', 'such as rest.address')
    .argument('<value>', 'as in the file, without quotes; lists separated by commas')
    .description('change a setting in the file; a running node reads it at its next start')
    .addHelpText(
      'after',
      examples('fornaxd config set rest.address 0.0.0.0:1317', 'fornaxd config set rest.cors_origins "*"'),
    )
    .action((path: string, value: string, _options: unknown, command: Command) => {
      const { appToml } = globals(command).home
      const config = changed(readConfig(appToml), path, value)
      writeFileAtomically(appToml, renderConfig(config))
      note(`${path} is set; it takes effect when the node starts again`)
      const given = settingsOfEnvironment().find((s) => s.path === path)
      if (given) note(`Warning: ${given.variable} is set in this environment, and goes before the file`)
    })
}

/** The settings with one changed; what is wrong with it is wrong usage. */
function changed(config: Config, path: string, value: string): Config {
  try {
    return withSettings(config, [[path, value]])
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new CliError(error.message, exitCodes.usage)
  }
}
