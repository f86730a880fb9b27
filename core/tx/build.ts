import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, type SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Coin } from '../coin.ts'
import { SECP256K1_URL } from '../crypto/public-key.ts'
import { secp256k1PublicKey, signSecp256k1 } from '../crypto/secp256k1.ts'
import type { Any } from '../wire/registry.ts'
import { aminoSignBytes, directSignBytes, type SignerData } from './sign-bytes.ts'

export interface UnsignedTx {
  readonly messages: readonly Any[]
  readonly fee: { readonly amount: readonly Coin[]; readonly gasLimit: bigint; readonly payer?: string }
  readonly memo?: string
  readonly timeoutHeight?: bigint
}

export interface SignerKey {
  readonly privateKey: Uint8Array
  readonly accountNumber: bigint
  readonly sequence: bigint
}

export const secp256k1Any = (publicKey: Uint8Array): Any => ({
  typeUrl: SECP256K1_URL,
  value: PubKey.encode({ key: publicKey }).finish(),
})

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
  const infos = keys.map((k) =>
    singleSigner(secp256k1Any(secp256k1PublicKey(k.privateKey)), k.sequence, mode),
  )
  const parts = unsignedTx(tx, infos)
  const bytesFor = mode === SignMode.SIGN_MODE_DIRECT ? directSignBytes : aminoSignBytes
  const signatures = keys.map((k) => {
    const signer: SignerData = { chainId, accountNumber: k.accountNumber, sequence: k.sequence }
    return signSecp256k1(k.privateKey, bytesFor(parts, signer))
  })
  return TxRaw.encode({ bodyBytes: parts.bodyBytes, authInfoBytes: parts.authInfoBytes, signatures }).finish()
}
