import { type Address, parseAddress } from './address.ts'
import { fromHex, toHex, utf8 } from './bytes.ts'
import { keccak256 } from './crypto/keccak.ts'
import { sdk } from './error.ts'

/** Bytes of an address that has Ethereum's form. */
const LENGTH = 20

/** An account's 20 bytes as Ethereum writes them: 0x, and 40 digits whose case is a checksum (EIP-55). */
export function checksumAddress(address: Uint8Array): string {
  if (address.length !== LENGTH)
    throw sdk.invalidAddress(`an address of ${address.length} bytes has no 0x form`)
  const digits = toHex(address)
  const digest = toHex(keccak256(utf8(digits)))
  const cased = [...digits].map((digit, i) => (digest[i]! >= '8' ? digit.toUpperCase() : digit))
  return `0x${cased.join('')}`
}

/** The same; undefined where the address has other than 20 bytes, and with them no such form. */
export const hexForm = (address: Uint8Array): string | undefined =>
  address.length === LENGTH ? checksumAddress(address) : undefined

/** Whether the text means to be an address in Ethereum's form. */
export const isHexForm = (text: string): boolean => /^0x/i.test(text)

/**
 * The address in Ethereum's form. Digits of one case have no checksum; where the case is mixed it must be EIP-55's. Throws
 * sdk/7 `invalid address`.
 */
function parseHexAddress(text: string): Address {
  const refuse = (why: string): never => {
    throw sdk.invalidAddress(why, { address: text })
  }
  const [, digits] = /^0x([0-9a-fA-F]{40})$/.exec(text) ?? []
  if (digits === undefined)
    return refuse(
      `an address in hex is 0x and 40 hexadecimal digits, not ${JSON.stringify(text.slice(0, 100))}`,
    )
  const address = fromHex(digits.toLowerCase()) as Address
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && checksumAddress(address) !== text)
    return refuse(`the checksum of ${text} is wrong: a digit is mistyped, or the case of a letter`)
  return address
}

/** The account's address in either form, fornax1… or 0x…. Throws sdk/7 `invalid address`. */
export const parseEitherAddress = (text: string): Address =>
  isHexForm(text) ? parseHexAddress(text) : parseAddress(text)
