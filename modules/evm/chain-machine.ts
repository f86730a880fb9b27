import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { paramsEVM } from '@ethereumjs/evm'
import { instructionSet } from './machine/instruction-set.ts'
import { libraryPrecompiles } from './machine/library-precompiles.ts'
import { Machine } from './machine/machine.ts'
import { EVM_CHAIN_ID } from './params.ts'
import { loadPrecompiled } from './precompiled/precompiled.ts'

const common = createCustomCommon({ chainId: Number(EVM_CHAIN_ID) }, Mainnet, {
  hardfork: Hardfork.Osaka,
  params: paramsEVM,
})

/** Runs this chain's programs, by the rules of the hardfork Osaka. It holds nothing between two of them. */
export const machine = new Machine(
  instructionSet(common),
  libraryPrecompiles(await loadPrecompiled(), common),
)
