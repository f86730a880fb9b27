import { createHash } from 'node:crypto'
import {
  MisbehaviorType,
  RequestFinalizeBlock,
  type ValidatorUpdate,
} from 'cosmjs-types/tendermint/abci/types'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import { compareBytes, toHex } from '../../../core/bytes.ts'
import { timestampOf } from '../../../core/time.ts'
import { consensusKey } from './cast.ts'
import { GENESIS_NS } from './genesis.ts'

/** What a scenario decides about a block. */
export interface BlockPlan {
  readonly txs: readonly Uint8Array[]
  /** Since the block before; by default five seconds. */
  readonly afterNs?: bigint
  /** Names of validators whose vote on the block before is missing. */
  readonly absent?: readonly string[]
  /** Names of validators proven to have signed twice at a height. */
  readonly equivocations?: readonly { readonly validator: string; readonly height: bigint }[]
}

interface Member {
  readonly address: Uint8Array
  readonly power: bigint
}

const SLOT_NS = 5_000_000_007n
const sha256 = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())

/**
 * CometBFT's part: who validates each height, who votes and proposes. Validator updates of height h are in force from
 * h + 2, and the votes in a block are those of the height before.
 */
export class Consensus {
  height: bigint
  timeNs: bigint
  readonly #first: bigint
  /** By height. */
  readonly #sets = new Map<bigint, readonly Member[]>()
  readonly #times = new Map<bigint, bigint>()

  /** The set of the genesis, and the height and time before the first block. */
  constructor(genesis: readonly ValidatorUpdate[], height = 0n, timeNs = GENESIS_NS) {
    this.height = height
    this.timeNs = timeNs
    this.#first = height + 1n
    const set = updated([], genesis)
    this.#times.set(height, timeNs)
    this.#sets.set(height + 1n, set).set(height + 2n, set)
  }

  /** The request of the next block. */
  next(plan: BlockPlan): RequestFinalizeBlock {
    const height = this.height + 1n
    const timeNs = this.timeNs + (plan.afterNs ?? SLOT_NS)
    const set = this.#at(height)
    const absent = new Set((plan.absent ?? []).map((name) => toHex(consensusKey(name).address)))
    const voters = height === this.#first ? [] : this.#at(height - 1n)
    return RequestFinalizeBlock.fromPartial({
      txs: [...plan.txs],
      height,
      time: timestampOf(timeNs),
      hash: sha256(`block ${height}`),
      nextValidatorsHash: sha256(
        this.#at(height + 1n)
          .map((m) => `${toHex(m.address)} ${m.power}`)
          .join(),
      ),
      proposerAddress: set[Number(height) % set.length]!.address,
      decidedLastCommit: {
        votes: voters.map((validator) => ({
          validator,
          blockIdFlag: absent.has(toHex(validator.address))
            ? BlockIDFlag.BLOCK_ID_FLAG_ABSENT
            : BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
        })),
      },
      misbehavior: (plan.equivocations ?? []).map(({ validator, height: at }) => {
        const { address } = consensusKey(validator)
        const then = this.#at(at)
        return {
          type: MisbehaviorType.DUPLICATE_VOTE,
          validator: { address, power: then.find((m) => toHex(m.address) === toHex(address))?.power ?? 0n },
          height: at,
          time: timestampOf(this.#times.get(at)!),
          totalVotingPower: then.reduce((sum, m) => sum + m.power, 0n),
        }
      }),
    })
  }

  /** The block was decided. */
  decided(request: RequestFinalizeBlock, updates: readonly ValidatorUpdate[]): void {
    this.height = request.height
    this.timeNs = request.time.seconds * 1_000_000_000n + BigInt(request.time.nanos)
    this.#times.set(this.height, this.timeNs)
    this.#sets.set(this.height + 2n, updated(this.#at(this.height + 1n), updates))
  }

  /** Whether the validator of that name had power at a height. */
  validated(name: string, height: bigint): boolean {
    const address = toHex(consensusKey(name).address)
    return this.#at(height).some((m) => toHex(m.address) === address)
  }

  #at(height: bigint): readonly Member[] {
    return this.#sets.get(height) ?? []
  }
}

/** A set after updates, as CometBFT orders it: by power, then address. Throws where CometBFT would halt. */
function updated(set: readonly Member[], updates: readonly ValidatorUpdate[]): readonly Member[] {
  if (updates.length === 0) return set
  const members = new Map(set.map((m) => [toHex(m.address), m]))
  for (const { pubKey, power } of updates) {
    const address = new Uint8Array(createHash('sha256').update(pubKey.ed25519!).digest().subarray(0, 20))
    const id = toHex(address)
    if (power > 0n) members.set(id, { address, power })
    else if (!members.delete(id)) throw new Error(`an update removes ${id}, which is no validator`)
  }
  if (members.size === 0) throw new Error('the updates leave no validator')
  return [...members.values()].sort((a, b) =>
    a.power === b.power ? compareBytes(a.address, b.address) : a.power > b.power ? -1 : 1,
  )
}
