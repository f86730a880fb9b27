import { concatBytes, fromHex, utf8 } from '../../../core/bytes.ts'
import { WORD, wordBytes } from './word.ts'

/** Selector of `Error(string)`. */
const ERROR_SELECTOR = fromHex('08c379a0')

/** What Solidity's `revert("reason")` reverts with. */
export function revertReason(reason: string): Uint8Array {
  const text = utf8(reason)
  const padded = new Uint8Array(Math.floor((text.length + WORD - 1) / WORD) * WORD)
  padded.set(text)
  return concatBytes(ERROR_SELECTOR, wordBytes(BigInt(WORD)), wordBytes(BigInt(text.length)), padded)
}
