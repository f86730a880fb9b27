import { HDKey } from '@scure/bip32'
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { KeyType } from '../../core/crypto/account-key.ts'

/** The kind of key that is made where no other is asked for. */
export const DEFAULT_KEY_TYPE: KeyType = 'ethsecp256k1'

/** SLIP-44's numbers: Ethereum's and Cosmos's. */
const COIN_TYPES: Readonly<Record<KeyType, number>> = { ethsecp256k1: 60, secp256k1: 118 }

/** SLIP-44's number for keys of the kind. */
export const coinTypeOf = (type: KeyType): number => COIN_TYPES[type]

/** The path at which wallets have a mnemonic's first key of the kind: first account, first address. */
export const pathOf = (type: KeyType): string => `m/44'/${coinTypeOf(type)}'/0'/0/0`

/** A fresh mnemonic of 24 words. */
export const newMnemonic = (): string => generateMnemonic(wordlist, 256)

/** Lower case with single spaces. Undefined where the words or their checksum are wrong. */
export function readMnemonic(text: string): string | undefined {
  const words = text.trim().toLowerCase().split(/\s+/).join(' ')
  return validateMnemonic(words, wordlist) ? words : undefined
}

/** The 32-byte secp256k1 key at a BIP-32 path. */
export async function derivePrivateKey(mnemonic: string, path: string): Promise<Uint8Array> {
  const { privateKey } = HDKey.fromMasterSeed(await mnemonicToSeed(mnemonic)).derive(path)
  if (!privateKey) throw new Error(`no private key at ${path}`)
  return privateKey
}
