import type { Params } from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import { type Address, formatAddress, moduleAddress } from '../../core/address.ts'
import { type Coin, checkCoins, formatCoins } from '../../core/coin.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { account, touchAccount, touchModuleAccount } from '../auth/api.ts'
import { bankError } from './errors.ts'
import * as state from './state.ts'

export const params = (ctx: Context): Params =>
  state.params.get(ctx) ?? { sendEnabled: [], defaultSendEnabled: true }

export const balanceOf = (ctx: Context, owner: Address, denom: string): bigint =>
  state.balances.get(ctx, [owner, denom]) ?? 0n

/** All positive balances, by denomination. */
export function balancesOf(ctx: Context, owner: Address): Coin[] {
  const coins: Coin[] = []
  for (const [[, denom], amount] of state.balances.entries(ctx, part(addressKey, owner)))
    coins.push({ denom, amount: amount.toString() })
  return coins
}

export const supplyOf = (ctx: Context, denom: string): bigint => state.supply.get(ctx, denom) ?? 0n

/** Writes a balance and keeps the index of owners in step. Zero balances are not stored. */
export function setBalance(ctx: Context, owner: Address, denom: string, before: bigint, after: bigint): void {
  if (after === 0n) {
    if (before === 0n) return
    state.balances.delete(ctx, [owner, denom])
    state.owners.delete(ctx, [denom, owner])
    return
  }
  state.balances.set(ctx, [owner, denom], after)
  if (before === 0n) state.owners.set(ctx, [denom, owner], true)
}

function subtract(ctx: Context, owner: Address, coins: readonly Coin[]): void {
  for (const { denom, amount } of coins) {
    const held = balanceOf(ctx, owner, denom)
    const less = BigInt(amount)
    if (held < less)
      throw sdk.insufficientFunds(`spendable balance ${held}${denom} is smaller than ${amount}${denom}`, {
        denom,
        held: held.toString(),
        needed: amount,
      })
    setBalance(ctx, owner, denom, held, held - less)
  }
  ctx.emit('coin_spent', { spender: formatAddress(owner), amount: formatCoins(coins) })
}

function add(ctx: Context, owner: Address, coins: readonly Coin[]): void {
  for (const { denom, amount } of coins) {
    const held = balanceOf(ctx, owner, denom)
    setBalance(ctx, owner, denom, held, held + BigInt(amount))
  }
  ctx.emit('coin_received', { receiver: formatAddress(owner), amount: formatCoins(coins) })
}

/** Moves `coins`; makes the recipient's account where it has none. Throws sdk/5 and sdk/10; moves nothing then. */
export function transfer(ctx: Context, from: Address, to: Address, coins: readonly Coin[]): void {
  checkCoins(coins)
  ctx.journal.attempt(() => {
    subtract(ctx, from, coins)
    add(ctx, to, coins)
    touchAccount(ctx, to)
    const sender = formatAddress(from)
    ctx.emit('transfer', { recipient: formatAddress(to), sender, amount: formatCoins(coins) })
    ctx.emit('message', { sender })
  })
}

export function transferToModule(ctx: Context, from: Address, module: string, coins: readonly Coin[]): void {
  touchModuleAccount(ctx, module)
  transfer(ctx, from, moduleAddress(module), coins)
}

/** Moves coins of an account into a staking pool: the events are the SDK's, which has no `transfer` here. Throws sdk/5. */
export function delegateCoins(ctx: Context, from: Address, module: string, coins: readonly Coin[]): void {
  checkCoins(coins)
  touchModuleAccount(ctx, module)
  ctx.journal.attempt(() => {
    subtract(ctx, from, coins)
    add(ctx, moduleAddress(module), coins)
  })
}

/** The way back. Throws sdk/5. */
export function undelegateCoins(ctx: Context, module: string, to: Address, coins: readonly Coin[]): void {
  checkCoins(coins)
  ctx.journal.attempt(() => {
    subtract(ctx, moduleAddress(module), coins)
    add(ctx, to, coins)
  })
}

/** One sender, many recipients. The sums must agree: throws bank/4. */
export function transferToMany(
  ctx: Context,
  from: Address,
  coins: readonly Coin[],
  outputs: readonly { readonly to: Address; readonly coins: readonly Coin[] }[],
): void {
  ctx.journal.attempt(() => {
    const sender = formatAddress(from)
    ctx.emit('message', { sender })
    for (const { to } of outputs) touchAccount(ctx, to)
    subtract(ctx, from, coins)
    for (const { to, coins: part } of outputs) {
      add(ctx, to, part)
      ctx.emit('transfer', { recipient: formatAddress(to), sender, amount: formatCoins(part) })
    }
  })
}

/**
 * Moves coins that `from` has, without events: for what keeps its own record of transfers. Makes the recipient's account.
 * Throws where there are not enough: a mistake of the caller's.
 */
export function moveBalance(ctx: Context, from: Address, to: Address, denom: string, amount: bigint): void {
  takeBalance(ctx, from, denom, amount)
  const held = balanceOf(ctx, to, denom)
  setBalance(ctx, to, denom, held, held + amount)
  touchAccount(ctx, to)
}

/** Destroys coins that `from` has, in the same way. */
export function burnBalance(ctx: Context, from: Address, denom: string, amount: bigint): void {
  takeBalance(ctx, from, denom, amount)
  lowerSupply(ctx, denom, amount)
}

function takeBalance(ctx: Context, from: Address, denom: string, amount: bigint): void {
  const held = balanceOf(ctx, from, denom)
  if (held < amount) throw new Error(`${formatAddress(from)} has ${held}${denom}, not ${amount}${denom}`)
  setBalance(ctx, from, denom, held, held - amount)
}

function lowerSupply(ctx: Context, denom: string, amount: bigint): void {
  const left = supplyOf(ctx, denom) - amount
  if (left === 0n) state.supply.delete(ctx, denom)
  else state.supply.set(ctx, denom, left)
}

/** Makes coins out of nothing in a module's account: for modules that may (`minter`). */
export function mint(ctx: Context, module: string, coins: readonly Coin[]): void {
  checkCoins(coins)
  touchModuleAccount(ctx, module)
  const minter = moduleAddress(module)
  add(ctx, minter, coins)
  for (const { denom, amount } of coins) state.supply.set(ctx, denom, supplyOf(ctx, denom) + BigInt(amount))
  ctx.emit('coinbase', { minter: formatAddress(minter), amount: formatCoins(coins) })
}

/** Destroys coins of a module's account: for modules that may (`burner`). Throws sdk/5. */
export function burn(ctx: Context, module: string, coins: readonly Coin[]): void {
  checkCoins(coins)
  const burner = moduleAddress(module)
  ctx.journal.attempt(() => {
    subtract(ctx, burner, coins)
    for (const { denom, amount } of coins) lowerSupply(ctx, denom, BigInt(amount))
    ctx.emit('burn', { burner: formatAddress(burner), amount: formatCoins(coins) })
  })
}

/** Throws bank/5 where sending one of the denominations is switched off. */
export function requireSendEnabled(ctx: Context, coins: readonly Coin[]): void {
  for (const { denom } of coins)
    if (!(state.sendEnabled.get(ctx, denom) ?? params(ctx).defaultSendEnabled))
      throw bankError.sendDisabled(`${denom} transfers are currently disabled`)
}

/** Throws sdk/4 where `to` is a module's account that takes no transfers from users (all but governance's). */
export function requireMayReceive(ctx: Context, to: Address): void {
  const module = account(ctx, to)?.module
  if (module !== undefined && module.name !== 'gov')
    throw sdk.unauthorized(`${formatAddress(to)} is not allowed to receive funds`)
}
