import type { Params } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import type { ModeInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { isSingleKey, verifySingle } from '../../core/crypto/account-key.ts'
import { countKeys, type PublicKey } from '../../core/crypto/public-key.ts'
import { ChainError, rethrowExhaustion, sdk } from '../../core/error.ts'
import type { GasMeter } from '../../core/gas.ts'
import type { DecodedTx } from '../../core/tx/decode.ts'
import { aminoSignBytes, directSignBytes, type SignerData } from '../../core/tx/sign-bytes.ts'
import { rejectUnknownFields } from '../../core/wire/unknown-fields.ts'

/** One signature with the key it belongs to, multisigs unfolded. */
interface Leaf {
  readonly key: PublicKey
  readonly mode: SignMode
  readonly signature: Uint8Array
}

const bit = (bytes: Uint8Array, i: number): boolean => ((bytes[i >> 3] ?? 0) & (0x80 >> (i & 7))) !== 0

/**
 * The single signatures under `mode`. Throws sdk/4 where a multisig's parts do not fit its key or fall short of its
 * threshold.
 */
function leaves(key: PublicKey, mode: ModeInfo | undefined, signature: Uint8Array): Leaf[] {
  if (key.kind !== 'multisig') {
    if (mode?.single === undefined) throw sdk.unauthorized('a single key needs a single signature')
    return [{ key, mode: mode.single.mode, signature }]
  }
  const multi = mode?.multi
  if (multi?.bitarray === undefined) throw sdk.unauthorized('a multisig key needs a multi signature')
  const { extraBitsStored, elems } = multi.bitarray
  const size = extraBitsStored === 0 ? elems.length * 8 : (elems.length - 1) * 8 + extraBitsStored
  if (size !== key.keys.length)
    throw sdk.unauthorized(`bit array size is incorrect, expecting: ${key.keys.length}`)
  let parts: Uint8Array[]
  try {
    rejectUnknownFields('cosmos.crypto.multisig.v1beta1.MultiSignature', signature, false)
    parts = MultiSignature.decode(signature).signatures
  } catch (error) {
    rethrowExhaustion(error)
    throw sdk.unauthorized('malformed multisignature')
  }
  const signing = key.keys.filter((_, i) => bit(elems, i))
  if (signing.length !== parts.length || signing.length !== multi.modeInfos.length)
    throw sdk.unauthorized('signatures, modes and bits of a multisignature differ in number')
  if (signing.length < key.threshold)
    throw sdk.unauthorized(`not enough signatures set, have ${signing.length}, expected ${key.threshold}`)
  return signing.flatMap((k, i) => leaves(k, multi.modeInfos[i], parts[i]!))
}

/** What cosmos/evm charges for a signature by a key with Ethereum's address; no parameter. */
const ETHSECP256K1_COST = 21_000n

function consumeVerification(gas: GasMeter, params: Params, kind: PublicKey['kind']): void {
  if (kind === 'ethsecp256k1') gas.consume(ETHSECP256K1_COST, 'ante verify: eth_secp256k1')
  else gas.consume(params.sigVerifyCostSecp256k1, 'ante verify: secp256k1')
}

/** Charges each signature's cost. Throws sdk/8 for ed25519 and sdk/11. */
export function consumeSignatureGas(
  gas: GasMeter,
  params: Params,
  key: PublicKey,
  mode: ModeInfo | undefined,
  signature: Uint8Array,
): void {
  for (const leaf of leaves(key, mode, signature)) {
    if (leaf.key.kind === 'ed25519') {
      gas.consume(params.sigVerifyCostEd25519, 'ante verify: ed25519')
      throw sdk.invalidPubKey('ED25519 public keys are unsupported')
    }
    consumeVerification(gas, params, leaf.key.kind)
  }
}

/** Bytes that the SDK adds to a simulated transaction for each signature that is not there yet. */
const ABSENT_SIGNATURE_BYTES = 112n

/**
 * Gas for verifying the signatures of `key` and storing its keys, where a simulation leaves them out. A key that is not
 * known may be of the dearer kind, and what was estimated is to be enough.
 */
export function consumeGasOfAbsentSignature(gas: GasMeter, params: Params, key: PublicKey | undefined): void {
  const keys = key === undefined ? 1n : BigInt(countKeys(key))
  gas.consume(params.txSizeCostPerByte * ABSENT_SIGNATURE_BYTES * keys, 'txSize')
  if (key === undefined || key.kind === 'ethsecp256k1') consumeVerification(gas, params, 'ethsecp256k1')
  else gas.consume(params.sigVerifyCostSecp256k1 * keys, 'ante verify: secp256k1')
}

/** Pure: the same arguments always give the same answer, so callers may remember it. */
export function verifySignature(
  tx: DecodedTx,
  signer: SignerData,
  key: PublicKey,
  mode: ModeInfo | undefined,
  signature: Uint8Array,
): boolean {
  try {
    const all = leaves(key, mode, signature)
    return all.length > 0 && all.every((leaf) => verifyLeaf(tx, signer, leaf))
  } catch (error) {
    if (error instanceof ChainError) return false
    throw error
  }
}

function verifyLeaf(tx: DecodedTx, signer: SignerData, { key, mode, signature }: Leaf): boolean {
  if (!isSingleKey(key)) return false
  if (mode === SignMode.SIGN_MODE_DIRECT) return verifySingle(key, directSignBytes(tx, signer), signature)
  if (mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON)
    return verifySingle(key, aminoSignBytes(tx, signer), signature)
  return false
}

/** All single signatures, in base64's raw bytes, for the `tx.signature` events. */
export function signatureParts(mode: ModeInfo | undefined, signature: Uint8Array): Uint8Array[] {
  if (mode?.multi === undefined) return [signature]
  try {
    const parts = MultiSignature.decode(signature).signatures
    return [...parts.flatMap((p, i) => signatureParts(mode.multi!.modeInfos[i], p)), signature]
  } catch (error) {
    rethrowExhaustion(error)
    return [signature]
  }
}
