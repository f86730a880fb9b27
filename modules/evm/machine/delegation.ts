import { type Address, checkAddress } from '../../../core/address.ts'
import { concatBytes, fromHex } from '../../../core/bytes.ts'
import type { Code } from './code.ts'

/** What the code of an account begins with that delegates to another's (EIP-7702). */
const DESIGNATOR = fromHex('ef0100')
const BYTES = 23

/** The account that a program delegates to; nothing where it is one of its own. */
export function delegateOf({ bytes }: Code): Address | undefined {
  if (bytes.length !== BYTES || bytes[0] !== 0xef || bytes[1] !== 0x01 || bytes[2] !== 0x00) return undefined
  return checkAddress(bytes.subarray(3))
}

export const delegationTo = (address: Address): Uint8Array => concatBytes(DESIGNATOR, address)
