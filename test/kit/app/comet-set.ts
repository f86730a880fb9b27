import type { ValidatorUpdate } from 'cosmjs-types/tendermint/abci/types'
import { sha256, toHex } from '../../../core/bytes.ts'

/** Powers by the consensus key's address in hex. */
export type Powers = ReadonlyMap<string, bigint>

/** The validator sets as CometBFT has them: what a block at h says is in force from h + 2. */
export class CometSet {
  readonly #sets: Powers[]
  readonly #first: number

  /** `first` is the height of the chain's first block. */
  constructor(genesis: Powers, first = 1) {
    this.#first = first
    this.#sets = [genesis, genesis]
  }

  /** The set that decides the block at `height`. */
  at(height: bigint): Powers {
    return this.#sets[Number(height) - this.#first]!
  }

  /** All that was said up to and with the block at `height`. */
  after(height: bigint): Powers {
    return this.at(height + 2n)
  }

  /** Throws where CometBFT would halt: a removal of what is no validator, two updates of one, or an empty set. */
  apply(height: bigint, updates: readonly ValidatorUpdate[]): void {
    const next = new Map(this.at(height + 1n))
    const told = new Set<string>()
    for (const { pubKey, power } of updates) {
      const id = toHex(sha256(pubKey.ed25519!).subarray(0, 20))
      if (told.has(id)) throw new Error(`two updates of ${id}`)
      told.add(id)
      if (power > 0n) next.set(id, power)
      else if (!next.delete(id)) throw new Error(`an update removes ${id}, which is no validator`)
    }
    if (next.size === 0) throw new Error('the updates leave no validator')
    this.#sets[Number(height) + 2 - this.#first] = next
  }
}
