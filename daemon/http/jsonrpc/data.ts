import { fromHex, toHex } from '../../../core/bytes.ts'
import { hexDigits, Malformed } from './hex.ts'

/** Bytes as Ethereum's JSON-RPC writes them: two digits each, behind 0x. */
export const encodeData = (bytes: Uint8Array): string => `0x${toHex(bytes)}`

/** Reads bytes, of this length if one is given. Throws Malformed. */
export function decodeData(value: unknown, length?: number): Uint8Array {
  const digits = hexDigits(value)
  if (digits.length % 2 !== 0) throw new Malformed('hex string of odd length')
  if (length !== undefined && digits.length !== 2 * length)
    throw new Malformed(`hex string has length ${digits.length}, want ${2 * length}`)
  return fromHex(digits)
}
