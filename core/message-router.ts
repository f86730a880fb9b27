import type { Context } from './context.ts'
import { sdk } from './error.ts'
import type { TxMessage } from './tx/decode.ts'

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

/** For what runs no messages. */
export const noMessages: MessageRouter = {
  takes: () => false,
  execute: (_, { typeUrl }) => Promise.reject(sdk.unknownRequest(`no message handler found for ${typeUrl}`)),
}
