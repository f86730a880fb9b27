import { fromHex } from '../../../core/bytes.ts'

/**
 * A program that stores the first word of its input in slot 0, logs it under the topic 0xee and returns it; it reverts with it
 * where it begins with 0xff.
 */
export const RUNTIME = '600035806000528060f81c60ff1460205760005560ee60206000a160206000f35b60206000fd'
/** Creates a contract with it. */
export const CREATION = fromHex(`6026600c60003960266000f3${RUNTIME}`)

export const word = (value: bigint): Uint8Array => fromHex(value.toString(16).padStart(64, '0'))
/** An input that it reverts with. */
export const REVERTED = word((0xffn << 248n) | 7n)
