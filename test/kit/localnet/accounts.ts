import {
  DirectEthSecp256k1HdWallet,
  DirectSecp256k1HdWallet,
  type OfflineDirectSigner,
} from '@cosmjs/proto-signing'
import { ACCOUNT_PREFIX } from '../../../core/address.ts'
import { fromHex } from '../../../core/bytes.ts'
import type { KeyType } from '../../../core/crypto/account-key.ts'
import type { AccountInfo, LocalnetInfo } from '../../../localnet/info.ts'

/** A funded account of a local network. */
export function accountOf(info: LocalnetInfo, name: string): AccountInfo {
  const found = info.accounts.find((a) => a.name === name)
  if (found === undefined) throw new Error(`no account ${name}`)
  return found
}

/** CosmJS's wallet of an account, made of its mnemonic as a user makes one. */
export function walletOf({ key_type, mnemonic }: AccountInfo): Promise<OfflineDirectSigner> {
  const Wallet = key_type === 'ethsecp256k1' ? DirectEthSecp256k1HdWallet : DirectSecp256k1HdWallet
  return Wallet.fromMnemonic(mnemonic, { prefix: ACCOUNT_PREFIX })
}

/** What signs for an account, as `signTx` takes it. */
export const keyOfAccount = ({
  key_type,
  private_key,
}: AccountInfo): { readonly keyType: KeyType; readonly privateKey: Uint8Array } => ({
  keyType: key_type,
  privateKey: fromHex(private_key!.slice(2)),
})
