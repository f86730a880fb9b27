import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import type { GenesisState } from 'cosmjs-types/cosmos/staking/v1beta1/genesis'
import * as genesisTypes from 'cosmjs-types/cosmos/staking/v1beta1/genesis'
import { BondStatus } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { ValidatorUpdate } from 'cosmjs-types/tendermint/abci/types'
import { formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { parsePublicKey } from '../../core/crypto/public-key.ts'
import { sdk } from '../../core/error.ts'
import { genesis } from '../../core/module.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import * as api from './api.ts'
import * as state from './state.ts'

registerTypes(genesisTypes)

/** Power changes since CometBFT was last told, by operator address. */
export function validatorUpdates(ctx: Context): ValidatorUpdate[] {
  const updates: ValidatorUpdate[] = []
  for (const [operator, v] of state.validators.entries(ctx)) {
    const bonded = v.status === BondStatus.BOND_STATUS_BONDED && !v.jailed
    const power = bonded ? BigInt(v.tokens) / api.POWER_REDUCTION : 0n
    if ((state.lastPowers.get(ctx, operator) ?? 0n) === power) continue
    if (power === 0n) state.lastPowers.delete(ctx, operator)
    else state.lastPowers.set(ctx, operator, power)
    updates.push({ pubKey: { ed25519: PubKey.decode(v.consensusPubkey!.value).key }, power })
  }
  return updates
}

function validate({ params, validators, delegations }: GenesisState): void {
  if (params.maxValidators === 0) throw sdk.invalidRequest('max validators must be positive: 0')
  const seen = new Set<string>()
  for (const v of validators) {
    parseAddress(v.operatorAddress, VALIDATOR_PREFIX)
    if (v.consensusPubkey === undefined) throw sdk.invalidRequest(`validator ${v.operatorAddress} has no key`)
    for (const id of [v.operatorAddress, formatAddress(parsePublicKey(v.consensusPubkey).address)]) {
      if (seen.has(id)) throw sdk.invalidRequest(`duplicate validator in genesis state: ${v.operatorAddress}`)
      seen.add(id)
    }
  }
  for (const d of delegations) {
    parseAddress(d.delegatorAddress)
    if (!seen.has(d.validatorAddress))
      throw sdk.invalidRequest(`delegation to an unknown validator ${d.validatorAddress}`)
  }
}

function init(ctx: Context, g: GenesisState): void {
  state.params.set(ctx, g.params)
  for (const v of g.validators) {
    const operator = parseAddress(v.operatorAddress, VALIDATOR_PREFIX)
    state.validators.set(ctx, operator, v)
    state.byConsensusAddress.set(ctx, parsePublicKey(v.consensusPubkey!).address, operator)
  }
  for (const d of g.delegations)
    state.delegations.set(
      ctx,
      [parseAddress(d.delegatorAddress), parseAddress(d.validatorAddress, VALIDATOR_PREFIX)],
      d,
    )
}

function exportState(ctx: Context): GenesisState {
  const powers = [...state.lastPowers.entries(ctx)]
  return {
    params: api.params(ctx),
    lastTotalPower: new Uint8Array(0),
    lastValidatorPowers: powers.map(([operator, power]) => ({
      address: formatAddress(operator, VALIDATOR_PREFIX),
      power,
    })),
    validators: [...state.validators.entries(ctx)].map(([, v]) => v),
    delegations: [...state.delegations.entries(ctx)].map(([, d]) => d),
    unbondingDelegations: [],
    redelegations: [],
    exported: true,
  }
}

export const stakingGenesis = genesis<GenesisState>({
  type: 'cosmos.staking.v1beta1.GenesisState',
  defaults: () => ({
    params: api.defaultParams(),
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
