import { collections, intValue } from '../../../core/collections.ts'
import { defineModule, type Module } from '../../../core/module.ts'
import { consensusParams, setConsensusParams } from '../../../modules/consensus/api.ts'

/** What a test decides of rounds, by their heights. */
export interface Rounds {
  /** Rounds that are called degraded. */
  readonly degraded: Set<bigint>
  /** What a block's gas is from some height on. */
  readonly maxGas?: ReadonlyMap<bigint, bigint>
}

const counted = collections('rounds').item(0x00, intValue)

/** A module that counts rounds in state and does what a test has decided. */
export const roundsModule = ({ degraded, maxGas }: Rounds): Module =>
  defineModule({
    name: 'rounds',
    stores: ['rounds'],
    endBlock(ctx) {
      counted.set(ctx, (counted.get(ctx) ?? 0n) + 1n)
      const gas = maxGas?.get(ctx.height)
      if (gas === undefined) return
      const { block, ...rest } = consensusParams(ctx)!
      setConsensusParams(ctx, { ...rest, block: { ...block!, maxGas: gas } })
    },
    degraded: (ctx) => (degraded.has(ctx.height) ? 'the test says so' : undefined),
  })
