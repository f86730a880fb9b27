import type { MessageRouter } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { asChainError } from './internal-error.ts'
import type { Router } from './router.ts'

/** Runs the messages of all modules for a module. Faults of the program's are told as in transactions. */
export function createMessageRouter(
  router: Router,
  onInternalError: (error: unknown) => void,
): MessageRouter {
  return {
    takes: (typeUrl) => router.messages.has(typeUrl),
    async execute(ctx, { typeUrl, value }) {
      const message = router.messages.get(typeUrl)
      if (message === undefined) throw sdk.unknownRequest(`no message handler found for ${typeUrl}`)
      if (message.handler.authenticate !== undefined)
        throw sdk.unauthorized(`${typeUrl} is signed by itself and stands alone in a transaction`)
      try {
        message.handler.check?.(value)
        return await message.handler.run(ctx, value)
      } catch (error) {
        throw asChainError(error, ctx.mode, onInternalError)
      }
    },
  }
}
