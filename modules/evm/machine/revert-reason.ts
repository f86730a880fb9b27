import { concatBytes, equalBytes, fromHex, utf8 } from '../../../core/bytes.ts'
import { numberOf, WORD, wordBytes, wordOf } from './word.ts'

/** Selector of `Error(string)`. */
const ERROR_SELECTOR = fromHex('08c379a0')

/** What Solidity's `revert("reason")` reverts with. */
export function revertReason(reason: string): Uint8Array {
  const text = utf8(reason)
  const padded = new Uint8Array(Math.floor((text.length + WORD - 1) / WORD) * WORD)
  padded.set(text)
  return concatBytes(ERROR_SELECTOR, wordBytes(BigInt(WORD)), wordBytes(BigInt(text.length)), padded)
}

/** Longer ones are cut when they are told. */
const MAX_TOLD = 1000

/** The reason in what `revert("reason")` reverts with; nothing where it is something else. */
export function reasonOf(output: Uint8Array): string | undefined {
  const head = ERROR_SELECTOR.length + 2 * WORD
  if (output.length < head || !equalBytes(output.subarray(0, 4), ERROR_SELECTOR)) return undefined
  const length = numberOf(wordOf(output.subarray(head - WORD, head)))
  if (length > output.length - head) return undefined
  const text = output.subarray(head, head + Math.min(length, MAX_TOLD))
  return new TextDecoder().decode(text)
}
