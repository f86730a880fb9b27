import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { getActivePrecompiles, NobleBLS, NobleBN254, paramsEVM } from '@ethereumjs/evm'
import { keccak256 } from '../../core/crypto/keccak.ts'
import { instructionSet } from './machine/instruction-set.ts'
import { libraryPrecompiles } from './machine/library-precompiles.ts'
import { Machine } from './machine/machine.ts'
import { EVM_CHAIN_ID } from './params.ts'

const common = createCustomCommon({ chainId: Number(EVM_CHAIN_ID) }, Mainnet, {
  hardfork: Hardfork.Osaka,
  params: paramsEVM,
  customCrypto: { keccak256: (bytes) => keccak256(bytes) },
})

/** Runs this chain's programs, by the rules of the hardfork Osaka. It holds nothing between two of them. */
export const machine = new Machine(
  instructionSet(common),
  libraryPrecompiles(getActivePrecompiles(common), common, { bn254: new NobleBN254(), bls: new NobleBLS() }),
)
