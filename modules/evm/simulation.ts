import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { setBalance } from '../bank/api.ts'
import { machine } from './chain-machine.ts'
import type { BlockEnvironment } from './machine/frame.ts'
import type { Tracer } from './machine/machine.ts'
import { wordOf } from './machine/word.ts'
import { type Applied, applyTransaction } from './transaction/apply.ts'
import type { AccessListEntry, Authorization } from './transaction/ethereum-tx.ts'
import { intrinsicGas } from './transaction/intrinsic-gas.ts'
import { NATIVE_DENOM, WorldState } from './world-state.ts'

/** A transaction that nobody signed. */
export interface Call {
  readonly from: Address
  readonly to: Address | undefined
  readonly gas: bigint
  /** Of a gas; 0 where the call is to cost nothing. */
  readonly gasPrice: bigint
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: readonly AccessListEntry[]
  readonly authorizations: readonly Authorization[]
}

/** What an account is to be in place of what it is. */
export interface AccountOverride {
  readonly address: Address
  readonly balance?: bigint
  readonly nonce?: bigint
  readonly code?: Uint8Array
  /** All of its storage, or some slots of it. */
  readonly storage?: readonly (readonly [slot: Uint8Array, value: Uint8Array])[]
  readonly keepsOtherSlots?: boolean
}

/** Why a call is none: its sender could not pay for it, or its gas does not reach its begin. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
}

/** Changes a state that is thrown away afterwards. */
export function override(ctx: Context, overrides: readonly AccountOverride[]): void {
  const world = new WorldState(ctx)
  for (const { address, balance, nonce, code, storage, keepsOtherSlots } of overrides) {
    if (balance !== undefined) setBalance(ctx, address, NATIVE_DENOM, world.balance(address), balance)
    if (nonce !== undefined) world.setNonce(address, nonce)
    if (code !== undefined) world.setCode(address, code)
    if (storage === undefined) continue
    if (keepsOtherSlots !== true) world.clearStorage(address)
    for (const [slot, value] of storage) world.setStorage(address, slot, wordOf(value))
  }
}

/** Runs a call on a state that is thrown away afterwards. Throws CallRefused. */
export function simulate(ctx: Context, block: BlockEnvironment, call: Call, tracer?: Tracer): Applied {
  const world = new WorldState(ctx)
  const { intrinsic, floor } = intrinsicGas(call)
  const least = BigInt(Math.max(intrinsic, floor))
  if (call.gas < least)
    throw new CallRefused(`intrinsic gas too low: gas ${call.gas}, minimum needed ${least}`)
  const cost = call.gas * call.gasPrice + call.value
  const balance = world.balance(call.from)
  if (balance < cost)
    throw new CallRefused(
      `insufficient funds for gas * price + value: address 0x${Buffer.from(call.from).toString('hex')} have ${balance} want ${cost}`,
    )
  return applyTransaction(
    { ...call, sender: call.from, gasLimit: call.gas, nonce: world.nonce(call.from) },
    {
      machine: machine(),
      world,
      // Who pays nothing for gas meets no base fee, as in geth.
      block: call.gasPrice === 0n ? { ...block, baseFee: 0n } : block,
      takeFee: () => {},
      returnFee: () => {},
      collectFee: () => {},
      ...(tracer && { tracer }),
    },
  )
}

export interface Estimated {
  /** Enough, and at most 1.5 % more than is. */
  readonly gas?: bigint
  /** Why there is no such gas. */
  readonly failed?: Applied['outcome']
}

/** Where a sixty-fourth stays behind in each frame. */
const OPTIMISTIC_NUMERATOR = 64
const OPTIMISTIC_DENOMINATOR = 63

/**
 * The least gas with which a call succeeds, by halving as geth does it. `attempt` runs the call with so much gas, each time
 * on the same state.
 */
export function estimateGas(most: bigint, least: bigint, attempt: (gas: bigint) => Applied): Estimated {
  const first = attempt(most)
  if (first.outcome.error !== undefined) return { failed: first.outcome }
  let high = Number(most)
  let low = Math.max(first.gasUsed - 1, Number(least) - 1)
  const used = first.gasUsed + first.substate.refund
  const optimistic = Math.floor(((used + 2300) * OPTIMISTIC_NUMERATOR) / OPTIMISTIC_DENOMINATOR)
  if (optimistic < high) {
    if (attempt(BigInt(optimistic)).outcome.error === undefined) high = optimistic
    else low = Math.max(low, optimistic)
  }
  while (low + 1 < high) {
    // As near as geth comes.
    if ((high - low) * 1000 < high * 15) break
    const middle = Math.min(Math.floor((low + high) / 2), low * 2)
    if (attempt(BigInt(middle)).outcome.error === undefined) high = middle
    else low = middle
  }
  return { gas: BigInt(high) }
}
