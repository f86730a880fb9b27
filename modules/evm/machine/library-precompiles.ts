import type { Common } from '@ethereumjs/common'
import type { ExecResult, PrecompileFunc, PrecompileInput } from '@ethereumjs/evm'
import { fromHex, NO_BYTES, toLatin1 } from '../../../core/bytes.ts'
import type { Precompile } from './machine.ts'

/**
 * Precompiles in the library's form, by address: pure functions of their input, each of which takes all its gas where it
 * fails. The library's own find their curves on `evm`.
 */
export function libraryPrecompiles(
  functions: ReadonlyMap<string, PrecompileFunc>,
  common: Common,
  evm: object = {},
): ReadonlyMap<string, Precompile> {
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
