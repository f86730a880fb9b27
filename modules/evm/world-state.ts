import type { Address } from '../../core/address.ts'
import { NO_BYTES, toLatin1 } from '../../core/bytes.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import { keccak256 } from '../../core/crypto/keccak.ts'
import { gasMeter } from '../../core/gas.ts'
import { account, ensureAccount, putAccount } from '../auth/api.ts'
import { balanceOf, burnBalance, moveBalance } from '../bank/api.ts'
import { HISTORY_ADDRESS, historySlot } from './history-contract.ts'
import { type Code, codeByHash, NO_CODE } from './machine/code.ts'
import { wordBytes, wordOf } from './machine/word.ts'
import type { World } from './machine/world.ts'
import * as state from './state.ts'

/** keccak256 of no program. */
export const EMPTY_CODE_HASH = keccak256(NO_BYTES)

/** The native coin: one afrx is one wei. */
export const NATIVE_DENOM = 'afrx'

/**
 * The chain's own state as programs see it: balances are the bank's, nonces the accounts' sequences, and a reverted frame
 * is a reverted checkpoint of the journal. Access costs no gas but the EVM's own.
 */
export class WorldState implements World {
  readonly #ctx: Context
  /** Programs that were run, so that each is read once a transaction however many there are. */
  readonly #codes = new Map<string, Code>()

  readonly #creator: Address | undefined

  /** `creator` is who sent the transaction that may create contracts. */
  constructor(ctx: Context, creator?: Address) {
    this.#ctx = ctx.withGas(gasMeter())
    this.#creator = creator
  }

  checkpoint(): void {
    this.#ctx.journal.checkpoint()
  }

  commit(): void {
    this.#ctx.journal.commit()
  }

  revert(): void {
    this.#ctx.journal.revert()
  }

  balance(address: Address): bigint {
    return balanceOf(this.#ctx, address, NATIVE_DENOM)
  }

  nonce(address: Address): bigint {
    return account(this.#ctx, address)?.sequence ?? 0n
  }

  setNonce(address: Address, nonce: bigint): void {
    putAccount(this.#ctx, address, { ...ensureAccount(this.#ctx, address), sequence: nonce })
  }

  codeHash(address: Address): Uint8Array | undefined {
    return state.codeHashes.get(this.#ctx, address)
  }

  code(address: Address): Code {
    const hash = this.codeHash(address)
    return hash === undefined ? NO_CODE : this.#codeOf(hash)
  }

  #codeOf(hash: Uint8Array): Code {
    const key = toLatin1(hash)
    let code = this.#codes.get(key)
    if (code === undefined) {
      code = codeByHash(hash, () => state.codes.get(this.#ctx, hash) ?? missing(hash))
      this.#codes.set(key, code)
    }
    return code
  }

  setCode(address: Address, code: Uint8Array): void {
    if (code.length === 0) {
      state.codeHashes.delete(this.#ctx, address)
      return
    }
    const hash = keccak256(code)
    if (!state.codes.has(this.#ctx, hash)) state.codes.set(this.#ctx, hash, code)
    state.codeHashes.set(this.#ctx, address, hash)
  }

  hasStorage(address: Address): boolean {
    for (const _ of state.storage.entries(this.#ctx, part(addressKey, address))) return true
    return false
  }

  storage(address: Address, slot: Uint8Array): bigint {
    const bytes = state.storage.get(this.#ctx, [address, slot])
    return bytes === undefined ? 0n : wordOf(bytes)
  }

  setStorage(address: Address, slot: Uint8Array, value: bigint): void {
    if (value === 0n) state.storage.delete(this.#ctx, [address, slot])
    else state.storage.set(this.#ctx, [address, slot], wordBytes(value))
  }

  clearStorage(address: Address): void {
    const slots = [...state.storage.entries(this.#ctx, part(addressKey, address))]
    for (const [key] of slots) state.storage.delete(this.#ctx, key)
  }

  created(address: Address): void {
    if (this.#creator !== undefined) state.creators.set(this.#ctx, address, this.#creator)
  }

  refusesValue(to: Address): string | undefined {
    const module = account(this.#ctx, to)?.module
    return module === undefined ? undefined : `the account of the module ${module.name} takes no value`
  }

  transfer(from: Address, to: Address, amount: bigint): void {
    if (amount > 0n) moveBalance(this.#ctx, from, to, NATIVE_DENOM, amount)
  }

  burn(from: Address, amount: bigint): void {
    if (amount > 0n) burnBalance(this.#ctx, from, NATIVE_DENOM, amount)
  }

  remove(address: Address): void {
    this.burn(address, this.balance(address))
    this.setCode(address, NO_BYTES)
    state.creators.delete(this.#ctx, address)
    this.clearStorage(address)
    if (this.nonce(address) !== 0n) this.setNonce(address, 0n)
  }

  blockHash(number: bigint): bigint {
    return this.storage(HISTORY_ADDRESS, wordBytes(historySlot(number)))
  }
}

const missing = (hash: Uint8Array): never => {
  throw new Error(`the program ${Buffer.from(hash).toString('hex')} is not in the state`)
}
