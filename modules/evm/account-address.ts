import { type Address, checkAddress, parseAddress } from '../../core/address.ts'
import { fromHex } from '../../core/bytes.ts'
import { sdk } from '../../core/error.ts'

const HEX = /^0x[0-9a-fA-F]{40}$/

/** An account's address in either form: 0x…, in any capitals, or fornax1…. Throws sdk/7. */
export function parseEitherAddress(text: string): Address {
  if (HEX.test(text)) return checkAddress(fromHex(text.slice(2)))
  if (/^0x/i.test(text)) throw sdk.invalidAddress(`${text.slice(0, 100)} has not 40 hexadecimal digits`)
  return parseAddress(text)
}
