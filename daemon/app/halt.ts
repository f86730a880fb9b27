import { concatBytes, fromHex, fromUtf8, toHex, utf8 } from '../../core/bytes.ts'
import { errors } from '../../core/error.ts'
import { FAILSAFE_HALT_AFTER_BLOCKS } from '../../modules/agents/api.ts'
import type { Store } from '../store/store.ts'
import type { App } from './app.ts'

/** Keys of the local namespace: no hash covers them, and nothing in FinalizeBlock reads them. */
const HALT = utf8('meta:chain_halt')
const HALT_HEIGHT = utf8('meta:chain_halt_height')
/** Height of the halt that the operator cleared: rounds are counted from there on. */
const CLEARED_HEIGHT = utf8('meta:chain_halt_cleared')
/** Hashes of the last proposals that were refused for the halt. */
const REFUSED = utf8('meta:chain_halt_refused')
const HASH_BYTES = 32
const MAX_REFUSED = 32

export const nodeError = errors('node', { halted: [1, 'the chain is halted until its operators clear it'] })

/** What the node knows for itself of the emergency halt. */
export interface Halt {
  /** The height whose degraded round brought it about; nothing where the node is not halted. */
  readonly height: number | undefined
  /** 0 where none was cleared. */
  readonly clearedHeight: number
  /** In hex, the newest last. */
  readonly refused: readonly string[]
}

export const NO_HALT: Halt = { height: undefined, clearedHeight: 0, refused: [] }

const number = (bytes: Uint8Array | undefined): number | undefined =>
  bytes === undefined ? undefined : Number(fromUtf8(bytes))

function hashesOf(bytes: Uint8Array): string[] {
  const hashes: string[] = []
  for (let at = 0; at < bytes.length; at += HASH_BYTES)
    hashes.push(toHex(bytes.subarray(at, at + HASH_BYTES)))
  return hashes
}

export function readHalt({ local }: Store): Halt {
  const isSet = local.get(HALT) !== undefined
  return {
    height: isSet ? (number(local.get(HALT_HEIGHT)) ?? 0) : undefined,
    clearedHeight: number(local.get(CLEARED_HEIGHT)) ?? 0,
    refused: hashesOf(local.get(REFUSED) ?? new Uint8Array(0)),
  }
}

/** Rounds in a row without a commit since the last one, or since the halt that was cleared. */
export function degradedStreak(app: App): number {
  const committed = Math.max(app.store.height, Number(app.lastBlock.initialHeight) - 1)
  return Math.max(0, app.workingHeight - Math.max(committed, app.halt.clearedHeight))
}

export const isHalted = (app: App): boolean => app.halt.height !== undefined

/**
 * Whether a proposal was refused for the halt. It is refused again after the clear: a validator that signed a vote for
 * nil and lost it with its process can sign nothing else in that round, and where many did the round would never end.
 */
export const wasRefused = (app: App, hash: Uint8Array): boolean => app.halt.refused.includes(toHex(hash))

/** Remembers a refusal before it is answered. */
export async function noteRefusal(app: App, hash: Uint8Array): Promise<void> {
  if (wasRefused(app, hash)) return
  const refused = [...app.halt.refused, toHex(hash)].slice(-MAX_REFUSED)
  app.halt = { ...app.halt, refused }
  await app.store.local.put([[REFUSED, concatBytes(...refused.map(fromHex))]])
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
  const { height, clearedHeight, refused } = app.halt
  if (height === undefined && clearedHeight === 0 && refused.length === 0) return []
  app.log.info({ height: app.workingHeight }, 'a healthy block is committed: the halt is over')
  return [HALT, HALT_HEIGHT, CLEARED_HEIGHT, REFUSED].map((key) => [key, null])
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
