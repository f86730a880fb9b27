/**
 * The logger of a process and its parts; a pino logger fits. Fields first, then a fixed message; an error goes under
 * `err`. No consensus code has one.
 */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The same for a part that has much to say. */
export interface DebugLog extends Log {
  debug(fields: object, message: string): void
}
