import { expect } from 'chai'
import { Journal } from '../../core/journal.ts'
import { TestChain } from '../kit/app/chain.ts'
import { fuzzInputs, fuzzSeed, fuzzTimeoutMs, inBoundedMemory, mutated } from '../kit/hostile/fuzz.ts'
import { pick, randomness } from '../kit/random.ts'

const INPUTS = fuzzInputs(20)

describe('mutated transactions', () => {
  let chain: TestChain
  before(async () => {
    chain = await TestChain.start()
    await chain.block()
  })
  after(() => chain.stop())

  it(`are refused with a code and never an internal error, ${INPUTS} of them (seed ${fuzzSeed})`, async () => {
    const random = randomness(fuzzSeed)
    const signed = (to: string, more = {}) => {
      chain.user('alice').sequence = 0n
      return chain.send('alice', to, 1n, more)
    }
    const messages = [chain.sendMessage('alice', 'bob', 1n), chain.sendMessage('alice', 'carol', 2n)]
    const fee = {
      amount: [{ denom: 'afrx', amount: '5' }],
      gasLimit: 100_000n,
      payer: chain.user('alice').text,
    }
    const corpus = [
      signed('bob'),
      signed('bob', { memo: 'a memo', timeoutHeight: 90n }),
      signed('x', { fee, messages }),
    ]
    let accepted = 0
    await inBoundedMemory(INPUTS, (n) => {
      const good = pick(random, corpus)
      const tx = mutated(random, good)
      const { code, log } = chain.check(tx)
      if (log === 'internal error') throw new Error(`input ${n}: ${log}: ${Buffer.from(tx).toString('hex')}`)
      if (code !== 0) return
      expect(
        corpus.some((c) => Buffer.compare(c, tx) === 0),
        `input ${n} is accepted`,
      ).to.equal(true)
      accepted++
      chain.state.checked = new Journal(chain.state.working)
    })
    expect(accepted).to.be.lessThan(INPUTS / 10)
  }).timeout(fuzzTimeoutMs(INPUTS))
})
