import { randomBytes } from 'node:crypto'
import { encodeData } from './data.ts'
import { limitExceeded } from './errors.ts'
import { notificationText } from './messages.ts'
import { type Arguments, type Param, parseArguments, text } from './params.ts'

/** Most that one connection has at a time. */
const MAX_SUBSCRIPTIONS = 100

/** Something that can be subscribed to. */
export interface SubscriptionKind {
  readonly params: readonly Param<unknown>[]
  /** Begins to tell: `notify` takes JSON, and must not throw. Answers what ends it. */
  readonly begin: (notify: (json: string) => void, args: readonly unknown[]) => () => void
}

/** By name, such as `newHeads`. */
export type SubscriptionKinds = Readonly<Record<string, SubscriptionKind>>

/** A kind whose arguments are read as `params` says. */
export function subscriptionKind<const P extends readonly Param<unknown>[]>(
  params: P,
  begin: (notify: (json: string) => void, ...args: Arguments<P>) => () => void,
): SubscriptionKind {
  return { params, begin: (notify, args) => begin(notify, ...(args as Arguments<P>)) }
}

export interface SubscriptionsOptions {
  /** Must not throw, and bounds what waits for its reader. */
  readonly send: (text: string) => void
  /** Told of each one that begins (1) or ends (-1). */
  readonly onChange: (kind: string, by: 1 | -1) => void
}

/** The subscriptions of one connection. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions
  /** By id: what ends it, once it has begun. */
  readonly #open = new Map<string, () => void>()
  #isClosed = false

  constructor(options: SubscriptionsOptions) {
    this.#options = options
  }

  /**
   * Takes a place and answers the subscription's id. It begins with `begin`, which is to be called when the client has been
   * sent that id. Throws a JsonRpcError.
   */
  add(name: string, kind: SubscriptionKind, given: readonly unknown[]): { id: string; begin: () => void } {
    // The name is the first argument.
    const [, ...args] = parseArguments([text, ...kind.params], [name, ...given])
    if (this.#isClosed || this.#open.size >= MAX_SUBSCRIPTIONS)
      throw limitExceeded(`a connection has at most ${MAX_SUBSCRIPTIONS} subscriptions`)
    const id = encodeData(randomBytes(16))
    this.#open.set(id, () => {})
    return {
      id,
      begin: () => {
        if (!this.#open.has(id)) return
        const notify = (json: string): void => {
          if (this.#open.has(id)) this.#options.send(notificationText(id, json))
        }
        const end = kind.begin(notify, args)
        this.#options.onChange(name, 1)
        this.#open.set(id, () => {
          end()
          this.#options.onChange(name, -1)
        })
      },
    }
  }

  /** Ends one; false where there is none of this id. */
  remove(id: string): boolean {
    const end = this.#open.get(id)
    this.#open.delete(id)
    end?.()
    return end !== undefined
  }

  /** Ends all, and takes no more. */
  close(): void {
    this.#isClosed = true
    for (const id of [...this.#open.keys()]) this.remove(id)
  }
}
