import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { equalBytes, sha256 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { parsePublicKey } from '../../core/crypto/public-key.ts'
import type { Key, Memory } from '../../core/remembered.ts'
import type { DecodedTx } from '../../core/tx/decode.ts'
import { directSignBytes } from '../../core/tx/sign-bytes.ts'
import { account } from '../auth/api.ts'
import { type GasPrice, requireMinimumFee } from './fees.ts'
import { signatureId } from './signature-id.ts'

/** An ECDSA signature over secp256k1 to be verified, and what it is remembered by when it is good. */
export interface AwaitedSignature {
  readonly id: Key
  /** 33 bytes, compressed. */
  readonly publicKey: Uint8Array
  /** 32 bytes: sha256 of the sign bytes. */
  readonly digest: Uint8Array
  /** 64 bytes, R‖S. */
  readonly signature: Uint8Array
}

interface AwaitedOptions {
  readonly minimumGasPrices: readonly GasPrice[]
  readonly verified: Memory<true>
}

/** Transactions of one account that may wait together. */
const MOST_SEQUENCES = 1_000n

/**
 * The signature that a check of this transaction will come to: of the usual kind, a single secp256k1 key in
 * SIGN_MODE_DIRECT, with a fee and a sequence that may do; absent for any other, and for one that is remembered. Throws
 * sdk/8, and sdk/13 for too small a fee.
 */
export function awaitedSignature(
  ctx: Context,
  tx: DecodedTx,
  { minimumGasPrices, verified }: AwaitedOptions,
): AwaitedSignature | undefined {
  const { fee } = tx.authInfo
  if (fee === undefined) return undefined
  requireMinimumFee(fee.amount, fee.gasLimit, minimumGasPrices)
  const [address, ...more] = tx.signers
  const [signature] = tx.signatures
  const [info] = tx.authInfo.signerInfos
  if (address === undefined || more.length > 0 || signature?.length !== 64) return undefined
  if (info?.modeInfo?.single?.mode !== SignMode.SIGN_MODE_DIRECT) return undefined
  const signer = account(ctx, address)
  const offered = signer?.pubKey ?? info.publicKey
  if (signer === undefined || offered === undefined) return undefined
  if (info.sequence < signer.sequence || info.sequence >= signer.sequence + MOST_SEQUENCES) return undefined
  const key = parsePublicKey(offered)
  if (key.kind !== 'secp256k1' || !equalBytes(key.address, address)) return undefined
  const { accountNumber } = signer
  const id = signatureId(tx, address, accountNumber, info.sequence)
  if (verified.get(id)) return undefined
  const { chainId } = ctx.block
  const signed = directSignBytes(tx, { chainId, accountNumber, sequence: info.sequence })
  return { id, publicKey: key.key, digest: sha256(signed), signature }
}
