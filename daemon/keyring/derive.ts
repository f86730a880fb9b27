import { HDKey } from '@scure/bip32'
import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** SLIP-44's number of Cosmos. */
export const COIN_TYPE = 118

/** Cosmos's path: first account, first address. */
export const defaultPath = `m/44'/${COIN_TYPE}'/0'/0/0`

/** A fresh mnemonic of 24 words. */
export const newMnemonic = (): string => generateMnemonic(wordlist, 256)

/** Lower case with single spaces. Undefined where the words or their checksum are wrong. */
export function readMnemonic(text: string): string | undefined {
  const words = text.trim().toLowerCase().split(/\s+/).join(' ')
  return validateMnemonic(words, wordlist) ? words : undefined
}

/** The 32-byte secp256k1 key at a BIP-32 path. */
export async function derivePrivateKey(mnemonic: string, path: string = defaultPath): Promise<Uint8Array> {
  const { privateKey } = HDKey.fromMasterSeed(await mnemonicToSeed(mnemonic)).derive(path)
  if (!privateKey) throw new Error(`no private key at ${path}`)
  return privateKey
}
