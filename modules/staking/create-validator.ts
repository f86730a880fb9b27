import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { type Description, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { MsgCreateValidator } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { utf8 } from '../../core/bytes.ts'
import { isDenom } from '../../core/coin.ts'
import type { Context } from '../../core/context.ts'
import {
  ED25519_URL,
  ETHERMINT_URL,
  ETHSECP256K1_URL,
  MULTISIG_URL,
  type PublicKey,
  parsePublicKey,
  SECP256K1_URL,
} from '../../core/crypto/public-key.ts'
import { decimalFromAtomics } from '../../core/decimal-text.ts'
import { panic, rethrowExhaustion, sdk } from '../../core/error.ts'
import { timestampOf } from '../../core/time.ts'
import { consensusParams } from '../consensus/api.ts'
import { checkCommission, present } from './commission.ts'
import { delegate } from './delegations.ts'
import { stakingError } from './errors.ts'
import { notify } from './hooks.ts'
import { params } from './params.ts'
import * as state from './state.ts'
import { rank } from './validators.ts'

const EMPTY_TIME = { seconds: 0n, nanos: 0 }
const LENGTHS = { moniker: 70, identity: 3000, website: 140, securityContact: 140, details: 280 } as const

/** Lengths in bytes. Throws sdk/18. */
export function checkDescription(d: Description): void {
  for (const [name, limit] of Object.entries(LENGTHS)) {
    const { length } = utf8(d[name as keyof typeof LENGTHS])
    if (length > limit) throw sdk.invalidRequest(`invalid ${name} length; got: ${length}, max: ${limit}`)
  }
}

const KEY_URLS: readonly string[] = [
  ED25519_URL,
  SECP256K1_URL,
  ETHSECP256K1_URL,
  ETHERMINT_URL,
  MULTISIG_URL,
]

/** Throws sdk/2 where there is a key of no kind of key. */
export function checkKeyKind({ pubkey }: MsgCreateValidator): void {
  if (pubkey !== undefined && !KEY_URLS.includes(pubkey.typeUrl))
    throw sdk.txDecode(`no concrete type registered for type URL ${pubkey.typeUrl.slice(0, 200)}`)
}

/** A key whose bytes are none has no address. Throws undefined/111222. */
function parseConsensusKey(m: MsgCreateValidator): PublicKey {
  try {
    return parsePublicKey(m.pubkey!)
  } catch (error) {
    rethrowExhaustion(error)
    throw panic((error as Error).message)
  }
}

/** Checks the message as far as that goes without state. Throws sdk/7, sdk/18, staking/9 … 16 and staking/39. */
export function checkCreateValidator(m: MsgCreateValidator): void {
  parseAddress(m.validatorAddress, VALIDATOR_PREFIX)
  if (m.pubkey === undefined) throw stakingError.emptyValidatorPubKey()
  if (!isDenom(m.value.denom) || BigInt(m.value.amount) <= 0n)
    throw sdk.invalidRequest('invalid delegation amount')
  if (Object.values(m.description).every((text) => text === '')) throw sdk.invalidRequest('empty description')
  checkCommission(m.commission)
  if (present(m.minSelfDelegation) <= 0n)
    throw sdk.invalidRequest('minimum self delegation must be a positive integer')
  if (BigInt(m.value.amount) < BigInt(m.minSelfDelegation)) throw stakingError.selfDelegationBelowMinimum()
}

/** Makes an unbonded validator with its operator's first delegation; the end of the block may bond it. */
export function createValidator(ctx: Context, m: MsgCreateValidator): void {
  const operator = parseAddress(m.validatorAddress, VALIDATOR_PREFIX)
  const { bondDenom, minCommissionRate } = params(ctx)
  if (BigInt(m.commission.rate) < BigInt(minCommissionRate))
    throw stakingError.commissionBelowMinRate(
      `cannot set validator commission to less than minimum rate of ${decimalFromAtomics(minCommissionRate)}`,
    )
  if (state.validators.has(ctx, operator)) throw stakingError.validatorOwnerExists()
  const key = parseConsensusKey(m)
  if (state.byConsensusAddress.has(ctx, key.address)) throw stakingError.validatorPubKeyExists()
  if (m.value.denom !== bondDenom)
    throw sdk.invalidRequest(`invalid coin denomination: got ${m.value.denom}, expected ${bondDenom}`)
  checkDescription(m.description)
  const kinds = consensusParams(ctx)?.validator?.pubKeyTypes ?? ['ed25519']
  if (key.kind !== 'ed25519' || !kinds.includes(key.kind))
    throw stakingError.pubKeyTypeNotSupported(`got: ${key.kind}, expected: [${kinds.join(' ')}]`)
  const validator = Validator.fromPartial({
    operatorAddress: m.validatorAddress,
    consensusPubkey: { typeUrl: ED25519_URL, value: PubKey.encode({ key: key.key }).finish() },
    status: 1,
    tokens: '0',
    delegatorShares: '0',
    description: m.description,
    unbondingTime: EMPTY_TIME,
    commission: { commissionRates: m.commission, updateTime: timestampOf(ctx.timeNs) },
    minSelfDelegation: m.minSelfDelegation,
  })
  state.validators.set(ctx, operator, validator)
  state.byConsensusAddress.set(ctx, key.address, operator)
  rank(ctx, validator)
  notify('afterValidatorCreated', ctx, operator)
  delegate(ctx, operator, validator, BigInt(m.value.amount), 'account')
  ctx.emit('create_validator', { validator: m.validatorAddress, amount: m.value.amount + m.value.denom })
}
