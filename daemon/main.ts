import { Command, CommanderError } from 'commander'
import { ChainError } from '../core/error.ts'
import { GenesisError } from '../genesis/document.ts'
import { FieldError } from './client/fields.ts'
import { SignError } from './client/sign.ts'
import { CometKeyError } from './comet/keys.ts'
import { RpcError, RpcUnavailable } from './comet/rpc.ts'
import { completionCommand } from './commands/completion.ts'
import { configCommand } from './commands/config.ts'
import { CliError, exitCodes } from './commands/exit.ts'
import { exportCommand } from './commands/export.ts'
import { genesisCommand } from './commands/genesis.ts'
import { initCommand } from './commands/init.ts'
import { keysCommand } from './commands/keys.ts'
import { queryCommand } from './commands/query.ts'
import { startCommand } from './commands/start.ts'
import { statusCommand } from './commands/status.ts'
import { tokenCommand } from './commands/token.ts'
import { txCommand } from './commands/tx.ts'
import { versionCommand } from './commands/version.ts'
import { ConfigError } from './config/file.ts'
import { KeyringError } from './keyring/keyring.ts'
import { UnsealError } from './keyring/seal.ts'
import { TokenFileError } from './tokens.ts'

const exitHelp = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 the node does not answer, 4 refused by the chain, 5 declined by the user.`

function program(): Command {
  const root = new Command('fornaxd')
    .description('The Fornax node: runs it, and speaks with it.')
    .option('--home <folder>', 'where the node keeps what it has (default: $FORNAX_HOME or ~/.fornaxd)')
    .option('--output <format>', 'text or json', (value: string) => {
      if (value !== 'text' && value !== 'json')
        throw new CliError(`--output must be text or json, not ${value}`, exitCodes.usage)
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
    genesisCommand(),
    configCommand(),
    exportCommand(),
    tokenCommand(),
    completionCommand(),
    versionCommand(),
  ]
  for (const command of commands) root.addCommand(command)
  prepare(root)
  return root
}

/** Settings that commander hands on to subcommands only where it makes them itself. */
function prepare(command: Command): void {
  command.exitOverride().showHelpAfterError('(add --help for what there is)').helpCommand(false)
  command.configureHelp({ showGlobalOptions: true })
  for (const sub of command.commands) prepare(sub)
}

const known = [
  CliError,
  ConfigError,
  FieldError,
  SignError,
  RpcError,
  RpcUnavailable,
  CometKeyError,
  KeyringError,
  UnsealError,
  GenesisError,
  TokenFileError,
  ChainError,
]

function fail(error: unknown): number {
  if (error instanceof CommanderError) {
    const harmless = ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(error.code)
    return harmless && error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  }
  const verbose = process.argv.includes('--verbose')
  const message = error instanceof Error ? error.message : String(error)
  const expected = known.some((type) => error instanceof type)
  process.stderr.write(`Error: ${message}\n`)
  if (verbose && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  else if (!expected) process.stderr.write('This was not expected; --verbose shows where it arose.\n')
  if (error instanceof RpcUnavailable) return exitCodes.unreachable
  if (error instanceof FieldError) return exitCodes.usage
  return error instanceof CliError ? error.exitCode : exitCodes.failure
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `fornaxd … | head` is no failure.
  if (error.code === 'EPIPE') process.exit(exitCodes.ok)
  throw error
})

try {
  await program().parseAsync()
} catch (error) {
  process.exitCode = fail(error)
}
// A terminal that was asked something keeps the process alive otherwise.
process.stdin.unref?.()
