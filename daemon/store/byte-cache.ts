/** Least-recently-used entries up to a total of bytes. */
export class ByteCache<T> {
  private readonly entries = new Map<string, { value: T; bytes: number }>()
  private readonly limit: number
  private total = 0

  constructor(limitBytes: number) {
    this.limit = limitBytes
  }

  get bytes(): number {
    return this.total
  }

  get(key: string): T | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    // A move to the end costs more than a look-up; it is needed only once entries are being dropped.
    if (this.total * 2 > this.limit) {
      this.entries.delete(key)
      this.entries.set(key, entry)
    }
    return entry.value
  }

  set(key: string, value: T, bytes: number): void {
    this.delete(key)
    this.entries.set(key, { value, bytes })
    this.total += bytes
    for (const [oldest, entry] of this.entries) {
      if (this.total <= this.limit) break
      this.entries.delete(oldest)
      this.total -= entry.bytes
    }
  }

  delete(key: string): void {
    const entry = this.entries.get(key)
    if (!entry) return
    this.entries.delete(key)
    this.total -= entry.bytes
  }
}
