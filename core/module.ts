import type { ValidatorUpdate } from 'cosmjs-types/tendermint/abci/types'
import type { Address } from './address.ts'
import type { Context, Listeners, VoteExtension } from './context.ts'
import type { ChainError } from './error.ts'
import { messageDescriptor, serviceDescriptor } from './wire/descriptors.ts'
import { registerTypes } from './wire/registry.ts'

type MaybePromise<T> = T | Promise<T>
/** The request and response of a method of a cosmjs-types service interface. */
type Request<F> = F extends (request: infer R, ...rest: never[]) => unknown ? NonNullable<R> : never
type Response<F> = F extends (...args: never[]) => Promise<infer R> ? R : never

/**
 * Runs one message. `check` sees the message alone, `run` the state; a throw reverts the whole transaction. What
 * `checkEncoding` refuses (an Any of a kind that its field does not take) is no transaction: there is no fee for it.
 */
export interface MessageHandler<M = never, R = unknown> {
  /** Its command's summary in a list of commands; one without it is listed by the message's type. */
  readonly summary?: string
  /** Another name of its command: the one that users of other Cosmos chains know. */
  readonly alias?: string
  readonly checkEncoding?: (message: M) => void
  readonly check?: (message: M) => void
  /**
   * For a message with a proof of its own: takes the place of signatures, sequence and fee. A transaction of such a
   * message has nothing else in it.
   */
  readonly authenticate?: (ctx: Context, message: M) => void
  readonly run: (ctx: Context, message: M) => MaybePromise<R>
}

export interface Message {
  readonly service: string
  readonly method: string
  readonly input: string
  readonly output: string
  readonly handler: MessageHandler<unknown, object>
}

/** A method that is asked and changes nothing. A module answers it from a state, others from what `Of` is. */
export interface Query<Of = Context> {
  readonly service: string
  readonly method: string
  readonly input: string
  readonly output: string
  /** Another name of its command: the one that users of other Cosmos chains know. */
  readonly alias?: string
  readonly run: (of: Of, request: unknown) => MaybePromise<object>
}

/** A module's part of the genesis file: a protobuf message, `type` its full name. */
export interface Genesis<G = never> {
  readonly type: string
  /** Fields of the JSON beside the message's: positive integers that never change, in `constants` of the genesis. */
  readonly constants?: readonly string[]
  readonly defaults: () => G
  /** Throws a ChainError whose message names the faulty entry. Needs no state. */
  readonly validate?: (genesis: G) => void
  readonly init: (ctx: Context, genesis: G) => void
  readonly export: (ctx: Context) => G
}

/** How the parts of a vote extension become its bytes. */
export interface VoteExtensionForm {
  readonly join: (parts: VoteExtension) => Uint8Array
  /** The parts; nothing where the bytes are malformed. What they say is judged in the block that carries them. */
  readonly split: (bytes: Uint8Array) => VoteExtension | undefined
}

/** What a transaction of another form came to: refused by a throw, it was none. */
export interface TransactionResult {
  readonly gasUsed: bigint
  /** TxMsgData: empty where it failed. */
  readonly data?: Uint8Array
  /** Why it failed; what it paid stands. */
  readonly error?: ChainError
}

/** Price of one gas: `atomics` × 10^-18 of the denomination's smallest unit. */
export interface GasPrice {
  readonly denom: string
  readonly atomics: bigint
}

/** Transactions of another form than the SDK's, which a module checks and runs by itself. */
export interface TransactionForm<T = never> {
  /** Whether bytes are meant as one. */
  readonly isMeant: (bytes: Uint8Array) => boolean
  /** Throws ChainErrors where they are none. */
  readonly decode: (bytes: Uint8Array) => T
  readonly gasWanted: (tx: T) => bigint
  /** Gas that those of a block may want together, apart from what the SDK's may. */
  readonly blockGas: (ctx: Context) => bigint
  /**
   * The mempool's check: whether the transaction may be its sender's next. What it will pay is taken from the state that
   * the next one is checked on. The prices are the node's own. Throws ChainErrors.
   */
  readonly check: (ctx: Context, tx: T, minimumGasPrices: readonly GasPrice[]) => void
  /** Runs one in a block. A throw is a refusal, or ends the node. */
  readonly run: (ctx: Context, tx: T) => TransactionResult
}

export interface Module {
  readonly name: string
  /** Names of the stores its collections live in. */
  readonly stores: readonly string[]
  readonly messages: readonly Message[]
  readonly queries: readonly Query[]
  /** Who is told what the module does, in this order; of a module that has hooks (core/hooks.ts). */
  readonly listeners?: readonly object[]
  /** What must be there before a block is executed, and takes time to make. Idempotent. */
  readonly load?: () => Promise<void>
  readonly genesis?: Genesis<unknown>
  readonly beginBlock?: (ctx: Context) => MaybePromise<void>
  readonly endBlock?: (ctx: Context) => MaybePromise<void>
  /**
   * Asked last of all in a block: why the round was degraded, so that its commit is withheld; nothing where it was not.
   * Every module is asked, and the first that answers is told of.
   */
  readonly degraded?: (ctx: Context) => string | undefined
  /** Transactions of another form than the SDK's. Of one module at most. */
  readonly transactions?: TransactionForm<unknown>
  /** The form of vote extensions. Of one module at most. */
  readonly voteExtension?: VoteExtensionForm
  /** The changes CometBFT is told, asked once after genesis and after each end block. Of one module at most. */
  readonly validatorUpdates?: (ctx: Context) => ValidatorUpdate[]
  /** Each answers what is wrong, or nothing. Run by tests and by `fornaxd export`. */
  readonly invariants: Readonly<Record<string, (ctx: Context) => string | undefined>>
  /**
   * Rewrites a state, which is not to be committed, so that a chain can begin with it at height 1: heights are forgotten.
   * Where `allowed` is given, validators that are not among these operators are jailed.
   */
  readonly prepareForZeroHeight?: (ctx: Context, allowed?: readonly Address[]) => void
  /** Accounts that the module owns, with the SDK's permissions (`minter`, `burner`, `staking`). */
  readonly accounts: Readonly<Record<string, readonly string[]>>
}

type Handlers<S> = {
  readonly [K in keyof S]?: MessageHandler<Request<S[K]>, Response<S[K]>>
}
type Answer<F, Of> = (of: Of, request: Request<F>) => MaybePromise<Response<F>>
export type Queries<S, Of = Context> = {
  readonly [K in keyof S]?: Answer<S[K], Of> | { readonly alias: string; readonly run: Answer<S[K], Of> }
}

/** Binds a Msg service's methods to handlers. `S` is cosmjs-types' interface of the service. */
export function messages<S>(service: string, types: object, handlers: Handlers<S>): Message[] {
  registerTypes(types)
  const methods = serviceDescriptor(service)
  return Object.entries(handlers).map(([method, handler]) => {
    const { in: input, out: output } = methods[method]!
    if ((messageDescriptor(input).signers ?? []).length === 0) throw new Error(`${input} names no signer`)
    return { service, method, input, output, handler: handler as MessageHandler<unknown, object> }
  })
}

/** Binds a Query service's methods. REST routes and gRPC paths follow from the definition. */
export function queries<S, Of = Context>(
  service: string,
  types: object,
  handlers: Queries<S, Of>,
): Query<Of>[] {
  registerTypes(types)
  const methods = serviceDescriptor(service)
  return Object.entries(handlers).map(([method, handler]) => {
    const { in: input, out: output } = methods[method]!
    const declared = typeof handler === 'function' ? { run: handler } : handler
    return { service, method, input, output, ...(declared as Pick<Query<Of>, 'alias' | 'run'>) }
  })
}

/** A form of transactions, typed. */
export const transactionForm = <T>(form: TransactionForm<T>): TransactionForm<unknown> =>
  form as unknown as TransactionForm<unknown>

/** A genesis section, typed. */
export const genesis = <G>(declaration: Genesis<G>): Genesis<unknown> =>
  declaration as unknown as Genesis<unknown>

export function defineModule(declaration: Partial<Module> & Pick<Module, 'name'>): Module {
  return Object.freeze({
    stores: [],
    messages: [],
    queries: [],
    invariants: {},
    accounts: {},
    ...declaration,
  })
}

export const listenersOf = (modules: readonly Module[]): Listeners =>
  Object.fromEntries(
    modules.flatMap(({ name, listeners }) => (listeners === undefined ? [] : [[name, listeners]])),
  )
