import { createHash } from 'node:crypto'
import { BinaryWriter } from 'cosmjs-types/binary'
import { CompactBitArray, MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, Fee, type ModeInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { concatBytes } from '../../core/bytes.ts'
import type { Coin } from '../../core/coin.ts'
import { secp256k1PublicKey, signSecp256k1 } from '../../core/crypto/secp256k1.ts'
import { secp256k1Any } from '../../core/tx/build.ts'
import { aminoSignBytes, directSignBytes } from '../../core/tx/sign-bytes.ts'
import type { Any } from '../../core/wire/registry.ts'
import { CHAIN_ID, type User } from '../../test/kit/app/chain.ts'

/** What a transaction says besides its messages; without a word, an ordinary one whose signature is bad. */
export interface Form {
  readonly gas?: bigint
  readonly fee?: readonly Coin[]
  readonly memo?: string
  readonly mode?: SignMode
  readonly isSigned?: boolean
  /** Encoded fields behind those of the body, and of the auth info. */
  readonly bodyTail?: Uint8Array
  readonly authTail?: Uint8Array
  readonly publicKey?: Any
  readonly modeInfo?: ModeInfo
  /** In place of the one signature. */
  readonly signatures?: readonly Uint8Array[]
}

/** A transaction of one signer, who stands for whoever may make it. */
export function transaction(from: User, messages: readonly Any[], form: Form = {}): Uint8Array {
  const { gas = 1_000_000n, fee = [], memo = '', mode = SignMode.SIGN_MODE_DIRECT } = form
  const body = TxBody.fromPartial({ messages: [...messages], memo })
  const publicKey = form.publicKey ?? secp256k1Any(secp256k1PublicKey(from.privateKey))
  const modeInfo = form.modeInfo ?? { single: { mode } }
  const authInfo = AuthInfo.fromPartial({
    signerInfos: [{ publicKey, modeInfo, sequence: from.sequence }],
    fee: Fee.fromPartial({ amount: [...fee], gasLimit: gas }),
  })
  const none = new Uint8Array(0)
  const bodyBytes = concatBytes(TxBody.encode(body).finish(), form.bodyTail ?? none)
  const authInfoBytes = concatBytes(AuthInfo.encode(authInfo).finish(), form.authTail ?? none)
  const { accountNumber, sequence } = from
  const signer = { chainId: CHAIN_ID, accountNumber, sequence }
  const parts = { body, authInfo, bodyBytes, authInfoBytes }
  const signBytes = mode === SignMode.SIGN_MODE_DIRECT ? directSignBytes : aminoSignBytes
  const signature = form.isSigned ? signSecp256k1(from.privateKey, signBytes(parts, signer)) : BAD_SIGNATURE
  return TxRaw.encode({
    bodyBytes,
    authInfoBytes,
    signatures: [...(form.signatures ?? [signature])],
  }).finish()
}

/** A signature of something else: it is no malformed one, so that it is verified to the end. */
export const BAD_SIGNATURE = signSecp256k1(digest('nobody'), new Uint8Array(32))

export function digest(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest())
}

/** An address that no memory knows: another one for each text. */
export const stranger = (text: string): string => formatAddress(digest(text).subarray(0, 20) as Address)

export const operatorOf = ({ address }: Pick<User, 'address'>): string =>
  formatAddress(address, VALIDATOR_PREFIX)

/** One field with a length: what `content` repeats inside of a message. */
export const field = (number: number, content: Uint8Array): Uint8Array =>
  BinaryWriter.create()
    .uint32((number << 3) | 2)
    .bytes(content)
    .finish()

/** The same bytes over and over, up to `size`. */
export function repeated(bytes: Uint8Array, size: number): Uint8Array {
  const count = Math.max(1, Math.floor(size / bytes.length))
  const out = new Uint8Array(count * bytes.length)
  for (let i = 0; i < count; i++) out.set(bytes, i * bytes.length)
  return out
}

/** As many items as fit into `size` bytes, each of about `each`. */
export const many = <T>(size: number, each: number, make: (i: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(size / each)) }, (_, i) => make(i))

/** Mode and signature of a multisig whose first keys sign. */
export function multisigned(
  parts: readonly Uint8Array[],
  keys: number,
  mode = SignMode.SIGN_MODE_DIRECT,
): { readonly modeInfo: ModeInfo; readonly signatures: Uint8Array[] } {
  const elems = new Uint8Array(Math.ceil(keys / 8))
  for (const i of parts.keys()) elems[i >> 3]! |= 0x80 >> (i & 7)
  const bitarray = CompactBitArray.fromPartial({ extraBitsStored: keys % 8, elems })
  return {
    modeInfo: { multi: { bitarray, modeInfos: parts.map(() => ({ single: { mode } })) } },
    signatures: [MultiSignature.encode({ signatures: [...parts] }).finish()],
  }
}
