import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Coin } from '../coin.ts'
import { type KeyType, publicKeyAny, publicKeyOf, signAs } from '../crypto/account-key.ts'
import { SECP256K1_URL } from '../crypto/public-key.ts'
import { type Any, packAny } from '../wire/registry.ts'
import { aminoSignBytes, directSignBytes, type SignerData } from './sign-bytes.ts'

export interface UnsignedTx {
  readonly messages: readonly Any[]
  readonly fee: { readonly amount: readonly Coin[]; readonly gasLimit: bigint; readonly payer?: string }
  readonly memo?: string
  readonly timeoutHeight?: bigint
}

export interface SignerKey {
  readonly privateKey: Uint8Array
  /** secp256k1 where it is left out. */
  readonly keyType?: KeyType
  readonly accountNumber: bigint
  readonly sequence: bigint
}

export const secp256k1Any = (publicKey: Uint8Array): Any =>
  packAny(SECP256K1_URL.slice(1), { key: publicKey })

export function singleSigner(
  publicKey: Any,
  sequence: bigint,
  mode: SignMode = SignMode.SIGN_MODE_DIRECT,
): SignerInfo {
  return { publicKey, modeInfo: { single: { mode } }, sequence }
}

/** Body and auth info as they are signed, and decoded beside their bytes. */
export function unsignedTx(
  tx: UnsignedTx,
  signerInfos: SignerInfo[],
): {
  body: TxBody
  authInfo: AuthInfo
  bodyBytes: Uint8Array
  authInfoBytes: Uint8Array
} {
  const body = TxBody.fromPartial({
    messages: [...tx.messages],
    memo: tx.memo ?? '',
    timeoutHeight: tx.timeoutHeight ?? 0n,
  })
  const authInfo = AuthInfo.fromPartial({
    signerInfos,
    fee: { amount: [...tx.fee.amount], gasLimit: tx.fee.gasLimit, payer: tx.fee.payer ?? '' },
  })
  return {
    body,
    authInfo,
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(authInfo).finish(),
  }
}

/** The gas limit of every transaction whose message has a proof of its own. */
export const SELF_AUTHENTICATED_GAS = 200_000n

/** The one transaction of a message that carries a proof of its own. */
export const selfAuthenticatedTx = (message: Any): Uint8Array => signerlessTx(message, SELF_AUTHENTICATED_GAS)

/** A transaction of one message without signer, fee and memo. */
export function signerlessTx(message: Any, gasLimit: bigint): Uint8Array {
  const { bodyBytes, authInfoBytes } = unsignedTx({ messages: [message], fee: { amount: [], gasLimit } }, [])
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [] }).finish()
}

/** A transaction's bytes, signed in order by each key with SIGN_MODE_DIRECT or LEGACY_AMINO_JSON. */
export function signTx(
  tx: UnsignedTx,
  chainId: string,
  keys: readonly SignerKey[],
  mode: SignMode = SignMode.SIGN_MODE_DIRECT,
): Uint8Array {
  const infos = keys.map(({ keyType = 'secp256k1', privateKey, sequence }) =>
    singleSigner(publicKeyAny(publicKeyOf(keyType, privateKey)), sequence, mode),
  )
  const parts = unsignedTx(tx, infos)
  const bytesFor = mode === SignMode.SIGN_MODE_DIRECT ? directSignBytes : aminoSignBytes
  const signatures = keys.map((k) => {
    const signer: SignerData = { chainId, accountNumber: k.accountNumber, sequence: k.sequence }
    return signAs(k.keyType ?? 'secp256k1', k.privateKey, bytesFor(parts, signer))
  })
  return TxRaw.encode({ bodyBytes: parts.bodyBytes, authInfoBytes: parts.authInfoBytes, signatures }).finish()
}
