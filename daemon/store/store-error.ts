export type StoreErrorCode =
  /** The height was never committed here, or has been pruned. */
  | 'height_not_kept'
  | 'height_in_future'
  | 'unknown_store'
  /** Another process holds the database. */
  | 'locked'
  /** The directory holds something that is not a store of this format. */
  | 'foreign'
  /** Missing, truncated or damaged data. Nothing is reset; the height the node had reached stays on record. */
  | 'unreadable'
  /** The database holds a store that the options do not list. */
  | 'unlisted_store'
  | 'bad_options'
  /** Writes out of order, an empty or overlong key, or a height that does not ascend. */
  | 'bad_write'
  | 'nothing_staged'
  /** Asked while a commit is on its way to disk, or after the store was closed. */
  | 'busy'
  | 'closed'
  /** The disk refused a write; the store takes no more. */
  | 'write_failed'
  /** The tree in memory contradicts itself, or an orphan died twice: a fault of the program or of the machine's memory. */
  | 'inconsistent'
  /** An empty tree has no proof of absence. */
  | 'nothing_to_prove'

/** An error of the store. The message is for an operator. */
export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
    this.code = code
  }
}

/** The error of an assertion: to go on would give a wrong app hash, or lose what is on disk. */
export function inconsistent(what: string): StoreError {
  return new StoreError(
    'inconsistent',
    `the store contradicts itself: ${what}; restart the node, and report this`,
  )
}
