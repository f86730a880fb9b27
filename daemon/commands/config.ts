import { Command } from 'commander'
import type { Json } from '../../core/wire/json.ts'
import { readConfig, renderConfig, valueAt, withSettings } from '../config/file.ts'
import type { Config } from '../config/settings.ts'
import { everySetting } from '../config/settings.ts'
import { writeFileAtomically } from '../files.ts'
import { examples, globals, note, print } from './cli.ts'
import { CliError } from './exit.ts'

export function configCommand(): Command {
  return new Command('config')
    .description("show, check and change the node's settings (config/app.toml)")
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
    .description('print the settings in force, defaults included')
    .addHelpText('after', examples('fornaxd config show', 'fornaxd config show minimum_gas_prices'))
    .action((path: string | undefined, _options: unknown, command: Command) => {
      const config = readConfig(globals(command).home.appToml)
      if (path === undefined) {
        print(command, configJson(config), () => renderConfig(config).trimEnd())
        return
      }
      const entry = [...everySetting()].find((s) => s.path === path)
      if (!entry) throw new CliError(`${path} is not a setting: \`fornaxd config show\` lists them`)
      const text = entry.setting.kind.render(valueAt(config, entry.section, entry.key))
      print(command, JSON.parse(text) as Json, () => text.replace(/^"(.*)"$/, '$1'))
    })
}

function check(): Command {
  return new Command('check')
    .description('tell whether the settings are well-formed')
    .addHelpText('after', examples('fornaxd config check'))
    .action((_options: unknown, command: Command) => {
      const { appToml } = globals(command).home
      readConfig(appToml)
      print(command, { file: appToml, valid: true }, () => `${appToml} is well-formed`)
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
      const config = withSettings(readConfig(appToml), [[path, value]])
      writeFileAtomically(appToml, renderConfig(config))
      note(`${path} is set; it takes effect when the node starts again`)
    })
}
