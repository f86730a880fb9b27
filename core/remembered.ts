/** Remembers the last results of a pure function of a string, at least `size` of them. */
export function remembered<T>(size: number): {
  get: (key: string) => T | undefined
  set: (key: string, value: T) => T
} {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  const set = (key: string, value: T): T => {
    if (young.size >= size) {
      old = young
      young = new Map()
    }
    young.set(key, value)
    return value
  }
  return {
    set,
    get(key) {
      const hit = young.get(key)
      if (hit !== undefined) return hit
      const kept = old.get(key)
      return kept === undefined ? undefined : set(key, kept)
    },
  }
}
