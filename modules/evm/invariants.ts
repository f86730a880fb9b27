import { equalBytes, toHex } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { keccak256 } from '../../core/crypto/keccak.ts'
import { account } from '../auth/api.ts'
import { hexAddress } from './environment.ts'
import { wordOf } from './machine/word.ts'
import * as state from './state.ts'

function programs(ctx: Context): string | undefined {
  for (const [address, hash] of state.codeHashes.entries(ctx)) {
    const code = state.codes.get(ctx, hash)
    if (code === undefined) return `the program ${toHex(hash)} of ${hexAddress(address)} is missing`
    if (account(ctx, address) === undefined) return `${hexAddress(address)} has a program and no account`
  }
  for (const [hash, code] of state.codes.entries(ctx))
    if (!equalBytes(keccak256(code), hash)) return `the program under ${toHex(hash)} has another hash`
  return undefined
}

function words(ctx: Context): string | undefined {
  for (const [[address, slot], value] of state.storage.entries(ctx))
    if (value.length !== 32 || wordOf(value) === 0n)
      return `slot ${toHex(slot)} of ${hexAddress(address)} is no word, or zero`
  return undefined
}

export const invariants = { programs, words }
