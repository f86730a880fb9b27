import * as tx from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import { type Address, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import * as dec from '../../core/dec.ts'
import { messages } from '../../core/module.ts'
import { paramsMessage } from '../../core/params-message.ts'
import { nanosecondsOf } from '../../core/time.ts'
import * as staking from '../staking/api.ts'
import { stakingError } from '../staking/errors.ts'
import { slashingError } from './errors.ts'
import { checkParams } from './params.ts'
import { signingInfoOf } from './signing-info.ts'
import * as state from './state.ts'

/** Lets a validator out of jail. Throws staking/3, staking/19, slashing/4, slashing/5, slashing/7. */
function unjail(ctx: Context, operator: Address): void {
  const v = staking.requireValidator(ctx, operator)
  const own = staking.delegation(ctx, operator, operator)
  if (own === undefined) throw stakingError.noDelegation()
  const tokens = dec.truncateInt(staking.tokensFromShares(v, staking.sharesOf(own)))
  if (tokens < BigInt(v.minSelfDelegation))
    throw slashingError.selfDelegationTooLow(`${tokens} less than ${v.minSelfDelegation}`)
  if (!v.jailed) throw slashingError.validatorNotJailed()
  const info = signingInfoOf(ctx, staking.consensusAddressOf(v))
  if (info !== undefined && (info.tombstoned || ctx.timeNs < nanosecondsOf(info.jailedUntil)))
    throw slashingError.validatorJailed()
  staking.unjail(ctx, operator)
}

export const slashingMessages = messages<tx.Msg>('cosmos.slashing.v1beta1.Msg', tx, {
  Unjail: {
    summary: 'let your validator stand for the set again',
    check({ validatorAddr }) {
      parseAddress(validatorAddr, VALIDATOR_PREFIX)
    },
    run(ctx, { validatorAddr }) {
      unjail(ctx, parseAddress(validatorAddr, VALIDATOR_PREFIX))
      return {}
    },
  },
  UpdateParams: paramsMessage(state.params, checkParams, 'change the parameters (by a proposal)'),
})
