import { expect } from 'chai'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import { delegate, send } from '../kit/oracle/messages.ts'
import { blocks, does, play } from '../kit/oracle/scenario.ts'
import { startSimd } from '../kit/oracle/simd.ts'
import type { Subject } from '../kit/oracle/subject.ts'
import { fourValidators } from '../kit/oracle/suite.ts'
import { ChainsDiffer, Twins } from '../kit/oracle/twins.ts'

const steps = [
  does(send('alice', 'bob', 5n, 1_000n)),
  blocks(2),
  does(delegate('alice', 'val1', 7n)),
  blocks(1),
]

/** Plays the same on simd and on simd with `change`; answers the difference found. */
async function difference(change: (simd: Subject) => Partial<Subject>): Promise<string> {
  const changed = async (): Promise<Subject> => {
    const simd = await startSimd()
    return { ...simd, ...change(simd), name: 'changed' }
  }
  const twins = await Twins.start(fourValidators, [startSimd, changed])
  try {
    await play(twins, steps)
    return ''
  } catch (error) {
    if (error instanceof ChainsDiffer) return error.message
    throw error
  } finally {
    await twins.stop()
  }
}

describe('The comparison of two chains', () => {
  it('finds the Cosmos SDK equal to itself', async () => {
    expect(await difference(() => ({}))).to.equal('')
  })

  it('names the step and the field where state differs by one vote', async () => {
    const found = await difference((simd) => ({
      finalizeBlock(request) {
        const vote = request.height === 3n ? request.decidedLastCommit.votes[0] : undefined
        if (vote) vote.blockIdFlag = BlockIDFlag.BLOCK_ID_FLAG_ABSENT
        return simd.finalizeBlock(request)
      },
    }))
    expect(found).to.contain('step 2 (2 blocks), height 3').and.to.contain('beginBlock')
    expect(found).to.match(/simd +\(nothing\)\n +changed +\{"type":"liveness"/)
  })

  it('names the event and the attribute that an answer differs by', async () => {
    const found = await difference((simd) => ({
      async finalizeBlock(request) {
        const response = await simd.finalizeBlock(request)
        const event = response.txResults[0]?.events.find((e) => e.type === 'delegate')
        if (event) event.attributes[2]!.value = '8stake'
        return response
      },
    }))
    expect(found).to.contain('step 3 (alice delegates 7 to val1)')
    expect(found).to.match(
      /txs\[0\]\.events\[\d+\]\.attributes\[2\]\[1\]\n +simd +"7stake"\n +changed +"8stake"/,
    )
  })

  it('finds an account of another balance, a missing answer and a different code', async () => {
    const other = await difference((simd) => ({
      query: async (request) =>
        request.path.endsWith('AllBalances')
          ? { ...(await simd.query(request)), code: 5, codespace: 'sdk' }
          : simd.query(request),
    }))
    expect(other).to.contain('AllBalances(alice).error').and.to.contain('"sdk/5"')
    const missing = await difference((simd) => ({
      serves: (path) => !path.endsWith('/Pool') && simd.serves(path),
    }))
    expect(missing).to.contain('staking.v1beta1.Query/Pool()').and.to.contain('(no such query)')
    const refused = await difference((simd) => ({
      async finalizeBlock(request) {
        const response = await simd.finalizeBlock(request)
        for (const result of response.txResults) Object.assign(result, { code: 11, codespace: 'sdk' })
        return response
      },
    }))
    expect(refused).to.contain('txs[0].code').and.to.contain('"sdk/11"')
  })
})
