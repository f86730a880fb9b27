import { NO_BYTES, toHex } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { Log } from '../../core/log.ts'
import {
  encodeReport,
  FEATURES,
  featuresHash,
  featuresOf,
  modelAt,
  nextModel,
} from '../../modules/classifier/api.ts'
import type { Reporter } from '../app/chain.ts'
import { type Engine, openEngine } from './engine.ts'
import { findModels } from './model-files.ts'

export interface ClassifierOptions {
  /** Folders with model files; the chain says by hash which one. */
  readonly folders: readonly string[]
  readonly log: Log
  /** Told of each inference: its seconds, or that it failed. */
  readonly onInference?: (seconds: number | 'failed') => void
}

/** How often a model that is to follow is looked for, and how often it is missed aloud. */
const LOOK_BLOCKS = 10n
const SAY_BLOCKS = 100n
const NEXT_MISSING =
  'the model that governance has named cannot be used: from its height on votes go out without scores'

/** The node has no file of the model that the chain names. */
export class ModelMissing extends Error {
  override readonly name = 'ModelMissing'
}

/**
 * Runs the chain's model over the state that a block leaves and makes a report of the scores. A failure costs this node its
 * say, not its place: the extension is empty, and it is logged once until it works again.
 */
export class Classifier implements Reporter {
  readonly #options: ClassifierOptions
  readonly #engines = new Map<string, Promise<Engine>>()
  #failing = false
  /** Hash of the model that is to follow, where the node does not have it. */
  #missing: string | undefined

  constructor(options: ClassifierOptions) {
    this.#options = options
  }

  /** Throws ModelMissing where no file has the hash. */
  async requireModel(sha256: Uint8Array): Promise<void> {
    await this.#engineOf(sha256)
  }

  /** The scores of every validator on the roster, in its order. */
  async scores(ctx: Context): Promise<number[]> {
    const engine = await this.#engineOf(modelAt(ctx, ctx.height).sha256)
    return engine.scores(featuresOf(ctx))
  }

  async report(ctx: Context): Promise<Uint8Array> {
    await this.#lookAhead(ctx)
    const { sha256 } = modelAt(ctx, ctx.height)
    if (sha256.length === 0) return NO_BYTES
    const { log, onInference } = this.#options
    const begin = performance.now()
    try {
      const rows = featuresOf(ctx)
      const engine = await this.#engineOf(sha256)
      const report = encodeReport(sha256, featuresHash(rows), await engine.scores(rows))
      onInference?.((performance.now() - begin) / 1000)
      if (this.#failing) log.info({ height: ctx.height.toString() }, 'the classifier works again')
      this.#failing = false
      return report
    } catch (err) {
      onInference?.('failed')
      if (!this.#failing)
        log.error(
          { err, height: ctx.height.toString() },
          'the classifier failed: votes go out without scores until it works',
        )
      this.#failing = true
      return NO_BYTES
    }
  }

  /** Opens the model that is to follow ahead of its time, and warns where it is missing. */
  async #lookAhead(ctx: Context): Promise<void> {
    const next = nextModel(ctx)
    if (next === undefined) return
    const sha256 = toHex(next.sha256)
    const wasMissing = this.#missing === sha256
    if (wasMissing && ctx.height % LOOK_BLOCKS !== 0n) return
    const { log } = this.#options
    const fields = { sha256, activation_height: next.activationHeight.toString() }
    try {
      await this.#engineOf(next.sha256)
      this.#missing = undefined
      if (wasMissing) log.info(fields, 'the model that governance has named is there now')
    } catch (err) {
      this.#missing = sha256
      if (!wasMissing || ctx.height % SAY_BLOCKS === 0n) log.warn({ ...fields, err }, NEXT_MISSING)
    }
  }

  #engineOf(sha256: Uint8Array): Promise<Engine> {
    const hash = toHex(sha256)
    const known = this.#engines.get(hash)
    if (known !== undefined) return known
    const opening = this.#open(hash)
    this.#engines.set(hash, opening)
    // Asked again, it looks for the file again: an operator may put it there while the node runs.
    opening.catch(() => this.#engines.delete(hash))
    return opening
  }

  async #open(hash: string): Promise<Engine> {
    const { folders } = this.#options
    const path = findModels(folders).get(hash)
    if (path === undefined)
      throw new ModelMissing(
        `no model file with sha256 ${hash} in ${folders.join(' or ')}: the chain's scores are made with it; put it there, named *.onnx`,
      )
    return openEngine(path, FEATURES.length)
  }
}
