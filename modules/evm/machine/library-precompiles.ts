import type { Common } from '@ethereumjs/common'
import type { ExecResult, PrecompileFunc, PrecompileInput } from '@ethereumjs/evm'
import { fromHex, NO_BYTES, toLatin1 } from '../../../core/bytes.ts'
import type { Precompile } from './machine.ts'

/** What a precompile of the library's finds on its EVM, and nothing else. */
export interface Backends {
  readonly bn254: unknown
  readonly bls: unknown
}

/**
 * Ethereum's precompiles by address, as the library has them: pure functions of their input, each of which stands for all
 * its gas where it fails.
 */
export function libraryPrecompiles(
  functions: ReadonlyMap<string, PrecompileFunc>,
  common: Common,
  { bn254, bls }: Backends,
): ReadonlyMap<string, Precompile> {
  const evm = { _bn254: bn254, _bls: bls, common, DEBUG: false }
  const adapt =
    (run: PrecompileFunc): Precompile =>
    (_, { data, gas }) => {
      const input = { data, gasLimit: BigInt(gas), common, _EVM: evm } as unknown as PrecompileInput
      const { executionGasUsed, exceptionError, returnValue } = run(input) as ExecResult
      if (exceptionError !== undefined) return { error: exceptionError.error, gasLeft: 0, output: NO_BYTES }
      return { gasLeft: gas - Number(executionGasUsed), output: returnValue }
    }
  return new Map([...functions].map(([address, run]) => [toLatin1(fromHex(address)), adapt(run)]))
}
