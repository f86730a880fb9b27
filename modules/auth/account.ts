import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { Codec } from '../../core/codec.ts'

export const BASE_ACCOUNT_URL = '/cosmos.auth.v1beta1.BaseAccount'
export const MODULE_ACCOUNT_URL = '/cosmos.auth.v1beta1.ModuleAccount'

/** An account, whatever its kind: `module` holds a module account's name and permissions. */
export interface Account extends BaseAccount {
  module?: { readonly name: string; readonly permissions: string[] }
}

export function accountFromAny(any: Any): Account {
  if (any.typeUrl !== MODULE_ACCOUNT_URL) return BaseAccount.decode(any.value)
  const { baseAccount, name, permissions } = ModuleAccount.decode(any.value)
  return { ...baseAccount!, module: { name, permissions } }
}

export function accountToAny(account: Account): Any {
  const { module, ...base } = account
  return module === undefined
    ? { typeUrl: BASE_ACCOUNT_URL, value: BaseAccount.encode(base).finish() }
    : { typeUrl: MODULE_ACCOUNT_URL, value: ModuleAccount.encode({ baseAccount: base, ...module }).finish() }
}

/** As the SDK stores accounts: an Any. */
export const accountCodec: Codec<Account> = {
  encode: (account) => Any.encode(accountToAny(account)).finish(),
  decode: (bytes) => accountFromAny(Any.decode(bytes)),
}
