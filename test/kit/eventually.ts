/** Waits until `condition` gives something truthy, and returns it. Rejects, saying `what`, after `timeoutMs`. */
export async function eventually<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 45_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await condition()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
