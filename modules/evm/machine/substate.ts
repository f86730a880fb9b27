import type { Address } from '../../../core/address.ts'
import { toLatin1 } from '../../../core/bytes.ts'
import { ZERO } from './word.ts'

/** A log: address, up to four topics of 32 bytes, data. */
export interface Log {
  readonly address: Address
  readonly topics: readonly Uint8Array[]
  readonly data: Uint8Array
}

/** A place in a transaction's substate to go back to. */
export interface Mark {
  readonly undo: number
  readonly logs: number
  readonly refund: number
}

/**
 * What a transaction gathers beside the state, and a reverted frame takes back: accessed addresses and slots (EIP-2929),
 * transient storage (EIP-1153), logs, the refund, what it created and destroyed.
 */
export class Substate {
  readonly logs: Log[] = []
  /** Gas. */
  refund = 0
  /** Addresses created in this transaction, as Latin-1. */
  readonly created = new Set<string>()
  /** Of those, the ones that destroyed themselves, in that order. */
  readonly destroyed = new Map<string, Address>()
  readonly #warmAddresses = new Set<string>()
  readonly #warmSlots = new Set<string>()
  readonly #transient = new Map<string, bigint>()
  /** Values of slots at the begin of the transaction. */
  readonly #originals = new Map<string, bigint>()
  readonly #undo: (() => void)[] = []

  mark(): Mark {
    return { undo: this.#undo.length, logs: this.logs.length, refund: this.refund }
  }

  revert({ undo, logs, refund }: Mark): void {
    while (this.#undo.length > undo) this.#undo.pop()!()
    this.logs.length = logs
    this.refund = refund
  }

  #add(set: Set<string>, key: string): boolean {
    if (set.has(key)) return false
    set.add(key)
    this.#undo.push(() => set.delete(key))
    return true
  }

  /** Whether the address was cold; it is warm from now on. */
  touch(address: Uint8Array): boolean {
    return this.#add(this.#warmAddresses, toLatin1(address))
  }

  isWarm(address: Uint8Array): boolean {
    return this.#warmAddresses.has(toLatin1(address))
  }

  /** The same for a slot. */
  touchSlot(address: Uint8Array, slot: Uint8Array): boolean {
    return this.#add(this.#warmSlots, slotKey(address, slot))
  }

  /** The value of a slot at the begin of the transaction, `current` where this is the first one asks. */
  original(address: Uint8Array, slot: Uint8Array, current: bigint): bigint {
    const key = slotKey(address, slot)
    const known = this.#originals.get(key)
    if (known !== undefined) return known
    this.#originals.set(key, current)
    return current
  }

  transient(address: Uint8Array, slot: Uint8Array): bigint {
    return this.#transient.get(slotKey(address, slot)) ?? ZERO
  }

  setTransient(address: Uint8Array, slot: Uint8Array, value: bigint): void {
    const key = slotKey(address, slot)
    const before = this.#transient.get(key) ?? ZERO
    this.#transient.set(key, value)
    this.#undo.push(() => this.#transient.set(key, before))
  }

  create(address: Address): void {
    this.#add(this.created, toLatin1(address))
  }

  isCreated(address: Address): boolean {
    return this.created.has(toLatin1(address))
  }

  destroy(address: Address): void {
    const key = toLatin1(address)
    if (this.destroyed.has(key)) return
    this.destroyed.set(key, address)
    this.#undo.push(() => this.destroyed.delete(key))
  }

  /** Warm addresses and slots, each as Latin-1. */
  get accessed(): { readonly addresses: ReadonlySet<string>; readonly slots: ReadonlySet<string> } {
    return { addresses: this.#warmAddresses, slots: this.#warmSlots }
  }
}

const slotKey = (address: Uint8Array, slot: Uint8Array): string => toLatin1(address) + toLatin1(slot)
