import type { Address } from '../../../core/address.ts'
import type { Code } from './code.ts'

/** The state that programs run on. An account without balance, nonce and code does not exist for them (EIP-161). */
export interface World {
  checkpoint(): void
  commit(): void
  revert(): void
  balance(address: Address): bigint
  nonce(address: Address): bigint
  /** keccak256 of the account's code; nothing where it has none. */
  codeHash(address: Address): Uint8Array | undefined
  code(address: Address): Code
  hasStorage(address: Address): boolean
  storage(address: Address, slot: Uint8Array): bigint
  setNonce(address: Address, nonce: bigint): void
  setCode(address: Address, code: Uint8Array): void
  setStorage(address: Address, slot: Uint8Array, value: bigint): void
  /** A contract was created by the transaction's sender. */
  created(address: Address): void
  /** Why `to` takes no value; nothing where it does. */
  refusesValue(to: Address): string | undefined
  /** Moves coins that `from` has. */
  transfer(from: Address, to: Address, amount: bigint): void
  /** Destroys coins that `from` has. */
  burn(from: Address, amount: bigint): void
  /** Makes an account as if it had never been; what it still holds is destroyed. */
  remove(address: Address): void
  /** keccak256 of the header of one of the last 256 blocks; zero where there is none. */
  blockHash(number: bigint): bigint
}

/** No balance, nonce and code. */
export const isDead = (world: World, address: Address): boolean =>
  world.balance(address) === 0n && world.nonce(address) === 0n && world.codeHash(address) === undefined
