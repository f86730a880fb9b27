import { startFornax } from './fornax.ts'
import type { ChainDescription } from './genesis.ts'
import { play, type Step } from './scenario.ts'
import { startSimd } from './simd.ts'
import type { Subject } from './subject.ts'
import { Twins } from './twins.ts'

/** `ORACLE_SELF=1` plays scenarios on simd alone: whether they are sound. */
const other: () => Promise<Subject> = process.env['ORACLE_SELF'] ? startSimd : () => startFornax('sdk')

/** Runs `play` on the SDK and on Fornax beside it. */
export async function withTwins(
  description: ChainDescription,
  play: (twins: Twins) => Promise<void>,
): Promise<void> {
  const twins = await Twins.start(description, [startSimd, other])
  try {
    await play(twins)
  } finally {
    await twins.stop()
  }
}

/** A test that plays the steps on both chains and compares them after each. */
export function scenario(title: string, description: ChainDescription, steps: readonly Step[]): void {
  it(title, () => withTwins(description, (twins) => play(twins, steps)))
}

const FUNDS = 1_000_000_000_000n

/** Four validators of unequal power and commission, and six people. */
export const fourValidators: ChainDescription = {
  validators: {
    val1: { tokens: 10_000_000n, rate: '0.1' },
    val2: { tokens: 20_000_003n, rate: '0', maxRate: '0.2', maxChangeRate: '0.01' },
    val3: { tokens: 30_999_999n, rate: '0.333333333333333333' },
    val4: { tokens: 40_500_000n, rate: '1', maxRate: '1', maxChangeRate: '1' },
  },
  accounts: { alice: FUNDS, bob: FUNDS, carol: FUNDS, dave: FUNDS, erin: FUNDS, frank: 5_000_000n },
  candidates: ['dave', 'erin'],
}
