import { codes, invalidRequest, JsonRpcError } from '../errors.ts'
import { type CallContext, type Methods, method } from '../method.ts'
import { anything, optional, text } from '../params.ts'
import type { SubscriptionKinds, Subscriptions } from '../subscriptions.ts'

/** `eth_subscribe` and `eth_unsubscribe`, for these kinds. */
export const subscribeMethods = (kinds: SubscriptionKinds): Methods => ({
  eth_subscribe: method([text, optional(anything)], (context, name, argument) => {
    const subscriptions = subscriptionsOf(context)
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined)
      throw new JsonRpcError(
        codes.methodNotFound,
        `no ${JSON.stringify(name.slice(0, 100))} subscription in eth namespace`,
      )
    const { id, begin } = subscriptions.add(name, kind, argument === undefined ? [] : [argument])
    context.afterAnswer?.(begin)
    return id
  }),
  eth_unsubscribe: method([text], (context, id) => {
    if (!subscriptionsOf(context).remove(id)) throw new JsonRpcError(codes.refused, 'subscription not found')
    return true
  }),
})

function subscriptionsOf({ subscriptions, isNotification }: CallContext): Subscriptions {
  if (subscriptions === undefined)
    throw new JsonRpcError(codes.methodNotFound, 'notifications not supported: subscribe over a WebSocket')
  if (isNotification) throw invalidRequest('a subscription needs an id')
  return subscriptions
}
