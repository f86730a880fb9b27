import { Command } from 'commander'
import { unknownVariables, withEnvironment } from '../config/environment.ts'
import { readConfig, withSettings } from '../config/file.ts'
import { everySetting } from '../config/settings.ts'
import { examples, globals, note } from './cli.ts'
import { runNode } from './run-node.ts'

const help = `
An option here goes before the environment, where rest.address is FORNAX_REST_ADDRESS, that before app.toml.
`

export function startCommand(): Command {
  const command = new Command('start')
    .description('run the node until it is told to stop (SIGINT, SIGTERM, SIGHUP)')
    .option('--external-comet', 'the operator runs CometBFT: do not start one')
  for (const { path, setting } of everySetting()) command.option(`--${flagOf(path)} <value>`, setting.comment)
  return command
    .addHelpText(
      'after',
      help +
        examples(
          'fornaxd start',
          'fornaxd start --rest.address 0.0.0.0:1317 --log.level debug',
          'fornaxd start --external-comet --abci.address tcp://127.0.0.1:26658',
        ),
    )
    .action(async (options: Record<string, string | true>, command: Command) => {
      const changes = [...everySetting()].flatMap(({ path }) => {
        const value = options[attributeOf(flagOf(path))]
        return typeof value === 'string' ? [[path, value] as const] : []
      })
      if (options['externalComet']) changes.push(['comet.external', 'true'])
      const { home } = globals(command)
      for (const unknown of unknownVariables()) note(`Warning: ${unknown}`)
      await runNode(home, withSettings(withEnvironment(readConfig(home.appToml)), changes))
    })
}

const flagOf = (path: string): string => path.replaceAll('_', '-')

/** As commander names the value of an option. */
const attributeOf = (flag: string): string => flag.replace(/-([a-z])/g, (_, c: string) => c.toUpperCase())
