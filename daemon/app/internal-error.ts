import { ChainError } from '../../core/error.ts'

/** An error from outside the chain's own rules: a fault of the program's, code 1, told to `onInternalError`. */
export function asChainError(error: unknown, onInternalError: (error: unknown) => void): ChainError {
  if (error instanceof ChainError) return error
  onInternalError(error)
  return new ChainError('undefined', 1, 'internal error')
}
