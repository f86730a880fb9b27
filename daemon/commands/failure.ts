import { CommanderError } from 'commander'
import { ChainError } from '../../core/error.ts'
import { GenesisError } from '../../genesis/document.ts'
import { ListenError } from '../abci/errors.ts'
import { ModelMissing } from '../classifier/classifier.ts'
import { withFrx } from '../client/amounts.ts'
import { FieldError } from '../client/field-error.ts'
import { RpcError, RpcUnavailable } from '../client/rpc.ts'
import { SignError } from '../client/sign.ts'
import { CometBinaryError } from '../comet/binary.ts'
import { CometFailure } from '../comet/failure.ts'
import { CometKeyError } from '../comet/keys.ts'
import { HomeInUseError } from '../comet/pid-file.ts'
import { ConfigError } from '../config/file.ts'
import { FileError, fileTrouble } from '../files.ts'
import { KeyringError } from '../keyring/keyring.ts'
import { UnsealError } from '../keyring/seal.ts'
import { StoreError } from '../store/store-error.ts'
import { TokenFileError } from '../tokens.ts'
import { CliError, exitCodes } from './exit.ts'

const known = [
  CliError,
  ConfigError,
  FieldError,
  SignError,
  RpcError,
  RpcUnavailable,
  CometBinaryError,
  CometFailure,
  CometKeyError,
  FileError,
  HomeInUseError,
  ListenError,
  StoreError,
  ModelMissing,
  KeyringError,
  UnsealError,
  GenesisError,
  TokenFileError,
  ChainError,
]

export interface Failure {
  /** A line; empty where commander has told it. */
  readonly reason: string
  /** Where the program has it from, or how to learn that; lines or empty. */
  readonly origin: string
  readonly exitCode: number
}

/** The failure of a command that has thrown `error`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) {
    const harmless = ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(error.code)
    return {
      reason: '',
      origin: '',
      exitCode: harmless && error.exitCode === 0 ? exitCodes.ok : exitCodes.usage,
    }
  }
  const trouble = known.some((type) => error instanceof type) ? undefined : fileTrouble(error)
  if (trouble !== undefined)
    return {
      reason: `Error: ${trouble}\n`,
      origin: isVerbose() ? originOf(error) : '',
      exitCode: exitCodes.failure,
    }
  return {
    reason: `Error: ${withFrx(error instanceof Error ? error.message : String(error))}\n`,
    origin: originOf(error),
    exitCode: exitCodeOf(error),
  }
}

const isVerbose = (): boolean => process.argv.includes('--verbose')

function originOf(error: unknown): string {
  if (isVerbose() && error instanceof Error) return `${error.stack}\n`
  if (known.some((type) => error instanceof type)) return ''
  return 'This was not expected; --verbose shows where it arose.\n'
}

function exitCodeOf(error: unknown): number {
  if (error instanceof RpcUnavailable) return exitCodes.unreachable
  if (error instanceof FieldError) return exitCodes.usage
  return error instanceof CliError ? error.exitCode : exitCodes.failure
}
