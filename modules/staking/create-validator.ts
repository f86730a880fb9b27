import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { BondStatus, Delegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { MsgCreateValidator } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { checkAddress, formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { parseAmount } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import { ED25519_URL, parsePublicKey } from '../../core/crypto/public-key.ts'
import { DECIMAL_ONE } from '../../core/decimal-text.ts'
import { sdk } from '../../core/error.ts'
import { timestampOf } from '../../core/time.ts'
import { transferToModule } from '../bank/api.ts'
import * as api from './api.ts'
import { stakingError } from './errors.ts'
import * as state from './state.ts'

/** What can be said without state. Throws sdk/7, sdk/18, staking/16 and staking/18. */
export function checkCreateValidator(m: MsgCreateValidator): void {
  parseAddress(m.validatorAddress, VALIDATOR_PREFIX)
  if (m.pubkey === undefined) throw sdk.invalidRequest('empty validator public key')
  if (m.description.moniker === '') throw sdk.invalidRequest('empty description')
  const amount = parseAmount(m.value.amount)
  if (amount === 0n) throw sdk.invalidRequest('invalid delegation amount')
  if (!/^[0-9]+$/.test(m.minSelfDelegation) || BigInt(m.minSelfDelegation) === 0n)
    throw stakingError.minSelfDelegation()
  if (amount < BigInt(m.minSelfDelegation)) throw stakingError.selfDelegationBelowMinimum()
  const { rate, maxRate, maxChangeRate } = m.commission
  for (const r of [rate, maxRate, maxChangeRate])
    if (!/^[0-9]{1,19}$/.test(r) || BigInt(r) > DECIMAL_ONE)
      throw sdk.invalidRequest('commission rates must lie between 0 and 1')
  if (BigInt(rate) > BigInt(maxRate) || BigInt(maxChangeRate) > BigInt(maxRate))
    throw sdk.invalidRequest('commission rate and maximum change must not exceed the maximum rate')
}

/** Makes a bonded validator of a genesis transaction; its stake goes to the bonded pool. */
export function createGenesisValidator(ctx: Context, m: MsgCreateValidator): void {
  if (ctx.mode !== 'genesis') throw sdk.notSupported('validators are created at genesis only')
  const operator = parseAddress(m.validatorAddress, VALIDATOR_PREFIX)
  if (state.validators.has(ctx, operator)) throw stakingError.validatorOwnerExists()
  const key = parsePublicKey(m.pubkey!)
  if (key.kind !== 'ed25519') throw stakingError.pubKeyTypeNotSupported(`got: ${key.kind}, expected: ed25519`)
  if (state.byConsensusAddress.has(ctx, key.address)) throw stakingError.validatorPubKeyExists()
  if (m.value.denom !== api.params(ctx).bondDenom)
    throw sdk.invalidRequest(
      `invalid coin denomination: got ${m.value.denom}, expected ${api.params(ctx).bondDenom}`,
    )
  transferToModule(ctx, operator, api.BONDED_POOL, [m.value])
  const shares = (BigInt(m.value.amount) * DECIMAL_ONE).toString()
  state.validators.set(
    ctx,
    operator,
    Validator.fromPartial({
      operatorAddress: m.validatorAddress,
      consensusPubkey: { typeUrl: ED25519_URL, value: PubKey.encode({ key: key.key }).finish() },
      status: BondStatus.BOND_STATUS_BONDED,
      tokens: m.value.amount,
      delegatorShares: shares,
      description: m.description,
      commission: { commissionRates: m.commission, updateTime: timestampOf(ctx.timeNs) },
      unbondingTime: { seconds: 0n, nanos: 0 },
      minSelfDelegation: m.minSelfDelegation,
    }),
  )
  state.byConsensusAddress.set(ctx, key.address, checkAddress(operator))
  state.delegations.set(
    ctx,
    [operator, operator],
    Delegation.fromPartial({
      delegatorAddress: formatAddress(operator),
      validatorAddress: m.validatorAddress,
      shares,
    }),
  )
  ctx.emit('create_validator', { validator: m.validatorAddress, amount: m.value.amount + m.value.denom })
}
