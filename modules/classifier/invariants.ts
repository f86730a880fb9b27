import { compareBytes, equalBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { WINDOW } from './bit-window.ts'
import { rosterOf } from './roster.ts'
import * as state from './state.ts'
import { MAX_SCORE } from './vote-report.ts'

/** Records are in the order of their addresses, each once, with scores that are some. */
function rosterIsWellFormed(ctx: Context): string | undefined {
  const { records, proposals } = rosterOf(ctx)
  if (proposals.length > WINDOW) return `${proposals.length} proposals are remembered`
  for (const [
    i,
    { address, score, turns, idleTurns, streak, age, missedWindow, nilWindow },
  ] of records.entries()) {
    if (i > 0 && compareBytes(records[i - 1]!.address, address) >= 0) return `record ${i} is out of order`
    if (score < 0 || score > MAX_SCORE) return `record ${i} has a score of ${score}`
    for (const window of [missedWindow, nilWindow])
      if (window.length !== 0 && (window.length !== WINDOW >> 3 || window.every((byte) => byte === 0)))
        return `record ${i} has an empty window`
    if (!Number.isSafeInteger(turns) || !Number.isSafeInteger(idleTurns) || streak > age)
      return `record ${i} counts ${turns}, ${streak}, ${age}`
  }
  return undefined
}

/** Each operator's agent key leads back to it, and no other key does. */
function agentKeysHaveOwners(ctx: Context): string | undefined {
  let keys = 0
  for (const [operator, key] of state.agentKeys.entries(ctx)) {
    keys++
    const owner = state.agentKeyOwners.get(ctx, key)
    if (owner === undefined || !equalBytes(owner, operator)) return 'an agent key has another owner'
  }
  for (const _ of state.agentKeyOwners.entries(ctx)) keys--
  return keys === 0 ? undefined : 'an owner has another agent key'
}

export const invariants = { rosterIsWellFormed, agentKeysHaveOwners }
