/** The cost of a transaction beside its gas, to be decoded, looked up and answered. In gas. */
const TX_GAS = 20_000
/** More than this a transaction does not count: gas that is wanted need not be used. */
const MAX_TX_GAS = 50_000_000
/** Blocks with less tell what a block takes that holds nothing. */
const SMALL = 5_000_000
/** The estimate until enough has been seen: 60 µs for a send that wants 200,000 gas. */
const FIRST_RATE = 60e-6 / 220_000
const FIRST_GAS = 20_000_000
/** Share of a slot that goes into executing its block: with half of one more blocks left more to check again, a fifth less in all. */
const SHARE = 1
/** The cost for CometBFT and this node to check a transaction again that stays in the mempool. */
const RECHECK_SECONDS = 60e-6
/** Share of what was seen that each further block leaves. */
const KEEP = 0.6

/** Gas by which a transaction that wants `gasWanted` counts. */
export const countedGas = (gasWanted: bigint): number =>
  TX_GAS + (gasWanted < MAX_TX_GAS ? Number(gasWanted) : MAX_TX_GAS)

/** How far a proposer fills its block. */
export interface Budget {
  /** Gas that a block may count. */
  readonly gas: number
  /** Gas that takes as long as checking a transaction again. */
  readonly recheckGas: number
}

/**
 * How much a proposer puts into a block: what this node executes in a part of a slot, by what its last blocks took of the
 * processor. An estimate of this node alone: no other node knows it, and nothing that is checked of a block depends on it.
 */
export class BlockBudget implements Budget {
  readonly #seconds: number
  /** Seconds of a block that holds next to nothing. */
  #empty = 0
  #gas = 0
  #spent = 0

  constructor(slotMs: number) {
    this.#seconds = (slotMs / 1000) * SHARE
  }

  /** A block whose transactions count `gas` took `seconds`. */
  observe(gas: number, seconds: number): void {
    if (gas < SMALL) {
      this.#empty += (1 - KEEP) * (seconds - this.#empty)
      return
    }
    this.#gas = gas + KEEP * this.#gas
    this.#spent = Math.max(0, seconds - this.#empty) + KEEP * this.#spent
  }

  /** At least that of a small block: a slow node goes on, if slowly. */
  get gas(): number {
    return Math.max(SMALL, (this.#seconds - this.#empty) / this.#rate)
  }

  get recheckGas(): number {
    return RECHECK_SECONDS / this.#rate
  }

  /** Seconds for a unit of gas. */
  get #rate(): number {
    return (this.#spent + FIRST_GAS * FIRST_RATE) / (this.#gas + FIRST_GAS)
  }
}
