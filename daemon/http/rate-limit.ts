const MAX_CLIENTS = 20_000

/**
 * A bucket of tokens for each client: `perSecond` flow in, up to a second's worth. The clients longest unseen are
 * forgotten when there are too many.
 */
export class RateLimit {
  readonly #perSecond: number
  readonly #now: () => number
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  /** `now` in milliseconds. */
  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond
    this.#now = now
  }

  /** Takes one token. Answers 0, or the seconds until there is one. */
  take(client: string): number {
    const now = this.#now()
    const key = networkOf(client)
    const bucket = this.#buckets.get(key) ?? { tokens: this.#perSecond, at: now }
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > MAX_CLIENTS) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest)
        break
      }
    }
    bucket.tokens = Math.min(this.#perSecond, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond)
    bucket.at = now
    if (bucket.tokens < 1) return (1 - bucket.tokens) / this.#perSecond
    bucket.tokens--
    return 0
  }
}

/** One host is commonly given a whole /64 of IPv6. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]!
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.split('%')[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const groups = address.includes('::')
    ? [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
    : left
  return groups
    .slice(0, 4)
    .map((g) => g.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')
}
