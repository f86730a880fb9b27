import { playHostile } from '../kit/oracle/hostile-play.ts'
import { fourValidators, withTwins } from '../kit/oracle/suite.ts'

/** `SEED=7 BLOCKS=1000` plays other transactions; a failing seed is named in the failure. */
const seeds = process.env['SEED'] ? [Number(process.env['SEED'])] : [1, 2, 3]
const count = Number(process.env['BLOCKS'] ?? 150)

describe('Hostile transactions come to the same on the Cosmos SDK and on Fornax', function () {
  this.timeout(count * 1_000)
  for (const seed of seeds)
    it(`in ${count} blocks of seed ${seed}`, () =>
      withTwins(fourValidators, (twins) => playHostile(twins, fourValidators, seed, count)))
})
