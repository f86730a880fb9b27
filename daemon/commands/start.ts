import { Command } from 'commander'
import { readConfig, withSettings } from '../config/file.ts'
import type { Home } from '../config/home.ts'
import { type Config, everySetting } from '../config/settings.ts'
import { createLog, type Log } from '../log.ts'
import { startNode } from '../node.ts'
import { examples, globals } from './cli.ts'
import { exitCodes } from './exit.ts'

export function startCommand(): Command {
  const command = new Command('start')
    .description('run the node until it is told to stop (SIGINT, SIGTERM)')
    .option('--external-comet', 'the operator runs CometBFT: do not start one')
  for (const { path, setting } of everySetting()) command.option(`--${flagOf(path)} <value>`, setting.comment)
  return command
    .addHelpText(
      'after',
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
      await run(home, withSettings(readConfig(home.appToml), changes))
    })
}

const flagOf = (path: string): string => path.replaceAll('_', '-')

/** As commander names the value of an option. */
const attributeOf = (flag: string): string => flag.replace(/-([a-z])/g, (_, c: string) => c.toUpperCase())

async function run(home: Home, config: Config): Promise<void> {
  const log = createLog({ level: config.log.level, format: config.log.format })
  const end = endOf(log)
  const node = await startNode({ home, config, log, onFatal: end.fatal })
  const { cause, failed } = await end.reached
  log[failed ? 'error' : 'info']({ cause }, 'the node stops')
  await node.stop()
  if (failed) process.stderr.write(`Error: the node has stopped after a fatal error: ${cause}\n`)
  else log.info({}, 'the node has stopped')
  process.exit(failed ? exitCodes.failure : exitCodes.ok)
}

interface End {
  readonly cause: string
  readonly failed: boolean
}

/** Reached at a signal, or at an error after which nothing can be relied on. A second signal ends the process at once. */
function endOf(log: Log): { reached: Promise<End>; fatal: (error: unknown) => void } {
  let reach: (end: End) => void = () => {}
  const reached = new Promise<End>((resolve) => {
    reach = resolve
  })
  let signals = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (signals++ > 0) process.exit(exitCodes.failure)
      reach({ cause: signal, failed: false })
    })
  const fatal = (error: unknown): void => {
    log.error({ err: error }, 'the node cannot go on')
    reach({ cause: error instanceof Error ? error.message : String(error), failed: true })
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)
  return { reached, fatal }
}
