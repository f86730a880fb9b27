import { compareBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { rosterOf } from './roster.ts'
import { MAX_SCORE } from './vote-report.ts'

/** Records are in the order of their addresses, each once, with scores that are some. */
function rosterIsWellFormed(ctx: Context): string | undefined {
  const { records } = rosterOf(ctx)
  for (const [i, { address, score, turns, streak, age }] of records.entries()) {
    if (i > 0 && compareBytes(records[i - 1]!.address, address) >= 0) return `record ${i} is out of order`
    if (score < 0 || score > MAX_SCORE) return `record ${i} has a score of ${score}`
    if (!Number.isSafeInteger(turns) || streak > age) return `record ${i} counts ${turns}, ${streak}, ${age}`
  }
  return undefined
}

export const invariants = { rosterIsWellFormed }
