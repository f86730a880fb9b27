import { playAtRandom } from '../kit/oracle/random-play.ts'
import { fourValidators, withTwins } from '../kit/oracle/suite.ts'

/** `SEED=7 BLOCKS=1000` plays another chain; a failing seed is named in the failure. */
const seeds = process.env['SEED'] ? [Number(process.env['SEED'])] : [1, 2, 3]
const count = Number(process.env['BLOCKS'] ?? 150)

describe('Random operations come to the same on the Cosmos SDK and on Fornax', function () {
  this.timeout(count * 1_000)
  const { validators, accounts, ...rest } = fourValidators
  const five = {
    ...rest,
    accounts,
    validators: { ...validators, val5: { tokens: 9_876_543n, rate: '0.05' } },
  }
  for (const seed of seeds)
    it(`in ${count} blocks of seed ${seed}`, () =>
      withTwins(five, (twins) => playAtRandom(twins, five, seed, count)))
})
