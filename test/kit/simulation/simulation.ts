import { modules } from '../../../modules/index.ts'
import { type BlockPlan, Consensus } from '../oracle/consensus.ts'
import { type FornaxSubject, startFornax } from '../oracle/fornax.ts'
import { type ChainDescription, initRequest } from '../oracle/genesis.ts'
import { DAY } from '../oracle/scenario.ts'
import { signAll } from '../oracle/signing.ts'
import { type Random, randomness } from '../random.ts'
import { type Cast, randomOperation } from './operations.ts'

const FUNDS = 1_000_000_000_000n
const cast: Cast = {
  stalwarts: ['anchor', 'bedrock'],
  validators: ['val1', 'val2', 'val3', 'val4', 'cand1', 'cand2'],
  people: ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi'],
}

/** Few places and few entries, a short window: rare things happen often. */
const description: ChainDescription = {
  validators: {
    anchor: { tokens: 400_000_000n, rate: '0.05' },
    bedrock: { tokens: 300_000_007n, rate: '0' },
    val1: { tokens: 10_000_000n, rate: '0.1' },
    val2: { tokens: 20_000_003n, rate: '0.3', maxRate: '0.9', maxChangeRate: '0.2' },
    val3: { tokens: 30_999_999n, rate: '0.333333333333333333' },
    val4: { tokens: 4_500_000n, rate: '0.5' },
  },
  accounts: Object.fromEntries([...cast.people, 'cand1', 'cand2'].map((name) => [name, FUNDS])),
  candidates: ['cand1', 'cand2'],
  sections: { staking: { params: { max_validators: 5, max_entries: 4 } } },
}

/** What a simulation came to. */
export interface Tally {
  blocks: number
  accepted: number
  refused: number
  readonly codes: Map<string, number>
}

/** A chain on which people and validators do what a seed says; every block is checked against all invariants. */
export class Simulation {
  readonly tally: Tally = { blocks: 0, accepted: 0, refused: 0, codes: new Map() }
  readonly #random: Random
  readonly #fornax: FornaxSubject
  readonly #consensus: Consensus
  readonly #names = modules.map((m) => m.name)
  /** Validators that sleep, and until which height. */
  readonly #asleep = new Map<string, bigint>()

  private constructor(seed: number, fornax: FornaxSubject, consensus: Consensus) {
    this.#random = randomness(seed)
    this.#fornax = fornax
    this.#consensus = consensus
  }

  static async start(seed: number): Promise<Simulation> {
    const fornax = await startFornax()
    const { validators } = await fornax.initChain(initRequest(fornax, description))
    return new Simulation(seed, fornax, new Consensus(validators))
  }

  stop(): Promise<void> {
    return this.#fornax.stop()
  }

  /** Plays one block of `operations`. Throws where an invariant is broken. */
  async block(operations: number): Promise<void> {
    const chosen = Array.from({ length: operations }, () =>
      randomOperation(this.#random, cast, this.#consensus.height, this.#names),
    )
    const request = this.#consensus.next({ ...this.#fate(), txs: await signAll(this.#fornax, chosen) })
    const answer = await this.#fornax.finalizeBlock(request)
    await this.#fornax.commit()
    this.#consensus.decided(request, answer.validatorUpdates)
    this.tally.blocks++
    for (const [i, { code, codespace }] of answer.txResults.entries()) {
      if (code === 0) this.tally.accepted++
      else this.tally.refused++
      const key = `${chosen[i]!.text.split(' ')[1]} ${code === 0 ? 'ok' : `${codespace}/${code}`}`
      this.tally.codes.set(key, (this.tally.codes.get(key) ?? 0) + 1)
    }
    this.#requireInvariants()
  }

  /** Who sleeps, who is found to have signed twice, and how much time passes. */
  #fate(): Omit<BlockPlan, 'txs'> {
    const height = this.#consensus.height
    for (const name of cast.validators)
      if (this.#random(60) === 0) this.#asleep.set(name, height + BigInt(1 + this.#random(30)))
    const absent = [...this.#asleep].filter(([, until]) => until > height).map(([name]) => name)
    const equivocations = []
    if (this.#random(40) === 0 && height > 30n) {
      const validator = cast.validators[this.#random(cast.validators.length)]!
      const at = height - BigInt(this.#random(20))
      if (this.#consensus.validated(validator, at)) equivocations.push({ validator, height: at })
    }
    const jump = this.#random(30)
    if (jump === 0) return { absent, equivocations, afterNs: DAY * BigInt(1 + this.#random(10)) }
    if (jump === 1) return { absent, equivocations, afterNs: DAY / 24n }
    return { absent, equivocations }
  }

  #requireInvariants(): void {
    const { state } = this.#fornax
    const ctx = state.view('committed')
    for (const module of modules)
      for (const [name, broken] of Object.entries(module.invariants)) {
        const what = broken(ctx)
        if (what !== undefined)
          throw new Error(`height ${state.store.height}: ${module.name}/${name} is broken: ${what}`)
      }
  }
}
