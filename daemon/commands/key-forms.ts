import { fromBase64, fromHex, toBase64 } from '../../core/bytes.ts'
import {
  isSingleKey,
  type KeyType,
  publicKeyOf,
  singleKey,
  singleKeyUrl,
} from '../../core/crypto/account-key.ts'
import {
  ETHERMINT_URL,
  ETHSECP256K1_URL,
  MULTISIG_URL,
  type PublicKey,
  SECP256K1_URL,
} from '../../core/crypto/public-key.ts'
import { checksumAddress } from '../../core/hex-address.ts'
import type { Json } from '../../core/wire/json.ts'
import { coinTypeOf, DEFAULT_KEY_TYPE } from '../keyring/derive.ts'
import { accountAddress, type Key, thresholdKey } from '../keyring/record.ts'
import { CliError, exitCodes } from './exit.ts'

/** The option by which a command is told the kind of key. */
export const keyTypeOption = [
  '--key-type <type>',
  'ethsecp256k1, of coin type 60, which is an account of Ethereum wallets too; or secp256k1, of coin type 118',
] as const

/** cosmos/evm's keyring calls the one kind by another name. */
const SPELLINGS: Readonly<Record<string, KeyType>> = {
  ethsecp256k1: 'ethsecp256k1',
  eth_secp256k1: 'ethsecp256k1',
  secp256k1: 'secp256k1',
}

/** The kind that was asked for; undefined where none was. */
export function readKeyType(text: string | undefined): KeyType | undefined {
  if (text === undefined) return undefined
  if (Object.hasOwn(SPELLINGS, text)) return SPELLINGS[text]
  throw new CliError(`--key-type must be ethsecp256k1 or secp256k1, not ${text}`, exitCodes.usage)
}

/** The kind of key that wallets have at a BIP-32 path; undefined where its coin type tells nothing. */
export function keyTypeAt(path: string | undefined): KeyType | undefined {
  const coinType = /^m\/44'\/(\d+)'/.exec(path ?? '')?.[1]
  return (['ethsecp256k1', 'secp256k1'] as const).find((type) => `${coinTypeOf(type)}` === coinType)
}

/** The SDK's JSON of a public key. */
export function publicKeyJson(key: PublicKey): Json {
  if (key.kind === 'multisig')
    return { '@type': MULTISIG_URL, threshold: key.threshold, public_keys: key.keys.map(publicKeyJson) }
  const url = isSingleKey(key) ? singleKeyUrl(key.kind) : SECP256K1_URL
  return { '@type': url, key: toBase64(key.key) }
}

export const keyJson = ({ name, kind, publicKey }: Key): { [key: string]: Json } => ({
  name,
  type: kind,
  address: accountAddress(publicKey),
  evm_address: checksumAddress(publicKey.address),
  pubkey: publicKeyJson(publicKey),
})

/** What a key is, in words: `local, ethsecp256k1`. */
export const kindOf = ({ kind, publicKey }: Key): string =>
  kind === publicKey.kind ? kind : `${kind}, ${publicKey.kind}`

export const describeKey = (key: Key): string =>
  `${key.name}  ${accountAddress(key.publicKey)}  ${checksumAddress(key.publicKey.address)}  (${kindOf(key)})`

/**
 * In words, which account it would be as secp256k1, where what was given may as well have been one: `what` with the
 * 32-byte secret that it has as one.
 */
export function orSecp256k1(what: string, secret: Uint8Array): string {
  const address = accountAddress(publicKeyOf('secp256k1', secret))
  return (
    `this ${what} is taken for one of coin type ${coinTypeOf('ethsecp256k1')} (ethsecp256k1). As one of coin type ` +
    `${coinTypeOf('secp256k1')} (secp256k1) its account is ${address}: if you mean that, delete this key and add it ` +
    'again with --key-type secp256k1.'
  )
}

const URLS: Readonly<Record<string, KeyType>> = {
  [ETHSECP256K1_URL]: 'ethsecp256k1',
  [ETHERMINT_URL]: 'ethsecp256k1',
  [SECP256K1_URL]: 'secp256k1',
}

/** A public key as `keys show --pubkey` prints it, or its bytes in hex, which are of the kind `type`. */
export function readPublicKey(text: string, type: KeyType = DEFAULT_KEY_TYPE): PublicKey {
  try {
    if (!text.trim().startsWith('{')) return singleKey(type, fromHex(text.trim().replace(/^0x/i, '')))
    const { '@type': url = '', ...json } = JSON.parse(text) as {
      '@type'?: string
      key?: string
      threshold?: number
      public_keys?: unknown[]
    }
    if (url === MULTISIG_URL)
      return thresholdKey(
        Number(json.threshold),
        (json.public_keys ?? []).map((k) => readPublicKey(JSON.stringify(k))),
      )
    if (Object.hasOwn(URLS, url)) return singleKey(URLS[url]!, fromBase64(String(json.key)))
  } catch {}
  throw new CliError('--pubkey must be 33 bytes in hex, or the JSON that `fornaxd keys show --pubkey` prints')
}
