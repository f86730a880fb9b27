import * as multisigBits from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, type ModeInfo, type SignerInfo, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type Address, formatAddress, parseAddress } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import { publicKeyAny } from '../../core/crypto/account-key.ts'
import type { PublicKey } from '../../core/crypto/public-key.ts'
import { verifySecp256k1 } from '../../core/crypto/secp256k1.ts'
import { signersOf } from '../../core/tx/decode.ts'
import { aminoSignBytes, directSignBytes, type SignerData } from '../../core/tx/sign-bytes.ts'
import { registerTypes, unpackAny } from '../../core/wire/registry.ts'

registerTypes(multisigBits)

/** A transaction that is being made. */
export interface Draft {
  readonly body: TxBody
  readonly authInfo: AuthInfo
  readonly signatures: readonly Uint8Array[]
}

export type Mode = 'direct' | 'amino-json'

/** A transaction that cannot be signed so. */
export class SignError extends Error {
  override readonly name = 'SignError'
}

/** Everyone who has to sign, as core/tx/decode orders them. */
function signersOfDraft({ body, authInfo }: Draft): Address[] {
  const signers: Address[] = []
  const add = (signer: Address): void => {
    if (!signers.some((s) => equalBytes(s, signer))) signers.push(signer)
  }
  for (const any of body.messages)
    for (const signer of signersOf({ typeUrl: any.typeUrl, value: unpackAny(any) })) add(signer)
  if (authInfo.fee?.payer) add(parseAddress(authInfo.fee.payer))
  return signers
}

const single = (mode: Mode): ModeInfo => ({
  single: { mode: mode === 'direct' ? SignMode.SIGN_MODE_DIRECT : SignMode.SIGN_MODE_LEGACY_AMINO_JSON },
})

/** A multisig's mode: which members signed, all with Amino's JSON. */
function multi(key: PublicKey & { kind: 'multisig' }, signed: readonly boolean[]): ModeInfo {
  const elems = new Uint8Array(Math.ceil(key.keys.length / 8))
  signed.forEach((yes, i) => {
    if (yes) elems[i >> 3]! |= 0x80 >> (i & 7)
  })
  return {
    multi: {
      bitarray: { extraBitsStored: key.keys.length % 8, elems },
      modeInfos: signed.filter(Boolean).map(() => single('amino-json')),
    },
  }
}

/** A signer's entry for a simulation, whose signatures may be empty: a multisig counts as signed by the first members. */
export function simulatedSigner(
  key: PublicKey,
  sequence: bigint,
): { info: SignerInfo; signature: Uint8Array } {
  if (key.kind !== 'multisig')
    return {
      info: { publicKey: publicKeyAny(key), modeInfo: single('direct'), sequence },
      signature: new Uint8Array(64),
    }
  const signed = key.keys.map((_, i) => i < key.threshold)
  const signatures = signed.filter(Boolean).map(() => new Uint8Array(64))
  return {
    info: { publicKey: publicKeyAny(key), modeInfo: multi(key, signed), sequence },
    signature: MultiSignature.encode({ signatures }).finish(),
  }
}

function signable({ body, authInfo }: Draft) {
  return {
    body,
    authInfo,
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(authInfo).finish(),
  }
}

/** The place of a signer among those who sign, all before it having signed. Throws SignError. */
function placeOf(draft: Draft, address: Address): number {
  const signers = signersOfDraft(draft)
  const place = signers.findIndex((s) => equalBytes(s, address))
  if (place < 0)
    throw new SignError(
      `${formatAddress(address)} does not sign this transaction: ${signers.map((s) => formatAddress(s)).join(', ')} must`,
    )
  if (draft.signatures.length < place)
    throw new SignError(
      `${formatAddress(signers[draft.signatures.length]!)} must sign before ${formatAddress(address)}`,
    )
  return place
}

function withSigner(draft: Draft, place: number, info: SignerInfo): Draft {
  const signerInfos = [...draft.authInfo.signerInfos]
  signerInfos[place] = info
  return { ...draft, authInfo: { ...draft.authInfo, signerInfos } }
}

function withSignature(draft: Draft, place: number, signature: Uint8Array): Draft {
  const signatures = [...draft.signatures]
  signatures[place] = signature
  return { ...draft, signatures }
}

/** Signs for one key; `sign` makes a 64-byte signature. Rejects with SignError. */
export async function signDraft(
  draft: Draft,
  key: PublicKey,
  data: SignerData,
  mode: Mode,
  sign: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Draft> {
  const place = placeOf(draft, key.address)
  if (mode === 'direct' && signersOfDraft(draft).length > 1)
    throw new SignError('several must sign this transaction: each signs with --sign-mode amino-json')
  const info: SignerInfo = { publicKey: publicKeyAny(key), modeInfo: single(mode), sequence: data.sequence }
  const prepared = withSigner(draft, place, info)
  const bytes = (mode === 'direct' ? directSignBytes : aminoSignBytes)(signable(prepared), data)
  return withSignature(prepared, place, await sign(bytes))
}

/** A member's 64-byte signature for a multisig account, over Amino's JSON. `data` is of the multisig account. */
export async function signForMultisig(
  draft: Draft,
  data: SignerData,
  sign: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  return sign(aminoSignBytes(signable(draft), data))
}

/** Joins members' signatures, given by member address, into the multisig's. Throws SignError. */
export function joinSignatures(
  draft: Draft,
  key: PublicKey & { kind: 'multisig' },
  data: SignerData,
  given: readonly { readonly key: Uint8Array; readonly signature: Uint8Array }[],
): Draft {
  const place = placeOf(draft, key.address)
  const bytes = aminoSignBytes(signable(draft), data)
  const found = key.keys.map((member) =>
    given.find((g) => member.kind !== 'multisig' && equalBytes(g.key, member.key)),
  )
  for (const { key: member } of given)
    if (!key.keys.some((k) => k.kind !== 'multisig' && equalBytes(k.key, member)))
      throw new SignError('a signature is by a key that is no member of the multisig key')
  for (const entry of found)
    if (entry && !verifySecp256k1(entry.key, bytes, entry.signature))
      throw new SignError(
        'a signature does not verify: it was made for another transaction, chain, account number or sequence',
      )
  const signatures = found.flatMap((entry) => (entry ? [entry.signature] : []))
  if (signatures.length < key.threshold)
    throw new SignError(`${signatures.length} members have signed, but ${key.threshold} must`)
  const info = {
    publicKey: publicKeyAny(key),
    modeInfo: multi(
      key,
      found.map((e) => e !== undefined),
    ),
    sequence: data.sequence,
  }
  return withSignature(withSigner(draft, place, info), place, MultiSignature.encode({ signatures }).finish())
}
