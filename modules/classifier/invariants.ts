import { compareBytes, equalBytes, toLatin1 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { WINDOW } from './bit-window.ts'
import { FIRST_TURN } from './former-members.ts'
import { FULL, MOST_TURNS } from './record-block.ts'
import { MAX_SCORE } from './report.ts'
import { rosterOf } from './roster.ts'
import * as state from './state.ts'

/** Records are in the order of their addresses, each once, with scores that are some. */
function rosterIsWellFormed(ctx: Context): string | undefined {
  const { records, proposers } = rosterOf(ctx)
  if (proposers.length > WINDOW) return `${proposers.length} proposers are remembered`
  for (const [i, record] of records.entries()) {
    const { address, score, turns, streak, age, missedWindow, nilWindow } = record
    if (i > 0 && compareBytes(records[i - 1]!.address, address) >= 0) return `record ${i} is out of order`
    if (score < 0 || score > MAX_SCORE) return `record ${i} has a score of ${score}`
    for (const window of [missedWindow, nilWindow])
      if (window.length !== 0 && (window.length !== WINDOW >> 3 || window.every((byte) => byte === 0)))
        return `record ${i} has an empty window`
    if (turns < FIRST_TURN || turns > MOST_TURNS || streak > age)
      return `record ${i} counts ${turns}, ${streak}, ${age}`
    for (const average of [record.missedLong, record.lostLong, record.disagreementLong])
      if (average < 0 || average > FULL) return `record ${i} has an average of ${average}`
  }
  return undefined
}

/** Who left is remembered once, with the height at which it did, and is not on the roster. */
function formerMembersAreAway(ctx: Context): string | undefined {
  const members = new Set(rosterOf(ctx).records.map(({ address }) => toLatin1(address)))
  let departures = 0
  for (const _ of state.departures.entries(ctx)) departures++
  for (const [address, { leftAt }] of state.formerMembers.entries(ctx)) {
    departures--
    if (members.has(toLatin1(address))) return 'a former member is on the roster'
    if (!state.departures.has(ctx, [leftAt, address])) return `nobody left at ${leftAt}`
  }
  return departures === 0 ? undefined : 'a departure is nobody’s'
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

export const invariants = { rosterIsWellFormed, formerMembersAreAway, agentKeysHaveOwners }
