import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { Address } from '../../core/address.ts'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import '../../core/crypto/public-key.ts'
import { type Block, Context } from '../../core/context.ts'
import { Journal } from '../../core/journal.ts'
import { packAny } from '../../core/wire/registry.ts'
import { featuresOf } from '../../modules/classifier/features.ts'
import type { Verdict } from '../../modules/classifier/judgement.ts'
import { recordBlock } from '../../modules/classifier/record-block.ts'
import { noteEvidence, rosterOf } from '../../modules/classifier/roster.ts'
import { telemetry } from '../../modules/classifier/state.ts'
import * as staking from '../../modules/staking/state.ts'
import { MemoryState } from '../kit/store/memory-state.ts'

/** Networks as model/README.md describes them, by the Python that the model was trained with. */
interface Network {
  readonly name: string
  readonly blocks: readonly {
    readonly height: number
    readonly proposer: number
    readonly votes: readonly (readonly [validator: number, flag: 1 | 2 | 3, power: number])[]
    readonly deviant: readonly number[]
    readonly disagreement: readonly number[]
    readonly evidence: readonly number[]
    readonly telemetry: readonly (readonly number[])[]
  }[]
  readonly expected: readonly {
    readonly height: number
    readonly roster: readonly { readonly validator: number; readonly features: readonly number[] }[]
  }[]
}

/** By the numbers of CometBFT's BlockIDFlag. */
const FLAGS = { 1: 'absent', 2: 'commit', 3: 'nil' } as const

const networks: readonly Network[] = JSON.parse(readFileSync('model/observation-vectors.json', 'utf8'))

/** Validators' addresses are in the order of their numbers. */
const addressOf = (n: number): Address => {
  const bytes = new Uint8Array(20)
  new DataView(bytes.buffer).setUint32(0, n)
  return bytes as Address
}

function stake(ctx: Context, n: number): void {
  const operator = addressOf(n)
  const key = { key: new Uint8Array(32).fill(n + 1) }
  const validator = Validator.fromPartial({
    operatorAddress: formatAddress(operator, VALIDATOR_PREFIX),
    consensusPubkey: packAny('cosmos.crypto.ed25519.PubKey', key),
  })
  staking.validators.set(ctx, operator, validator)
  staking.byConsensusAddress.set(ctx, operator, operator)
}

describe('Features of validators', () => {
  for (const { name, blocks, expected } of networks)
    it(`are those that the model was trained on: ${name}`, () => {
      const journal = new Journal(new MemoryState())
      const at = (block: Partial<Block>): Context => new Context(journal, block as Block, 'block')
      for (const n of new Set(blocks.flatMap(({ votes }) => votes.map(([validator]) => validator))))
        stake(at({ height: 0n }), n)
      for (const block of blocks) {
        const ctx = at({
          height: BigInt(block.height),
          proposer: addressOf(block.proposer),
          votes: block.votes.map(([n, flag, power]) => ({
            address: addressOf(n),
            flag: FLAGS[flag],
            power: BigInt(power),
          })),
        })
        const verdicts = block.votes.map(([n]): Verdict => {
          if (block.deviant.includes(n)) return 'unusable'
          return block.disagreement.includes(n) ? 'disagrees' : 'none'
        })
        recordBlock(ctx, { verdicts, scores: new Map() })
        for (const n of block.evidence) noteEvidence(ctx, addressOf(n))
        for (const [n, cpu, latency, connections, netContrib] of block.telemetry)
          telemetry.set(ctx, addressOf(n!), {
            cpu: cpu!,
            latencyUs: latency! * 1000,
            connections: connections!,
            netContrib: BigInt(netContrib!),
            height: ctx.height,
            timestampMs: 0n,
          })
        const wanted = expected.find(({ height }) => height === block.height)
        if (wanted === undefined) continue
        expect(rosterOf(ctx).records.map(({ address }) => address)).to.deep.equal(
          wanted.roster.map(({ validator }) => addressOf(validator)),
        )
        expect(featuresOf(ctx), `height ${block.height}`).to.deep.equal(
          wanted.roster.map(({ features }) => features),
        )
      }
    })
})
