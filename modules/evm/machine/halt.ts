/** Why a frame ended and took all its gas, or reverted: the library's words. */
export const halts = {
  codeTooLong: 'code size to deposit exceeds maximum code size',
  collision: 'create collision',
  depositOutOfGas: 'code store out of gas',
  invalidCode: 'invalid bytecode deployed',
  invalidJump: 'invalid JUMP',
  invalidOpcode: 'invalid opcode',
  outOfGas: 'out of gas',
  reverted: 'revert',
  stackOverflow: 'stack overflow',
  stackUnderflow: 'stack underflow',
  staticChange: 'static state change',
} as const

/** What an instruction throws to end its frame. It is no Error: one in a thousand takes longer to make than the rest. */
export class Halt {
  readonly error: string

  constructor(error: string) {
    this.error = error
  }
}

/** What ended a frame, by an instruction of ours or of the library's; nothing for a fault of the program's. */
export function haltOf(thrown: unknown): string | undefined {
  if (thrown instanceof Halt) return thrown.error
  const { errorType, error } = thrown as { readonly errorType?: unknown; readonly error?: unknown }
  return errorType === 'EVMError' && typeof error === 'string' ? error : undefined
}
