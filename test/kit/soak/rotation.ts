import type { ValidatorUpdate } from 'cosmjs-types/tendermint/abci/types'
import { compareBytes, sha256, toHex } from '../../../core/bytes.ts'

export interface Member {
  readonly address: Uint8Array
  readonly power: bigint
}

/** A set of validators by height, and who proposes, as CometBFT has it: updates are in force two heights later. */
export class Rotation {
  readonly #sets = new Map<bigint, readonly Member[]>()
  readonly #priorities = new Map<string, bigint>()

  constructor(genesis: readonly Member[]) {
    const set = sorted(genesis)
    this.#sets.set(1n, set).set(2n, set)
  }

  /** Another one that goes on from here. */
  copy(): Rotation {
    const copy = new Rotation([])
    for (const [height, set] of this.#sets) copy.#sets.set(height, set)
    for (const [id, priority] of this.#priorities) copy.#priorities.set(id, priority)
    return copy
  }

  at(height: bigint): readonly Member[] {
    return this.#sets.get(height) ?? []
  }

  /** Whose turn it is: that of the next one while those before are away, a round each. */
  proposer(height: bigint, isAway: (member: Member) => boolean): readonly [Member, round: number] {
    const set = this.at(height)
    for (let round = 0; ; round++) {
      const member = this.#turn(set)
      if (!isAway(member) || round > 4 * set.length) return [member, round]
    }
  }

  #turn(set: readonly Member[]): Member {
    let best = set[0]!
    let total = 0n
    for (const member of set) {
      const id = toHex(member.address)
      total += member.power
      this.#priorities.set(id, (this.#priorities.get(id) ?? 0n) + member.power)
      if (this.#priority(member) > this.#priority(best)) best = member
    }
    this.#priorities.set(toHex(best.address), this.#priority(best) - total)
    return best
  }

  #priority = ({ address }: Member): bigint => this.#priorities.get(toHex(address)) ?? 0n

  apply(height: bigint, updates: readonly ValidatorUpdate[]): void {
    const members = new Map(this.at(height + 1n).map((m) => [toHex(m.address), m]))
    const total = [...members.values()].reduce((sum, { power }) => sum + power, 0n)
    for (const { pubKey, power } of updates) {
      const address = sha256(pubKey.ed25519!).subarray(0, 20)
      const id = toHex(address)
      if (power === 0n) members.delete(id)
      else {
        if (!members.has(id)) this.#priorities.set(id, -(total + (total >> 3n)))
        members.set(id, { address, power })
      }
    }
    this.#sets.set(height + 2n, sorted([...members.values()]))
    this.#sets.delete(height - 20n)
  }
}

const sorted = (members: readonly Member[]): readonly Member[] =>
  [...members].sort((a, b) =>
    a.power === b.power ? compareBytes(a.address, b.address) : a.power > b.power ? -1 : 1,
  )
