import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../../../core/log.ts'
import type { PruningPlan } from '../pruning-options.ts'
import type { State } from '../state.ts'
import { inconsistent } from '../store-error.ts'
import type { ChunkSource } from './chunk-source.ts'
import type { Batch, Database } from './database.ts'
import { chunkKey, deadKey, heightBytes, META_EARLIEST, orphansKey, versionKey } from './database-keys.ts'
import { DeadMask } from './dead-mask.ts'
import { CHUNK_NODES, withoutDead } from './node-chunk.ts'
import { decodeOrphans } from './orphan-list.ts'

const SLICE_MS = 2
const KEYS_AT_ONCE = 512
/** A chunk is rewritten without its dead nodes when this many of its 64 have died. */
const REWRITE_AT = [32, 56]
/** The share of the kept heights that goes when the database is over its size. */
const OVERSIZE_SHARE = 0.1

/** Nodes of one chunk that a version no longer holds. */
interface ChunkDeaths {
  readonly version: number
  readonly chunk: number
  readonly positions: number[]
}

/**
 * Drops the oldest versions in the background, one atomic batch a version, its work cut into slices of about 2 ms.
 * A version's orphan list names the nodes that it was the first not to hold: when all before it is gone, so are they.
 */
export class Pruner {
  readonly #database: Database
  readonly #chunks: ChunkSource
  readonly #plan: PruningPlan
  readonly #state: State
  readonly #log: Log | undefined
  #running: Promise<void> | undefined
  #isStopped = false
  #sliceEnds = 0
  #bytes = 0

  constructor(
    database: Database,
    chunks: ChunkSource,
    state: State,
    plan: PruningPlan,
    log: Log | undefined,
  ) {
    this.#database = database
    this.#chunks = chunks
    this.#plan = plan
    this.#state = state
    this.#log = log
  }

  /** Of the database when it was last looked at; 0 before. */
  get bytes(): number {
    return this.#bytes
  }

  /** To be called after every commit. */
  committed(): void {
    if (this.#isStopped || this.#running || this.#state.height % this.#plan.interval !== 0) return
    this.#running = this.#run()
      .catch((error: unknown) => {
        this.#isStopped = true
        this.#log?.error({ error: String(error) }, 'pruning has stopped until the next start')
      })
      .finally(() => {
        this.#running = undefined
      })
  }

  /** Resolves when nothing is being pruned. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.idle()
  }

  async #run(): Promise<void> {
    await this.#dropBelow(() => this.#state.height - this.#plan.keepRecent + 1)
    this.#bytes = await this.#database.size()
    if (this.#bytes <= this.#plan.maxDiskBytes || this.#isStopped) return
    const { earliestHeight: from, height } = this.#state
    const cutoff = from + Math.ceil((height - from) * OVERSIZE_SHARE)
    await this.#dropBelow(() => cutoff)
    // Level gives space back only as it compacts: else the same size would be found, and more dropped, the next time.
    for (const id of this.#state.names.keys()) {
      if (this.#isStopped) return
      await this.#database.compact(chunkKey(id, 0, 0), chunkKey(id, this.#state.earliestHeight, 0))
    }
    this.#bytes = await this.#database.size()
  }

  /** Always leaves the last two versions, which readers taken before a commit need. */
  async #dropBelow(cutoff: () => number): Promise<void> {
    while (!this.#isStopped) {
      const oldest = this.#state.earliestHeight
      if (oldest === 0 || oldest >= cutoff() || oldest >= this.#state.heldHeight) return
      const next = await this.#database.heightAfter(oldest)
      if (next === undefined || next >= this.#state.height) return
      await this.#drop(oldest, next)
    }
  }

  async #drop(oldest: number, next: number): Promise<void> {
    this.#sliceEnds = performance.now() + SLICE_MS
    this.#state.forgetBelow(next)
    await this.#database.write(async (batch) => {
      batch.del(versionKey(oldest))
      batch.put(META_EARLIEST, heightBytes(next))
      for (const id of this.#state.names.keys()) {
        const key = orphansKey(next, id)
        const orphans = this.#database.get(key)
        if (!orphans) continue
        batch.del(key)
        await this.#bury(batch, id, await this.#deaths(orphans))
      }
    }, false)
  }

  async #deaths(orphans: Uint8Array): Promise<ChunkDeaths[]> {
    const deaths: ChunkDeaths[] = []
    let last: ChunkDeaths | undefined
    for (const { version, index } of decodeOrphans(orphans)) {
      const chunk = Math.floor(index / CHUNK_NODES)
      if (last?.version !== version || last.chunk !== chunk) {
        last = { version, chunk, positions: [] }
        deaths.push(last)
        if (deaths.length % 64 === 0) await this.#slice()
      }
      last.positions.push(index % CHUNK_NODES)
    }
    return deaths
  }

  async #bury(batch: Batch, id: number, deaths: readonly ChunkDeaths[]): Promise<void> {
    for (let from = 0; from < deaths.length; from += KEYS_AT_ONCE) {
      const group = deaths.slice(from, from + KEYS_AT_ONCE)
      const known = await this.#database.getMany(
        group.map(({ version, chunk }) => deadKey(id, version, chunk)),
      )
      const sparse: { readonly key: Buffer; readonly mask: DeadMask }[] = []
      for (const [i, { version, chunk, positions }] of group.entries()) {
        const mask = new DeadMask(known[i])
        const before = mask.count
        for (const position of positions) {
          if (mask.has(position)) throw inconsistent(`node ${id}/${version}/${chunk}/${position} dies twice`)
          mask.add(position)
        }
        const key = chunkKey(id, version, chunk)
        if (mask.isFull) {
          this.#chunks.forget(id, version, chunk)
          batch.del(key)
          batch.del(deadKey(id, version, chunk))
          continue
        }
        batch.put(deadKey(id, version, chunk), mask.bytes)
        if (REWRITE_AT.some((limit) => before < limit && mask.count >= limit)) sparse.push({ key, mask })
      }
      await this.#slice()
      const chunks = await this.#database.getMany(sparse.map(({ key }) => key))
      for (const [i, { key, mask }] of sparse.entries()) {
        batch.put(key, withoutDead(chunks[i]!, mask))
        await this.#slice()
      }
    }
  }

  async #slice(): Promise<void> {
    if (performance.now() < this.#sliceEnds) return
    await nextTurn()
    this.#sliceEnds = performance.now() + SLICE_MS
  }
}
