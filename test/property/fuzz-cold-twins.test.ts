import { expect } from 'chai'
import { fuzzInputs, fuzzSeed, fuzzTimeoutMs } from '../kit/hostile/fuzz.ts'
import { HostileChain } from '../kit/hostile/hostile-chain.ts'

const INPUTS = fuzzInputs(20)
const PER_BLOCK = 60

describe('hostile transactions', () => {
  it(`come to the same on a warm node and on its cold twin, ${INPUTS} of them (seed ${fuzzSeed})`, async () => {
    const chain = await HostileChain.start(fuzzSeed)
    let played = 0
    try {
      while (played < INPUTS) played += await chain.block(PER_BLOCK)
    } catch (error) {
      const { message } = error as Error
      throw new Error(`FUZZ_SEED=${fuzzSeed}, after ${played} transactions: ${message}`, { cause: error })
    } finally {
      await chain.stop()
    }
    if (process.env['FUZZ_TALLY']) console.log([...chain.codes].sort(([, a], [, b]) => b - a))
    expect(chain.codes.size).to.be.greaterThan(15)
    expect(chain.codes.get('ok')).to.be.greaterThan(played / 20)
  }).timeout(10 * fuzzTimeoutMs(INPUTS))
})
