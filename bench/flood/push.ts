import { Agent } from 'node:http'
import { BATCH, CONNECTIONS, call, encodeBatch, post } from '../transfers/load.ts'

/** The mempool is kept from running over: what a full one drops, it drops without a word, and the account's next ones with it. */
const FILL = 0.5
/** In long slots as many more may be on their way between CometBFT and the application, 4 MB of them. */
const UNDER_WAY = 16_000
const LARGE = 10_000
const holdAt = (size: number): number =>
  size < LARGE ? size * FILL : Math.min(size * FILL, Math.max(1000, size - UNDER_WAY))

/** The answers of an overrun mempool: that it is full, or that it has a transaction which is pushed again already. */
const OVERRUN = /^[^{]*{[^}]*(mempool is full|tx already exists in cache)/
const LOOK_MS = 50

export interface Pushed {
  /** Until the last was taken. */
  readonly seconds: number
  /** Of them, those in which the mempool was too full for more. */
  readonly held: number
}

/**
 * Pushes all transactions as fast as CometBFT takes them: JSON-RPC batches of 10 over 8 connections, encoded ahead.
 * Waits while half of the mempool's `size` is taken. Over one connection they arrive in their order.
 */
export async function pushAll(
  rpc: string,
  txs: readonly Uint8Array[],
  size: number,
  connections = CONNECTIONS,
): Promise<Pushed> {
  const bodies = Array.from({ length: Math.ceil(txs.length / BATCH) }, (_, i) =>
    encodeBatch(txs.slice(i * BATCH, (i + 1) * BATCH)),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let next = 0
  let room: Promise<void> = Promise.resolve()
  let held = 0
  let done = false
  const watch = async (): Promise<void> => {
    let free: (() => void) | undefined
    let since = 0
    while (!done) {
      const { n_txs } = await call<{ n_txs: string }>(rpc, 'num_unconfirmed_txs')
      const isFull = Number(n_txs) > holdAt(size)
      if (isFull && free === undefined) {
        room = new Promise((resolve) => (free = resolve))
        since = performance.now()
      } else if (!isFull && free !== undefined) {
        held += performance.now() - since
        free()
        free = undefined
      }
      await new Promise((r) => setTimeout(r, LOOK_MS))
    }
    free?.()
  }
  const worker = async (): Promise<void> => {
    while (next < bodies.length) {
      await room
      const body = bodies[next++]
      if (body === undefined) return
      const answer = await post(agent, rpc, body)
      const refusal = answer
        .split('"error"')
        .slice(1)
        .find((error) => !OVERRUN.test(error))
      if (refusal !== undefined) throw new Error(`a transaction was refused: ${refusal.slice(0, 500)}`)
    }
  }
  const began = performance.now()
  const watching = watch()
  try {
    await Promise.all(Array.from({ length: connections }, worker))
  } finally {
    done = true
    await watching
    agent.destroy()
  }
  return { seconds: (performance.now() - began) / 1000, held: held / 1000 }
}
