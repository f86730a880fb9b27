import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { ValidatorUpdate } from 'cosmjs-types/tendermint/abci/types'
import type { Address } from '../../core/address.ts'
import { compareBytes, toLatin1 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { tokensOf } from './exchange-rate.ts'
import { params, powerOf, powerReduction } from './params.ts'
import { BONDED_POOL, moveBetweenPools, NOT_BONDED_POOL } from './pools.ts'
import { completeRedelegations } from './redelegations.ts'
import * as state from './state.ts'
import { completeUnbondings } from './unbonding.ts'
import {
  beginUnbondingValidator,
  bondValidator,
  completeUnbondingValidators,
  isBonded,
  requireValidator,
} from './validators.ts'

/** The validators that are not jailed, best first. */
export function* validatorsByPower(
  ctx: Context,
): IterableIterator<readonly [operator: Address, Readonly<Validator>]> {
  for (const [[, operator]] of state.byPower.entries(ctx, undefined, { reverse: true }))
    yield [operator, requireValidator(ctx, operator)]
}

/** The validators that stood in the set at the end of the last block, by operator. */
export const lastValidators = (ctx: Context): Readonly<Validator>[] =>
  [...state.lastPowers.entries(ctx)].map(([operator]) => requireValidator(ctx, operator))

/** The bonded validators that are not jailed, best first; how many others there are makes no difference. */
export function bondedValidatorsByPower(ctx: Context): Readonly<Validator>[] {
  const bonded = [...state.lastPowers.entries(ctx)].flatMap(([operator]) => {
    const v = requireValidator(ctx, operator)
    return isBonded(v) && !v.jailed ? [{ operator, v, power: powerOf(ctx, tokensOf(v)) }] : []
  })
  bonded.sort((a, b) =>
    a.power === b.power ? compareBytes(a.operator, b.operator) : a.power > b.power ? -1 : 1,
  )
  return bonded.slice(0, params(ctx).maxValidators).map(({ v }) => v)
}

/** Bonds the best validators and begins to unbond those that fell out; moves their tokens between the pools. */
export function updateValidatorSet(ctx: Context): void {
  const { maxValidators } = params(ctx)
  const reduction = powerReduction(ctx)
  const last = new Map<string, readonly [Address, bigint]>()
  for (const entry of state.lastPowers.entries(ctx)) last.set(toLatin1(entry[0]), entry)
  let toBonded = 0n
  let totalPower = 0n
  let changed = false
  // Bonding does not change the order, but the index must not be written while it is read.
  const best: (readonly [Address, Readonly<Validator>])[] = []
  for (const candidate of validatorsByPower(ctx)) {
    if (best.length === maxValidators || tokensOf(candidate[1]) < reduction) break
    best.push(candidate)
  }
  for (const [operator, v] of best) {
    if (!isBonded(v)) {
      bondValidator(ctx, v)
      toBonded += tokensOf(v)
    }
    const power = tokensOf(v) / reduction
    const key = toLatin1(operator)
    if (last.get(key)?.[1] !== power) {
      state.lastPowers.set(ctx, operator, power)
      changed = true
    }
    last.delete(key)
    totalPower += power
  }
  for (const [operator] of last.values()) {
    const v = beginUnbondingValidator(ctx, requireValidator(ctx, operator))
    toBonded -= tokensOf(v)
    state.lastPowers.delete(ctx, operator)
    changed = true
  }
  if (toBonded > 0n) moveBetweenPools(ctx, NOT_BONDED_POOL, BONDED_POOL, toBonded)
  if (toBonded < 0n) moveBetweenPools(ctx, BONDED_POOL, NOT_BONDED_POOL, -toBonded)
  if (!changed) return
  state.lastTotalPower.set(ctx, totalPower)
  state.untold.set(ctx, true)
}

/** The set first, so that a validator without an unbonding time is unbonded in the same block. */
export function endBlock(ctx: Context): void {
  updateValidatorSet(ctx)
  completeUnbondingValidators(ctx)
  completeUnbondings(ctx)
  completeRedelegations(ctx)
}

/** The changes of the set since CometBFT was last told: withheld blocks are caught up with. */
export function validatorUpdates(ctx: Context): ValidatorUpdate[] {
  // The set of an exported genesis is given; any other is made of its validators and genesis transactions.
  if (ctx.mode === 'genesis' && !state.untold.get(ctx)) updateValidatorSet(ctx)
  if (!state.untold.get(ctx)) return []
  state.untold.delete(ctx)
  const gone = new Map<string, Uint8Array>()
  for (const [key] of state.toldPowers.entries(ctx)) gone.set(toLatin1(key), key)
  const updates: ValidatorUpdate[] = []
  for (const [operator, power] of [...state.lastPowers.entries(ctx)]) {
    const { key } = PubKey.decode(requireValidator(ctx, operator).consensusPubkey!.value)
    gone.delete(toLatin1(key))
    if (state.toldPowers.get(ctx, key) === power) continue
    state.toldPowers.set(ctx, key, power)
    updates.push({ pubKey: { ed25519: key }, power })
  }
  for (const key of gone.values()) {
    state.toldPowers.delete(ctx, key)
    updates.push({ pubKey: { ed25519: key }, power: 0n })
  }
  return updates
}
