/**
 * About the most recently used entries, up to a total of bytes: two generations, the older of which is dropped whole.
 * (Deleting from the front of one Map costs a walk over what was deleted before.)
 */
export class ByteCache<T> {
  readonly #generationBytes: number
  #young = new Map<string, { value: T; bytes: number }>()
  #old = new Map<string, { value: T; bytes: number }>()
  #youngBytes = 0
  #oldBytes = 0

  constructor(limitBytes: number) {
    this.#generationBytes = Math.floor(limitBytes / 2)
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes
  }

  get(key: string): T | undefined {
    const entry = this.#young.get(key)
    if (entry) return entry.value
    const older = this.#old.get(key)
    if (!older) return undefined
    this.#old.delete(key)
    this.#oldBytes -= older.bytes
    this.#put(key, older)
    return older.value
  }

  set(key: string, value: T, bytes: number): void {
    this.delete(key)
    this.#put(key, { value, bytes })
  }

  /** Sets the value of an entry that is there already. */
  replace(key: string, value: T, bytes: number): void {
    if (this.#young.has(key) || this.#old.has(key)) this.set(key, value, bytes)
  }

  delete(key: string): void {
    const young = this.#young.get(key)
    if (young) {
      this.#young.delete(key)
      this.#youngBytes -= young.bytes
      return
    }
    const old = this.#old.get(key)
    if (!old) return
    this.#old.delete(key)
    this.#oldBytes -= old.bytes
  }

  #put(key: string, entry: { value: T; bytes: number }): void {
    if (entry.bytes > this.#generationBytes) return
    if (this.#youngBytes + entry.bytes > this.#generationBytes) {
      this.#old = this.#young
      this.#oldBytes = this.#youngBytes
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(key, entry)
    this.#youngBytes += entry.bytes
  }
}
