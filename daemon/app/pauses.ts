/** How long a block may execute before others have their turn. */
const EVERY_MS = 10

/**
 * Asked between two transactions of a block: a promise to wait for where it is time to let reads of the committed state
 * be answered, nothing where it is not. What waits meanwhile sees nothing of the block, nor the block of it.
 */
export function pauses(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let last = now()
  return () => {
    if (now() - last < EVERY_MS) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        last = now()
        resolve()
      })
    })
  }
}
