import type { Json } from '../../../core/wire/json.ts'
import type { Reach } from '../../read-turns.ts'
import type { Arguments, Param } from './params.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Who calls, and until when. */
export interface CallContext {
  /** The caller's network address. */
  readonly client: string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Nobody is told the result. */
  readonly isNotification: boolean
  /** Of the caller's connection; nothing over HTTP, which has no way back. */
  readonly subscriptions?: Subscriptions
  /** Has something done when the answer is on its way. */
  readonly afterAnswer?: (act: () => void) => void
}

export interface Method {
  readonly params: readonly Param<unknown>[]
  /** Reads of the state run in turns (`daemon/read-turns.ts`): those that ask CometBFT are `far`. Without, it runs at once. */
  readonly turn?: Reach
  readonly run: (context: CallContext, args: readonly unknown[]) => Json | Promise<Json>
}

/** Methods by their whole names, such as `eth_chainId`. */
export type Methods = Readonly<Record<string, Method>>

/** A method whose arguments are read as `params` says before it runs. What it throws but a JsonRpcError is a fault of the node. */
export function method<const P extends readonly Param<unknown>[]>(
  params: P,
  run: (context: CallContext, ...args: Arguments<P>) => Json | Promise<Json>,
  turn?: Reach,
): Method {
  return {
    params,
    ...(turn !== undefined && { turn }),
    run: (context, args) => run(context, ...(args as Arguments<P>)),
  }
}
