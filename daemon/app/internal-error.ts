import type { Mode } from '../../core/context.ts'
import { ChainError, rethrowExhaustion } from '../../core/error.ts'

/** The modes of execution that decide in a block, where a fault must be every node's fault. */
const DECIDES: readonly Mode[] = ['deliver', 'genesis', 'block']

/**
 * An error from outside the chain's own rules: a fault of the program's, code 1, told to `onInternalError`. In a block,
 * one that tells of this machine's own limits is thrown again and ends the node: other nodes may have gone on.
 */
export function asChainError(
  error: unknown,
  mode: Mode,
  onInternalError: (error: unknown) => void,
): ChainError {
  if (error instanceof ChainError) return error
  if (DECIDES.includes(mode)) rethrowExhaustion(error)
  onInternalError(error)
  return new ChainError('undefined', 1, 'internal error')
}
