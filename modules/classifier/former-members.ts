import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { ValidatorRecord } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { passedOver } from './bit-window.ts'
import * as state from './state.ts'

/** A day of blocks of 5 s: whoever comes back within it comes back to its record. */
export const KEPT_BLOCKS = 17_280n
/** CometBFT lets a newcomer wait 1.125 rounds of turns. */
export const FIRST_TURN = -81_920

/** A validator whose penalty held it in jail as it left has paid: only what it signed against itself is left of its record. */
export const begunAnew = ({
  leftAt,
  deviant,
  disagreement,
  disagreementLong,
}: ValidatorRecord): ValidatorRecord =>
  ValidatorRecord.fromPartial({ leftAt, deviant, disagreement, disagreementLong, turns: FIRST_TURN })

/** Remembers a record, as it begins again, when it leaves the roster. */
export function keepRecord(ctx: Context, record: ValidatorRecord): void {
  const address = record.address as Address
  const kept = record.heldInJail ? begunAnew(record) : { ...record, streak: 0, score: 0, power: 0n }
  state.formerMembers.set(ctx, address, { ...kept, address })
  state.departures.set(ctx, [record.leftAt, address], true)
}

/** The height at which a validator left the set, as long as it is remembered. */
export const leftSetAt = (ctx: Context, consensus: Address): bigint | undefined =>
  state.formerMembers.get(ctx, consensus)?.leftAt

/** The record that a newcomer had when it left, with windows as they are by now; it is its again. */
export function takeRecord(ctx: Context, address: Address): ValidatorRecord | undefined {
  const kept = state.formerMembers.get(ctx, address)
  if (kept === undefined) return undefined
  state.formerMembers.delete(ctx, address)
  state.departures.delete(ctx, [kept.leftAt, address])
  return {
    ...kept,
    missedWindow: passedOver(kept.missedWindow, kept.leftAt, ctx.height),
    nilWindow: passedOver(kept.nilWindow, kept.leftAt, ctx.height),
  }
}

export function forgetFormerMembers(ctx: Context): void {
  const due: (readonly [bigint, Address])[] = []
  for (const [departure] of state.departures.entries(ctx)) {
    if (departure[0] + KEPT_BLOCKS > ctx.height) break
    due.push(departure)
  }
  for (const departure of due) {
    state.departures.delete(ctx, departure)
    state.formerMembers.delete(ctx, departure[1])
  }
}
