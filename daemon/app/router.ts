import type { ValidatorUpdate } from 'cosmjs-types/tendermint/abci/types'
import { NO_BYTES } from '../../core/bytes.ts'
import type { Context, Listeners } from '../../core/context.ts'
import {
  listenersOf,
  type Message,
  type Module,
  type Query,
  type TransactionForm,
  type VoteExtensionForm,
} from '../../core/module.ts'
import type { Reach } from '../read-turns.ts'

/** Everything the modules declare, by the names requests come with. */
export interface Router {
  readonly modules: readonly Module[]
  /** By type URL: `/cosmos.bank.v1beta1.MsgSend`. */
  readonly messages: ReadonlyMap<string, Message>
  /** By path: `/cosmos.bank.v1beta1.Query/Balance`. The node adds its own (daemon/services/bind.ts). */
  readonly methods: Map<string, Method>
  readonly listeners: Listeners
  readonly voteExtension: VoteExtensionForm
  /** Transactions of another form than the SDK's, where a module has one. */
  readonly transactions: TransactionForm<unknown> | undefined
  readonly validatorUpdates: (ctx: Context) => ValidatorUpdate[]
  /** Names of all stores, sorted. */
  readonly stores: readonly string[]
}

/** A gRPC method that the node answers (call.ts). */
export interface Method extends Query {
  /** Whether it is asked of the state of a height; else it is answered from what the node has now. */
  readonly atHeight: boolean
  /** Absent where it is no read, and waits for none. */
  readonly reach?: Reach
}

export const methodPath = ({ service, method }: Pick<Method, 'service' | 'method'>): string =>
  `/${service}/${method}`

const NO_EXTENSIONS: VoteExtensionForm = {
  join: () => NO_BYTES,
  split: (bytes) => (bytes.length === 0 ? { report: NO_BYTES, telemetry: NO_BYTES } : undefined),
}

/** The declaration of the one module that makes it. Throws where several do. */
function only<K extends 'voteExtension' | 'validatorUpdates' | 'transactions'>(
  modules: readonly Module[],
  what: K,
): Module[K] | undefined {
  const [one, other] = modules.filter((module) => module[what] !== undefined)
  if (other !== undefined) throw new Error(`${what} is declared by ${one!.name} and by ${other.name}`)
  return one?.[what]
}

/** Throws where two modules claim one name, or what is of one alone: a mistake of the program's. */
export function createRouter(modules: readonly Module[]): Router {
  const messages = new Map<string, Message>()
  const methods = new Map<string, Method>()
  const names = new Set<string>()
  const stores = new Set<string>()
  const put = <T>(map: Map<string, T>, key: string, value: T): void => {
    if (map.has(key)) throw new Error(`${key} is declared twice`)
    map.set(key, value)
  }
  const add = (set: Set<string>, what: string, name: string): void => {
    if (set.has(name)) throw new Error(`${what} ${name} is declared twice`)
    set.add(name)
  }
  for (const module of modules) {
    add(names, 'module', module.name)
    for (const message of module.messages) put(messages, `/${message.input}`, message)
    for (const query of module.queries)
      put(methods, methodPath(query), { ...query, atHeight: true, reach: 'near' })
    for (const store of module.stores) add(stores, 'store', store)
  }
  return {
    modules,
    messages,
    methods,
    listeners: listenersOf(modules),
    voteExtension: only(modules, 'voteExtension') ?? NO_EXTENSIONS,
    transactions: only(modules, 'transactions'),
    validatorUpdates: only(modules, 'validatorUpdates') ?? (() => []),
    stores: [...stores].sort(),
  }
}

/** Faults that the modules' invariants find in a state: `module/name: what`. */
export function brokenInvariants(modules: readonly Module[], ctx: Context): string[] {
  const found: string[] = []
  for (const module of modules)
    for (const [name, check] of Object.entries(module.invariants)) {
      const wrong = check(ctx)
      if (wrong !== undefined) found.push(`${module.name}/${name}: ${wrong}`)
    }
  return found
}
