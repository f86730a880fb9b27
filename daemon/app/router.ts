import type { Context } from '../../core/context.ts'
import type { Message, Module, Query } from '../../core/module.ts'
import type { Reach } from '../reads.ts'

/** Everything the modules declare, by the names requests come with. */
export interface Router {
  readonly modules: readonly Module[]
  /** By type URL: `/cosmos.bank.v1beta1.MsgSend`. */
  readonly messages: ReadonlyMap<string, Message>
  /** By method path: `/cosmos.bank.v1beta1.Query/Balance`. */
  readonly queries: ReadonlyMap<string, Query>
  /** Names of all stores, sorted. */
  readonly stores: readonly string[]
}

/** A gRPC method that the node answers, whatever the height; `run` rejects with a ChainError. */
export interface ServiceMethod {
  readonly service: string
  readonly method: string
  readonly input: string
  readonly output: string
  /** Absent where it is no read, and waits for none. */
  readonly reach?: Reach
  /** What is left out of the answer has its default. */
  readonly run: (request: unknown) => object | Promise<object>
}

/** Throws where two modules claim one name: a mistake of the program's. */
export function createRouter(modules: readonly Module[]): Router {
  const messages = new Map<string, Message>()
  const queries = new Map<string, Query>()
  const stores = new Set<string>()
  const put = <T>(map: Map<string, T>, key: string, value: T): void => {
    if (map.has(key)) throw new Error(`${key} is declared twice`)
    map.set(key, value)
  }
  for (const module of modules) {
    for (const message of module.messages) put(messages, `/${message.input}`, message)
    for (const query of module.queries) put(queries, `/${query.service}/${query.method}`, query)
    for (const store of module.stores) {
      if (stores.has(store)) throw new Error(`store ${store} is declared twice`)
      stores.add(store)
    }
  }
  return { modules, messages, queries, stores: [...stores].sort() }
}

/** What the modules' invariants find wrong in a state: `module/name: what`. */
export function brokenInvariants(modules: readonly Module[], ctx: Context): string[] {
  const found: string[] = []
  for (const module of modules)
    for (const [name, check] of Object.entries(module.invariants)) {
      const wrong = check(ctx)
      if (wrong !== undefined) found.push(`${module.name}/${name}: ${wrong}`)
    }
  return found
}
