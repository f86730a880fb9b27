import { Command } from 'commander'
import { agentCommand } from './agent.ts'
import { agentKeyCommand } from './agent-key.ts'
import { cometCommand } from './comet.ts'
import { completionCommand } from './completion.ts'
import { configCommand } from './config.ts'
import { CliError, exitCodes } from './exit.ts'
import { exportCommand } from './export.ts'
import { genesisCommand } from './genesis.ts'
import { haltCommand } from './halt.ts'
import { initCommand } from './init.ts'
import { keysCommand } from './keys.ts'
import { queryCommand } from './query.ts'
import { startCommand } from './start.ts'
import { statusCommand } from './status.ts'
import { tokenCommand } from './token.ts'
import { txCommand } from './tx.ts'
import { versionCommand } from './version.ts'

const exitHelp = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the node does not answer, 4 refused by the chain, 5 declined by the user.`

/** The whole command line. */
export function createProgram(): Command {
  const root = new Command('fornaxd')
    .description('The Fornax node: runs it, and speaks with it.')
    .option('--home <folder>', 'where the node keeps what it has (default: $FORNAX_HOME or ~/.fornaxd)')
    .option('-o, --output <format>', 'text or json', (value: string) => {
      if (value !== 'text' && value !== 'json')
        throw new CliError(
          `--output must be text or json, not ${value}: what queries print as text is YAML`,
          exitCodes.usage,
        )
      return value
    })
    .option('--verbose', 'show where in the program an error arose')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', exitHelp)
  const commands = [
    initCommand(),
    startCommand(),
    statusCommand(),
    txCommand(),
    queryCommand(),
    keysCommand(),
    agentCommand(),
    agentKeyCommand(),
    cometCommand(),
    genesisCommand(),
    configCommand(),
    exportCommand(),
    haltCommand(),
    tokenCommand(),
    completionCommand(),
    versionCommand(),
  ]
  for (const command of commands) root.addCommand(command)
  prepare(root)
  root.helpCommand('help [command]', 'explain a command')
  return root
}

/** Settings that commander hands on to subcommands only where it makes them itself. */
function prepare(command: Command): void {
  command.exitOverride().showHelpAfterError('(add --help for what there is)').helpCommand(false)
  command.configureOutput({ outputError: (text, write) => write(text.replace(/^error:/, 'Error:')) })
  command.configureHelp({ showGlobalOptions: true, subcommandTerm: termOf })
  for (const sub of command.commands) prepare(sub)
}

/** How a command stands in the list of its parent: every one of them takes options. */
function termOf(command: Command): string {
  const places = command.registeredArguments.map((a) => {
    const name = `${a.name()}${a.variadic ? '...' : ''}`
    return a.required ? `<${name}>` : `[${name}]`
  })
  return [[command.name(), ...command.aliases()].join('|'), ...places].join(' ')
}
