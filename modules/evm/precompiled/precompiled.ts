import type { PrecompileFunc } from '@ethereumjs/evm'
import { loadBlake2f } from './blake2f.ts'
import { makeBls12381 } from './bls12381.ts'
import { loadBn254 } from './bn254.ts'
import { type Contract, precompile } from './contract.ts'
import { ecrecoverContract } from './ecrecover.ts'
import { identityContract, ripemd160Contract, sha256Contract } from './hashes.ts'
import { makePointEvaluation } from './kzg.ts'
import { Curve } from './mcl.ts'
import { modexpContract } from './modexp.ts'
import { loadP256 } from './p256.ts'

/**
 * Osaka's precompiled contracts by their addresses (40 digits in small letters, no 0x, as `EVM.precompiles` has them): answer,
 * gas and error are those of @ethereumjs/evm's own, and none runs below 10 Mgas/s (bench/evm-precompiles). They are
 * synchronous, ask nothing of the EVM that calls them, and throw for no input: what they throw is this machine's fault.
 * Loading takes some 0.2 s; instances may be shared.
 */
export async function loadPrecompiled(): Promise<ReadonlyMap<string, PrecompileFunc>> {
  const [bn254, p256, curve] = await Promise.all([loadBn254(), loadP256(), Curve.load('bls12381')])
  const bls12381 = makeBls12381(curve)
  const contracts: readonly (readonly [address: number, contract: Contract])[] = [
    [0x01, ecrecoverContract],
    [0x02, sha256Contract],
    [0x03, ripemd160Contract],
    [0x04, identityContract],
    [0x05, modexpContract],
    [0x06, bn254.add],
    [0x07, bn254.mul],
    [0x08, bn254.pairing],
    [0x09, loadBlake2f()],
    [0x0a, makePointEvaluation(curve)],
    [0x0b, bls12381.g1Add],
    [0x0c, bls12381.g1Multiples],
    [0x0d, bls12381.g2Add],
    [0x0e, bls12381.g2Multiples],
    [0x0f, bls12381.pairing],
    [0x10, bls12381.mapToG1],
    [0x11, bls12381.mapToG2],
    [0x100, p256],
  ]
  return new Map(
    contracts.map(([address, contract]) => [address.toString(16).padStart(40, '0'), precompile(contract)]),
  )
}
