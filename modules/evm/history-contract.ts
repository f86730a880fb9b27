import { type Address, checkAddress } from '../../core/address.ts'
import { fromHex } from '../../core/bytes.ts'

/** The contract that serves the hashes of the last blocks (EIP-2935). */
export const HISTORY_ADDRESS: Address = checkAddress(fromHex('0000f90827f1c53a10cb7a02335b175320002935'))
const WINDOW = 8191n

/** Where it has the hash of a block. */
export const historySlot = (number: bigint): bigint => number % WINDOW
