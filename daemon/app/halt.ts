import { fromUtf8, utf8 } from '../../core/bytes.ts'
import { errors } from '../../core/error.ts'
import { FAILSAFE_HALT_AFTER_BLOCKS } from '../../modules/agents/api.ts'
import type { Store } from '../store/store.ts'
import type { App } from './app.ts'

/** Keys of the local namespace: no hash covers them, and nothing in FinalizeBlock reads them. */
const HALT = utf8('meta:chain_halt')
const HALT_HEIGHT = utf8('meta:chain_halt_height')
/** Height of the halt that the operator cleared: rounds are counted from there on. */
const CLEARED_HEIGHT = utf8('meta:chain_halt_cleared')

export const nodeError = errors('node', { halted: [1, 'the chain is halted until its operators clear it'] })

/** What the node knows for itself of the emergency halt. */
export interface Halt {
  /** The height whose degraded round brought it about; nothing where the node is not halted. */
  readonly height: number | undefined
  /** 0 where none was cleared. */
  readonly clearedHeight: number
}

export const NO_HALT: Halt = { height: undefined, clearedHeight: 0 }

const number = (bytes: Uint8Array | undefined): number | undefined =>
  bytes === undefined ? undefined : Number(fromUtf8(bytes))

export function readHalt({ local }: Store): Halt {
  const isSet = local.get(HALT) !== undefined
  return {
    height: isSet ? (number(local.get(HALT_HEIGHT)) ?? 0) : undefined,
    clearedHeight: number(local.get(CLEARED_HEIGHT)) ?? 0,
  }
}

/** Rounds in a row without a commit since the last one, or since the halt that was cleared. */
export function degradedStreak(app: App): number {
  const committed = Math.max(app.store.height, Number(app.lastBlock.initialHeight) - 1)
  return Math.max(0, app.workingHeight - Math.max(committed, app.halt.clearedHeight))
}

export const isHalted = (app: App): boolean => app.halt.height !== undefined

/** How long a node whose halt was cleared goes on refusing after its start. */
const REJOIN_MS = 3_000
/** CometBFT's replay of past rounds asks faster than any network does. */
const REPLAY_PACE_MS = 10

/**
 * Lets a node whose halt was cleared take part again only when CometBFT has replayed the rounds of the halt and the last
 * of them has passed. A validator that signed a vote for nil and lost it with its process can sign nothing else in that
 * round; where many did, and now voted for the block, the round would never end.
 */
export class Rejoining {
  #until: number | undefined
  #last = 0

  /** Whether a proposal that is asked about now, in milliseconds of a clock, is still to be refused. */
  refuses(app: App, now: number): boolean {
    if (app.halt.clearedHeight === 0) return false
    if (this.#until === undefined || now - this.#last < REPLAY_PACE_MS) this.#until = now + REJOIN_MS
    this.#last = now
    return now < this.#until
  }
}

/** After a withheld commit: halts the node where the streak is long enough. Written once a streak. */
export async function haltAfterStreak(app: App): Promise<void> {
  if (isHalted(app) || degradedStreak(app) < FAILSAFE_HALT_AFTER_BLOCKS) return
  const height = app.workingHeight
  await app.store.local.put([
    [HALT, utf8('true')],
    [HALT_HEIGHT, utf8(`${height}`)],
  ])
  app.halt = { ...app.halt, height }
  app.log.error(
    { height, committed: app.store.height },
    'emergency halt: the Zenith Pool has disagreed for too long; `fornaxd halt status` tells what to do',
  )
}

/** What a healthy commit writes with its block: the halt and what was cleared are over. */
export function endOfHalt(app: App): [Uint8Array, null][] {
  const { height, clearedHeight } = app.halt
  if (height === undefined && clearedHeight === 0) return []
  app.log.info({ height: app.workingHeight }, 'a healthy block is committed: the halt is over')
  return [HALT, HALT_HEIGHT, CLEARED_HEIGHT].map((key) => [key, null])
}

/** The operator's clear, with the node stopped: answers the height of the halt, or nothing where there is none. */
export async function clearHalt(store: Store): Promise<number | undefined> {
  const { height } = readHalt(store)
  if (height === undefined) return undefined
  await store.local.put([
    [HALT, null],
    [HALT_HEIGHT, null],
    [CLEARED_HEIGHT, utf8(`${height}`)],
  ])
  return height
}
