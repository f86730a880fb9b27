import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import * as slashing from '../slashing/api.ts'
import * as staking from '../staking/api.ts'
import { KEPT_JAILS } from './jail.ts'
import * as state from './state.ts'

const text = (operator: Address): string => formatAddress(operator, VALIDATOR_PREFIX)

/** A banned validator is in jail for good. */
function bannedAreOut(ctx: Context): string | undefined {
  for (const [operator] of state.bans.entries(ctx)) {
    const jailed = staking.validator(ctx, operator)?.jailed
    if (jailed === false) return `${text(operator)} is banned and not in jail`
    if (jailed && !slashing.isTombstoned(ctx, operator))
      return `${text(operator)} is banned and may come back`
  }
  return undefined
}

function marksAreUnderBans(ctx: Context): string | undefined {
  for (const [[node]] of state.banMarks.entries(ctx))
    if (!state.bans.has(ctx, node)) return `a mark on ${text(node)}, which is not banned`
  return undefined
}

/** Who is in the agents' jail has one time at which it may leave, and the other way round. */
function jailsHaveReleases(ctx: Context): string | undefined {
  let releases = 0
  for (const [[height, operator]] of state.releases.entries(ctx)) {
    releases++
    const { jailedUntil } = state.standings.get(ctx, operator) ?? { jailedUntil: 0n }
    if (jailedUntil !== height)
      return `${text(operator)} is to leave jail at ${height}, its standing says ${jailedUntil}`
  }
  let jails = 0
  for (const [, { jailedUntil }] of state.standings.entries(ctx)) if (jailedUntil > 0n) jails++
  return jails === releases ? undefined : `${jails} in the agents’ jail, ${releases} to leave it`
}

/** Heavy penalties are remembered in their order, and not without bound. */
function jailsAreInOrder(ctx: Context): string | undefined {
  for (const [operator, { jails }] of state.standings.entries(ctx)) {
    if (jails.length > KEPT_JAILS) return `${text(operator)} has ${jails.length} jails`
    if (jails.some(({ height }, i) => height > ctx.height || height < (jails[i - 1]?.height ?? 0n)))
      return `the jails of ${text(operator)} are out of order`
  }
  return undefined
}

export const invariants = { jailsAreInOrder, bannedAreOut, marksAreUnderBans, jailsHaveReleases }
