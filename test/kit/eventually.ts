import { PATIENCE } from './patience.ts'

/**
 * Waits until `condition` gives something truthy, and returns it. Rejects, saying `what`, after `timeoutMs` with all
 * patience.
 */
export async function eventually<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 45_000,
): Promise<NonNullable<T>> {
  const limit = timeoutMs * PATIENCE
  const deadline = performance.now() + limit
  for (;;) {
    const value = await condition()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`not within ${limit} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
