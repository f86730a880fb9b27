import { fromUtf8, utf8 } from '../../core/bytes.ts'
import { errors } from '../../core/error.ts'
import type { Store } from '../store/store.ts'

/** Keys of the local namespace: no hash covers them, and nothing in FinalizeBlock reads them. */
const HALT = utf8('meta:chain_halt')
const HALT_HEIGHT = utf8('meta:chain_halt_height')
/** Height of the halt that the operator cleared: rounds are counted from there on. */
const CLEARED_HEIGHT = utf8('meta:chain_halt_cleared')

export const nodeError = errors('node', {
  halted: [1, 'the chain is halted until its operators clear it', 'UNAVAILABLE'],
})

/** The emergency halt as the node knows it for itself, outside of what is hashed. */
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

/** The halt as `fornaxd halt status` prints it. */
export const haltStatus = ({ height, clearedHeight }: Halt, committedHeight: number) => ({
  halted: height !== undefined,
  halt_height: height === undefined ? null : `${height}`,
  cleared_height: clearedHeight === 0 ? null : `${clearedHeight}`,
  committed_height: `${committedHeight}`,
})

/** The same of a running node, at the query path `/app/halt`. */
export const haltJson = ({
  halt,
  store,
  decidedHeight,
}: {
  readonly halt: Halt
  readonly store: Store
  readonly decidedHeight: number
}) => ({
  ...haltStatus(halt, store.height),
  decided_height: `${decidedHeight}`,
})

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
  refuses({ halt }: { readonly halt: Halt }, now: number): boolean {
    if (halt.clearedHeight === 0) return false
    if (this.#until === undefined || now - this.#last < REPLAY_PACE_MS) this.#until = now + REJOIN_MS
    this.#last = now
    return now < this.#until
  }
}

/** Halts the node at `height`, for its next start too. Written once a streak. */
export const writeHalt = ({ local }: Store, height: number): Promise<void> =>
  local.put([
    [HALT, utf8('true')],
    [HALT_HEIGHT, utf8(`${height}`)],
  ])

/** Writes that go with a healthy commit where there was a halt or one was cleared: both are over. */
export const endOfHalt = ({ height, clearedHeight }: Halt): [Uint8Array, null][] =>
  height === undefined && clearedHeight === 0
    ? []
    : [HALT, HALT_HEIGHT, CLEARED_HEIGHT].map((key) => [key, null])

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
