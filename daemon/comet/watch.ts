import type { CometRpc, Position, VotesHeard } from '../client/rpc.ts'

/** Where consensus stands, seen from outside. */
export type Progress =
  /** No answer yet since the start: replaying, or dialling the application. */
  | { readonly kind: 'starting' }
  /** Catching up with the network block by block. */
  | { readonly kind: 'syncing'; readonly height: number }
  | { readonly kind: 'deciding'; readonly height: number }
  /** Rounds go by without a block: proposals are refused, or the proposers are down. */
  | { readonly kind: 'halted'; readonly height: number; readonly round: number }
  /** Neither height nor round moves: less than 2/3 of the power can be heard. */
  | ({ readonly kind: 'waiting'; readonly height: number; readonly round: number } & Partial<VotesHeard>)
  /** It answered once and does not any more. */
  | { readonly kind: 'silent'; readonly seconds: number }

/** From this round on a height counts as halted. */
const HALTED_FROM_ROUND = 3

/** Judges successive readings of CometBFT's RPC. `idleMs`: how long nothing may move before that is `waiting`. */
export class ProgressWatch {
  readonly #rpc: CometRpc
  readonly #idleMs: number
  #answered = false
  #lastAnswer = 0
  #height = 0
  #round = 0
  #movedAt = 0

  constructor(rpc: CometRpc, idleMs: number) {
    this.#rpc = rpc
    this.#idleMs = idleMs
  }

  /** Reads once and judges. Never rejects. */
  async read(): Promise<Progress> {
    try {
      const [status, position] = await Promise.all([this.#rpc.status(), this.#rpc.position()])
      return this.#judge(status.sync_info.catching_up, Number(status.sync_info.latest_block_height), position)
    } catch {
      if (!this.#answered) return { kind: 'starting' }
      return { kind: 'silent', seconds: (performance.now() - this.#lastAnswer) / 1000 }
    }
  }

  #judge(syncing: boolean, decided: number, { height, round, votes }: Position): Progress {
    const now = performance.now()
    this.#lastAnswer = now
    if (syncing) {
      this.#answered = true
      this.#movedAt = now
      return { kind: 'syncing', height: decided }
    }
    const moved = !this.#answered || height !== this.#height || round !== this.#round
    this.#answered = true
    if (moved) this.#movedAt = now
    this.#height = height
    this.#round = round
    if (now - this.#movedAt > this.#idleMs) return { kind: 'waiting', height, round, ...votes }
    if (round >= HALTED_FROM_ROUND) return { kind: 'halted', height, round }
    return { kind: 'deciding', height: decided }
  }
}
