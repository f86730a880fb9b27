import { libraryPrecompiles } from './machine/library-precompiles.ts'
import { Machine } from './machine/machine.ts'
import { EVM_CHAIN_ID } from './params.ts'

const made: { machine?: Machine } = {}

/** Makes the machine. The library and the curves take half a second to load: what runs no program needs them not. */
export async function loadMachine(): Promise<void> {
  if (made.machine !== undefined) return
  const [{ createCustomCommon, Hardfork, Mainnet }, { paramsEVM }, { instructionSet }, precompiled] =
    await Promise.all([
      import('@ethereumjs/common'),
      import('@ethereumjs/evm'),
      import('./machine/instruction-set.ts'),
      import('./precompiled/precompiled.ts'),
    ])
  const common = createCustomCommon({ chainId: Number(EVM_CHAIN_ID) }, Mainnet, {
    hardfork: Hardfork.Osaka,
    params: paramsEVM,
  })
  made.machine = new Machine(
    instructionSet(common),
    libraryPrecompiles(await precompiled.loadPrecompiled(), common),
  )
}

/** Runs this chain's programs, by the rules of the hardfork Osaka. It holds nothing between two of them. */
export function machine(): Machine {
  if (made.machine === undefined) throw new Error('the machine of the EVM has not been loaded')
  return made.machine
}
