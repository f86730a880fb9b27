/** Exit codes of the process; part of the interface to scripts. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** The node does not answer. */
  unreachable: 3,
  /** The chain refused the transaction. */
  rejected: 4,
  /** The user answered no. */
  declined: 5,
} as const

/** A failure told in one sentence, with its remedy where there is one. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failure) {
    super(message)
    this.exitCode = exitCode
  }
}
