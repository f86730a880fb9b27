import type { Context } from './context.ts'

/** The arguments of a hook, after the context. */
type Args<Hook> = Hook extends ((ctx: Context, ...args: infer A) => void) | undefined ? A : never
type Call<Hook> = (ctx: Context, ...args: Args<Hook>) => void

/**
 * Calls one hook of all that listen to a module, `H` being its hooks, in the order in which the module's declaration has
 * them. Throws in a context that is without its chain's listeners: what they keep would no longer be true.
 */
export const notifierOf =
  <H>(module: string) =>
  <K extends keyof H>(hook: K, ctx: Context, ...args: Args<H[K]>): void => {
    const listeners = ctx.listeners[module] as readonly H[] | undefined
    if (listeners === undefined) throw new Error(`nobody said who listens to ${module}`)
    for (const listener of listeners) (listener[hook] as Call<H[K]> | undefined)?.(ctx, ...args)
  }
