import { bech32 } from '@scure/base'
import { sha256, utf8 } from './bytes.ts'
import { type ChainError, rethrowExhaustion, sdk, unregistered } from './error.ts'
import { keyOf, memory } from './remembered.ts'

declare const brand: unique symbol
/** An account's 20 or 32 bytes (validator operators and consensus keys have one too). */
export type Address = Uint8Array & { readonly [brand]: 'Address' }

export const ACCOUNT_PREFIX = 'fornax'
export const VALIDATOR_PREFIX = 'fornaxvaloper'
export const CONSENSUS_PREFIX = 'fornaxvalcons'
type Prefix = typeof ACCOUNT_PREFIX | typeof VALIDATOR_PREFIX | typeof CONSENSUS_PREFIX

const ofModules = memory<Address>(64 * 1024, (address) => address.length)
const parsed = memory<Address>(16 * 1024 * 1024, (address) => address.length)
const formatted = memory<string>(16 * 1024 * 1024, (text) => text.length)

/** The address in bech32 text, as the SDK's codec reads those of signers. Throws undefined/1, sdk/9, or sdk/35 for another prefix. */
export function decodeAddress(text: string, prefix: Prefix = ACCOUNT_PREFIX): Address {
  const key = keyOf(prefix, text)
  return parsed.get(key) ?? parsed.set(key, readAddress(text, prefix))
}

function readAddress(text: string, prefix: Prefix): Address {
  if (text.trim() === '') throw unregistered('empty address string is not allowed')
  let decoded: { prefix: string; words: number[] }
  let bytes: Uint8Array
  try {
    decoded = bech32.decode(text as `${string}1${string}`, 1023)
    bytes = bech32.fromWords(decoded.words)
  } catch (error) {
    rethrowExhaustion(error)
    throw unregistered(`decoding bech32 failed: ${(error as Error).message}`)
  }
  if (decoded.prefix !== prefix)
    throw sdk.logic(`invalid Bech32 prefix; expected ${prefix}, got ${decoded.prefix}`)
  return checkAddress(bytes)
}

/** Whether the text claims to have the prefix. All capitals are valid bech32 (BIP-173), and the SDK takes them. */
export const hasPrefix = (text: string, prefix: Prefix): boolean =>
  text.startsWith(`${prefix}1`) || text.startsWith(`${prefix}1`.toUpperCase())

/** The address in bech32 text, in small letters or in capitals. Throws sdk/7 `invalid address`. */
export function parseAddress(text: string, prefix: Prefix = ACCOUNT_PREFIX): Address {
  try {
    return decodeAddress(text, prefix)
  } catch (error) {
    rethrowExhaustion(error)
    // The SDK's text of sdk/35 for another prefix says of the caller's fault that it is the node's.
    const fault = (error as ChainError).message.replace(/: internal logic error$/, '')
    throw sdk.invalidAddress(fault, { address: text })
  }
}

/** The bytes as an address. Throws sdk/9 where they are none or more than 255. */
export function checkAddress(bytes: Uint8Array): Address {
  if (bytes.length === 0) throw sdk.unknownAddress('addresses cannot be empty')
  if (bytes.length > 255) throw sdk.unknownAddress(`address max length is 255, got ${bytes.length}`)
  return bytes as Address
}

export function isAddress(text: string, prefix: Prefix = ACCOUNT_PREFIX): boolean {
  try {
    parseAddress(text, prefix)
    return true
  } catch (error) {
    rethrowExhaustion(error)
    return false
  }
}

export function formatAddress(address: Uint8Array, prefix: Prefix = ACCOUNT_PREFIX): string {
  const key = keyOf(prefix, address)
  return formatted.get(key) ?? formatted.set(key, bech32.encode(prefix, bech32.toWords(address), 1023))
}

/** A module's account: the first 20 bytes of sha256 of its name, as the SDK's `NewModuleAddress`. */
export function moduleAddress(name: string): Address {
  const key = keyOf(name)
  return ofModules.get(key) ?? ofModules.set(key, sha256(utf8(name)).slice(0, 20) as Address)
}
