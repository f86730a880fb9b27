import type { Context } from './context.ts'
import { toJson } from './wire/json.ts'
import { nameOfUrl } from './wire/registry.ts'

/** The codec of an event's message. */
interface EventType<T> {
  readonly typeUrl: string
  fromPartial(partial: object): T
}

/**
 * Emits a protobuf message as an event, as the SDK's `EmitTypedEvent`: its type is the message's full name, its
 * attributes are the fields in the order of their names, each value as JSON.
 */
export function emitTyped<T extends object>(ctx: Context, type: EventType<T>, message: T): void {
  const name = nameOfUrl(type.typeUrl)
  const fields = Object.entries(toJson(name, message)).sort(([a], [b]) => (a < b ? -1 : 1))
  ctx.emit(name, Object.fromEntries(fields.map(([key, value]) => [key, JSON.stringify(value)])))
}
