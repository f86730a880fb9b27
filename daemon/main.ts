import { CommanderError } from 'commander'
import { ChainError } from '../core/error.ts'
import { GenesisError } from '../genesis/document.ts'
import { ModelMissing } from './classifier/observer.ts'
import { FieldError } from './client/fields.ts'
import { SignError } from './client/sign.ts'
import { CometKeyError } from './comet/keys.ts'
import { HomeInUseError } from './comet/pid-file.ts'
import { RpcError, RpcUnavailable } from './comet/rpc.ts'
import { CliError, exitCodes } from './commands/exit.ts'
import { createProgram } from './commands/program.ts'
import { ConfigError } from './config/file.ts'
import { KeyringError } from './keyring/keyring.ts'
import { UnsealError } from './keyring/seal.ts'
import { StoreError } from './store/store-error.ts'
import { TokenFileError } from './tokens.ts'

const known = [
  CliError,
  ConfigError,
  FieldError,
  SignError,
  RpcError,
  RpcUnavailable,
  CometKeyError,
  HomeInUseError,
  StoreError,
  ModelMissing,
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
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = fail(error)
}
// A terminal that was asked something keeps the process alive otherwise.
process.stdin.unref?.()
