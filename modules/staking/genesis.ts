import type { GenesisState } from 'cosmjs-types/cosmos/staking/v1beta1/genesis'
import * as genesisTypes from 'cosmjs-types/cosmos/staking/v1beta1/genesis'
import { formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { fromUtf8, utf8 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { parsePublicKey } from '../../core/crypto/public-key.ts'
import { sdk } from '../../core/error.ts'
import { genesis } from '../../core/module.ts'
import { nanosecondsOf } from '../../core/time.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { putDelegation } from './delegations.ts'
import { sharesOf, tokensOf, totalShares } from './exchange-rate.ts'
import { notify } from './hooks.ts'
import { checkParams, DEFAULT_POWER_REDUCTION, defaultParams, params, powerReduction } from './params.ts'
import { BONDED_POOL, NOT_BONDED_POOL, poolBalance } from './pools.ts'
import { enqueueRedelegation, putRedelegation } from './redelegations.ts'
import * as state from './state.ts'
import { putUnbonding } from './unbonding.ts'
import { updateValidatorSet } from './validator-set.ts'
import {
  consensusAddressOf,
  enqueueUnbonding,
  isBonded,
  isUnbonding,
  operatorOf,
  rank,
} from './validators.ts'

registerTypes(genesisTypes)

interface StakingGenesis extends GenesisState {
  /** `power_reduction`: tokens of one unit of consensus power, for the chain's whole life. */
  readonly constants?: Readonly<Record<string, bigint>>
}

const parseOperator = (text: string) => parseAddress(text, VALIDATOR_PREFIX)

function validate({ params, validators, delegations }: StakingGenesis): void {
  checkParams(params)
  const seen = new Set<string>()
  for (const v of validators) {
    parseOperator(v.operatorAddress)
    if (v.consensusPubkey === undefined) throw sdk.invalidRequest(`validator ${v.operatorAddress} has no key`)
    for (const id of [v.operatorAddress, formatAddress(parsePublicKey(v.consensusPubkey).address)]) {
      if (seen.has(id)) throw sdk.invalidRequest(`duplicate validator in genesis state: ${v.operatorAddress}`)
      seen.add(id)
    }
    if (v.jailed && isBonded(v))
      throw sdk.invalidRequest(`validator is bonded and jailed in genesis state: ${v.operatorAddress}`)
    if (totalShares(v) === 0n && !isUnbonding(v))
      throw sdk.invalidRequest(
        `bonded/unbonded genesis validator cannot have zero delegator shares: ${v.operatorAddress}`,
      )
  }
  for (const d of delegations) {
    parseAddress(d.delegatorAddress)
    if (!seen.has(d.validatorAddress))
      throw sdk.invalidRequest(`delegation to an unknown validator ${d.validatorAddress}`)
  }
}

/** All of it happens at height 0, whatever the chain begins with: a set stands one block before it signs. */
function init(genesisCtx: Context, g: StakingGenesis): void {
  const ctx = genesisCtx.atHeight(0n)
  state.powerReduction.set(ctx, g.constants?.['power_reduction'] ?? DEFAULT_POWER_REDUCTION)
  state.params.set(ctx, g.params)
  if (g.lastTotalPower.length > 0) state.lastTotalPower.set(ctx, BigInt(fromUtf8(g.lastTotalPower)))
  for (const v of g.validators) {
    state.validators.set(ctx, operatorOf(v), v)
    state.byConsensusAddress.set(ctx, consensusAddressOf(v), operatorOf(v))
    rank(ctx, v)
    if (!g.exported) notify('afterValidatorCreated', ctx, operatorOf(v))
    if (isUnbonding(v)) enqueueUnbonding(ctx, v)
  }
  for (const d of g.delegations) {
    const delegator = parseAddress(d.delegatorAddress)
    const operator = parseOperator(d.validatorAddress)
    if (!g.exported) notify('beforeDelegationCreated', ctx, delegator, operator)
    putDelegation(ctx, delegator, operator, sharesOf(d))
    if (!g.exported) notify('afterDelegationModified', ctx, delegator, operator)
  }
  initUnbondings(ctx, g)
  requirePools(ctx, g)
  if (!g.exported) {
    if (g.validators.length > 0) updateValidatorSet(ctx)
    return
  }
  for (const { address, power } of g.lastValidatorPowers)
    state.lastPowers.set(ctx, parseOperator(address), power)
  state.untold.set(ctx, true)
}

/** Operations to come are numbered after all that are under way. */
function initUnbondings(ctx: Context, genesis: StakingGenesis): void {
  const { validators, unbondingDelegations, redelegations } = genesis
  let id = 0n
  for (const { unbondingIds } of validators) for (const given of unbondingIds) if (given > id) id = given
  for (const { entries } of [...unbondingDelegations, ...redelegations])
    for (const { unbondingId } of entries) if (unbondingId > id) id = unbondingId
  for (const u of unbondingDelegations) {
    putUnbonding(ctx, parseAddress(u.delegatorAddress), parseOperator(u.validatorAddress), u.entries)
    for (const { completionTime, unbondingId } of u.entries)
      state.unbondingQueue.set(ctx, [nanosecondsOf(completionTime), unbondingId || ++id], {
        delegatorAddress: u.delegatorAddress,
        validatorAddress: u.validatorAddress,
      })
  }
  for (const r of redelegations) {
    const key = {
      delegator: parseAddress(r.delegatorAddress),
      source: parseOperator(r.validatorSrcAddress),
      destination: parseOperator(r.validatorDstAddress),
    }
    putRedelegation(ctx, key, r.entries)
    for (const { completionTime, unbondingId } of r.entries)
      enqueueRedelegation(ctx, key, nanosecondsOf(completionTime), unbondingId || ++id)
  }
  state.unbondingId.set(ctx, id)
}

/** The pools must hold just what the validators and the unbonding entries say. Throws sdk/18. */
function requirePools(ctx: Context, g: StakingGenesis): void {
  let bonded = 0n
  let notBonded = 0n
  for (const v of g.validators) {
    if (isBonded(v)) bonded += tokensOf(v)
    else notBonded += tokensOf(v)
  }
  for (const { entries } of g.unbondingDelegations) for (const e of entries) notBonded += BigInt(e.balance)
  for (const [pool, expected] of [
    [BONDED_POOL, bonded],
    [NOT_BONDED_POOL, notBonded],
  ] as const) {
    const held = poolBalance(ctx, pool)
    if (held !== expected)
      throw sdk.invalidRequest(
        `app_state.staking: ${pool} holds ${held}, its validators and entries ${expected}`,
      )
  }
}

const values = <V>(entries: Iterable<readonly [unknown, V]>): V[] => [...entries].map(([, v]) => v)

function exportState(ctx: Context): StakingGenesis {
  return {
    constants: { power_reduction: powerReduction(ctx) },
    params: params(ctx),
    lastTotalPower: utf8((state.lastTotalPower.get(ctx) ?? 0n).toString()),
    lastValidatorPowers: [...state.lastPowers.entries(ctx)].map(([operator, power]) => ({
      address: formatAddress(operator, VALIDATOR_PREFIX),
      power,
    })),
    validators: values(state.validators.entries(ctx)),
    delegations: values(state.delegations.entries(ctx)),
    unbondingDelegations: values(state.unbondings.entries(ctx)),
    redelegations: values(state.redelegations.entries(ctx)),
    exported: true,
  }
}

export const stakingGenesis = genesis<StakingGenesis>({
  type: 'cosmos.staking.v1beta1.GenesisState',
  constants: ['power_reduction'],
  defaults: () => ({
    constants: { power_reduction: DEFAULT_POWER_REDUCTION },
    params: defaultParams(),
    lastTotalPower: new Uint8Array(0),
    lastValidatorPowers: [],
    validators: [],
    delegations: [],
    unbondingDelegations: [],
    redelegations: [],
    exported: false,
  }),
  validate,
  init,
  export: exportState,
})
