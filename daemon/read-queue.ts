import { Unavailable } from '../core/error.ts'

const MAX_WAITING = 200
const MAX_WAITING_OF_CLIENT = 50
/** Reads that have begun and wait for another process, CometBFT: what it answers is read on this thread. */
const MAX_UNDER_WAY = 8
const MAX_UNDER_WAY_OF_CLIENT = 2

/** The client that asks for everybody who uses CometBFT's RPC, one question at a time. */
export const COMETBFT = 'CometBFT'

/** A read was refused: its client waits for too many, or all clients together do. */
export class TooManyReads extends Unavailable {
  override readonly name = 'TooManyReads'
  readonly whose: 'client' | 'all'

  constructor(whose: 'client' | 'all') {
    super('too many reads wait for an answer')
    this.whose = whose
  }
}

export interface Read {
  readonly client: string
  /** Resolves when it has been answered. */
  readonly begin: () => Promise<void>
  readonly refuse: (error: TooManyReads) => void
}

/**
 * Reads that wait, and those that have begun. The clients take turns, CometBFT having every other one. Where all places are
 * taken a newcomer gets that of whoever holds the most.
 */
export class ReadQueue {
  /** By client, the one whose turn it is first. */
  readonly #waiting = new Map<string, Read[]>()
  /** By client, those that have begun and not ended. */
  readonly #underWay = new Map<string, number>()
  /** Waiting and under way, CometBFT's own apart. */
  #count = 0
  #begun = 0
  #last = ''

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** Throws TooManyReads. */
  add(read: Read): void {
    const { client } = read
    const own = this.#waiting.get(client) ?? []
    if (own.length + this.#begunOf(client) >= MAX_WAITING_OF_CLIENT) throw new TooManyReads('client')
    if (client !== COMETBFT) {
      if (this.#count >= MAX_WAITING) this.#makeRoom(own.length + 1)
      this.#count++
    }
    own.push(read)
    this.#waiting.set(client, own)
  }

  /** The read whose turn it is; nothing where each client has its share under way, or all together have. */
  take(): Read | undefined {
    const client = this.#next()
    if (client === undefined) return undefined
    const own = this.#waiting.get(client)!
    const read = own.shift()!
    this.#waiting.delete(client)
    if (own.length > 0) this.#waiting.set(client, own)
    this.#underWay.set(client, this.#begunOf(client) + 1)
    if (client !== COMETBFT) this.#begun++
    this.#last = client
    return read
  }

  /** A read that was taken has ended. */
  end({ client }: Read): void {
    const others = this.#begunOf(client) - 1
    if (others > 0) this.#underWay.set(client, others)
    else this.#underWay.delete(client)
    if (client === COMETBFT) return
    this.#begun--
    this.#count--
  }

  #begunOf(client: string): number {
    return this.#underWay.get(client) ?? 0
  }

  #next(): string | undefined {
    const cometBft = this.#waiting.has(COMETBFT) ? COMETBFT : undefined
    const other = this.#nextOther()
    return this.#last === COMETBFT ? (other ?? cometBft) : (cometBft ?? other)
  }

  #nextOther(): string | undefined {
    if (this.#begun >= MAX_UNDER_WAY) return undefined
    for (const client of this.#waiting.keys())
      if (client !== COMETBFT && this.#begunOf(client) < MAX_UNDER_WAY_OF_CLIENT) return client
    return undefined
  }

  /** Refuses the newest read of who holds the most places, or throws where that is no more than `wanted`. */
  #makeRoom(wanted: number): void {
    let most: Read[] = []
    for (const [client, reads] of this.#waiting)
      if (client !== COMETBFT && reads.length > most.length) most = reads
    if (most.length <= wanted) throw new TooManyReads('all')
    most.pop()!.refuse(new TooManyReads('client'))
    this.#count--
  }
}
