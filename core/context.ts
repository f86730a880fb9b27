import type { Address } from './address.ts'
import { sdk } from './error.ts'
import { type GasMeter, gasMeter, STORE_GAS } from './gas.ts'
import type { Event, Journal } from './journal.ts'
import type { TxMessage } from './tx/decode.ts'

/** What a transaction is run for. `check` and `recheck` run no messages; `simulate` skips signatures. */
export type Mode = 'check' | 'recheck' | 'simulate' | 'deliver' | 'query' | 'genesis' | 'block'

/** The block that is being executed, from CometBFT's request. */
export interface Block {
  readonly chainId: string
  readonly height: bigint
  /** Nanoseconds since 1970-01-01T00:00:00Z. */
  readonly timeNs: bigint
  readonly hash: Uint8Array
  /** Of the state that the block builds on. */
  readonly appHash: Uint8Array
  readonly nextValidatorsHash: Uint8Array
  /** Consensus address of the proposer; empty at genesis. */
  readonly proposer: Address
  readonly votes: readonly Vote[]
  readonly misbehavior: readonly Misbehavior[]
}

/** CometBFT's BlockIDFlag: whether a validator's vote was for the block, for none, or is not there. */
export type VoteFlag = 'unknown' | 'absent' | 'commit' | 'nil'

/** One validator's part in the last commit. */
export interface Vote {
  readonly address: Address
  readonly power: bigint
  readonly flag: VoteFlag
  /** What its vote extension carries, where the block's proposer passed it on. */
  readonly extension?: VoteExtension
}

/** The parts of a vote extension, each of which may be empty. */
export interface VoteExtension {
  /** What honest validators all say: one object for all votes of a block that say it. */
  readonly report: Uint8Array
  /** What the validator tells of its host. */
  readonly telemetry: Uint8Array
}

export interface Misbehavior {
  readonly kind: 'duplicate_vote' | 'light_client_attack'
  readonly address: Address
  readonly power: bigint
  readonly height: bigint
  readonly timeNs: bigint
  readonly totalPower: bigint
}

/** Runs messages that stand in no transaction: those of a passed proposal, or what a contract asks for. */
export interface MessageRouter {
  /** Whether some module takes messages of this type URL. */
  readonly takes: (typeUrl: string) => boolean
  /**
   * Checks and runs one message; who may send it is the caller's to make sure of. Rejects with a ChainError only, and
   * reverts nothing then. Throws sdk/6 for a message that nobody takes.
   */
  readonly execute: (ctx: Context, message: TxMessage) => Promise<object>
}

/** Who is told what a module does (core/hooks.ts), by the module's name and in the order of the calls. */
export type Listeners = Readonly<Record<string, readonly object[]>>

const noListeners: Listeners = {}

/** For what runs no messages. */
const noMessages: MessageRouter = {
  takes: () => false,
  execute: (_, { typeUrl }) => Promise.reject(sdk.unknownRequest(`no message handler found for ${typeUrl}`)),
}

/** Everything an execution may touch: the journal, the gas meter, the block, the other modules. No clock, no I/O. */
export class Context {
  readonly journal: Journal
  readonly block: Block
  readonly mode: Mode
  readonly gas: GasMeter
  readonly listeners: Listeners
  readonly messages: MessageRouter

  constructor(
    journal: Journal,
    block: Block,
    mode: Mode,
    gas: GasMeter = gasMeter(),
    listeners: Listeners = noListeners,
    messages: MessageRouter = noMessages,
  ) {
    this.journal = journal
    this.block = block
    this.mode = mode
    this.gas = gas
    this.listeners = listeners
    this.messages = messages
  }

  get height(): bigint {
    return this.block.height
  }

  get timeNs(): bigint {
    return this.block.timeNs
  }

  /** The same execution on another gas meter. */
  withGas(gas: GasMeter): Context {
    return new Context(this.journal, this.block, this.mode, gas, this.listeners, this.messages)
  }

  /** The same execution as if the block had another height. */
  atHeight(height: bigint): Context {
    const block = { ...this.block, height }
    return new Context(this.journal, block, this.mode, this.gas, this.listeners, this.messages)
  }

  /** The value under `key`, which the caller must not modify. */
  get(store: string, key: Uint8Array): Uint8Array | undefined {
    const value = this.journal.get(store, key)
    this.gas.consume(
      STORE_GAS.readFlat + STORE_GAS.readPerByte * (key.length + (value?.length ?? 0)),
      'ReadFlat',
    )
    return value
  }

  has(store: string, key: Uint8Array): boolean {
    this.gas.consume(STORE_GAS.has, 'Has')
    return this.journal.has(store, key)
  }

  set(store: string, key: Uint8Array, value: Uint8Array): void {
    this.gas.consume(STORE_GAS.writeFlat + STORE_GAS.writePerByte * (key.length + value.length), 'WriteFlat')
    this.journal.set(store, key, value)
  }

  delete(store: string, key: Uint8Array): void {
    this.gas.consume(STORE_GAS.delete, 'Delete')
    this.journal.delete(store, key)
  }

  *entries(
    store: string,
    start: Uint8Array,
    end: Uint8Array | undefined,
    reverse = false,
  ): IterableIterator<readonly [Uint8Array, Uint8Array]> {
    for (const entry of this.journal.entries(store, start, end, reverse)) {
      this.gas.consume(
        STORE_GAS.iterateNext + STORE_GAS.readPerByte * (entry[0].length + entry[1].length),
        'IterNextFlat',
      )
      yield entry
    }
  }

  /** How many entries there are with `start <= key < end`; costs what a read does. */
  count(store: string, start: Uint8Array, end: Uint8Array | undefined): number {
    this.gas.consume(STORE_GAS.readFlat, 'Count')
    return this.journal.rank(store, end) - this.journal.rank(store, start)
  }

  /** The key that an iteration over the range comes to after so many others; costs what a read does. */
  keyAfter(
    store: string,
    start: Uint8Array,
    end: Uint8Array | undefined,
    others: number,
    reverse: boolean,
  ): Uint8Array | undefined {
    this.gas.consume(STORE_GAS.readFlat, 'KeyAfter')
    const first = this.journal.rank(store, start)
    const last = this.journal.rank(store, end) - 1
    const rank = reverse ? last - others : first + others
    return rank < first || rank > last ? undefined : this.journal.keyAt(store, rank)
  }

  /** Emits an event; attributes keep their order. Mempool checks have no events: nobody would see them. */
  emit(type: string, attributes: Readonly<Record<string, string>>): void {
    if (this.mode === 'check' || this.mode === 'recheck') return
    this.journal.emit({ type, attributes: Object.entries(attributes) } satisfies Event)
  }
}
