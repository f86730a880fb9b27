import { BaseAccount, type Params } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { type Address, formatAddress, moduleAddress } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import type { Account } from './account.ts'
import * as state from './state.ts'

export const FEE_COLLECTOR = 'fee_collector'

export const defaultParams = (): Params => ({
  maxMemoCharacters: 256n,
  txSigLimit: 7n,
  txSizeCostPerByte: 10n,
  sigVerifyCostEd25519: 590n,
  sigVerifyCostSecp256k1: 1000n,
})

export function params(ctx: Context): Readonly<Params> {
  return state.params.get(ctx) ?? defaultParams()
}

/** Every parameter is positive. Throws sdk/18. */
export function checkParams(p: Params): void {
  for (const [name, value] of Object.entries(p))
    if ((value as bigint) === 0n) throw sdk.invalidRequest(`invalid ${name}: 0`)
}

export { type Account, accountFromAny } from './account.ts'

/** The account, which the caller must not modify. */
export const account = (ctx: Context, address: Address): Readonly<Account> | undefined =>
  state.accounts.get(ctx, address)

export const hasAccount = (ctx: Context, address: Address): boolean => state.accounts.has(ctx, address)

export function putAccount(ctx: Context, address: Address, value: Account): void {
  state.accounts.set(ctx, address, value)
}

function takeNumber(ctx: Context): bigint {
  const number = state.nextAccountNumber.get(ctx) ?? 0n
  state.nextAccountNumber.set(ctx, number + 1n)
  return number
}

function create(ctx: Context, address: Address, module?: Account['module']): Readonly<Account> {
  const accountNumber = takeNumber(ctx)
  const base = BaseAccount.fromPartial({ address: formatAddress(address), accountNumber })
  const made: Account = module === undefined ? base : { ...base, module }
  addAccount(ctx, address, made)
  return made
}

/** A new account, whose number is its own. */
export function addAccount(ctx: Context, address: Address, value: Account): void {
  putAccount(ctx, address, value)
  state.addressByNumber.set(ctx, value.accountNumber, address)
  if (value.module !== undefined) state.moduleAccounts.set(ctx, value.module.name, address)
}

/** The account, made with the next account number where there was none. */
export function ensureAccount(ctx: Context, address: Address): Readonly<Account> {
  return account(ctx, address) ?? create(ctx, address)
}

/** The same without reading the account, for callers that do not need it. */
export function touchAccount(ctx: Context, address: Address): void {
  if (!hasAccount(ctx, address)) create(ctx, address)
}

/** A module's account, made on its first use. */
export function ensureModuleAccount(
  ctx: Context,
  name: string,
  permissions: readonly string[] = [],
): Account {
  const address = moduleAddress(name)
  return account(ctx, address) ?? create(ctx, address, { name, permissions: [...permissions] })
}

/** The same without reading the account, for callers that do not need it. */
export function touchModuleAccount(ctx: Context, name: string): void {
  const address = moduleAddress(name)
  if (!hasAccount(ctx, address)) create(ctx, address, { name, permissions: [] })
}

/** Throws sdk/9 `unknown address`. */
export function requireAccount(ctx: Context, address: Address): Readonly<Account> {
  const found = account(ctx, address)
  if (found === undefined) throw sdk.unknownAddress(`account ${formatAddress(address)} does not exist`)
  return found
}
