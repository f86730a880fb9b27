import { expect } from 'chai'
import { EQUIVOCATION, FAMILIES } from '../kit/soak/families.ts'
import { Soak } from '../kit/soak/soak.ts'

const seed = Number(process.env['SOAK_SEED'] ?? 1)
const blocks = Number(process.env['SOAK_BLOCKS'] ?? 1_500)
const EACH = 500
/** Bytes that memory may grow by as a chain grows older, beside caches that fill. */
const MOST_GROWTH = 96 * 2 ** 20

const ofFamily = (family: string): string[] =>
  Object.keys(FAMILIES).filter((name) => FAMILIES[name] === family)

describe('a chain of honest, unlucky and dishonest validators', () => {
  it(`bans no honest one and keeps its invariants over ${blocks} blocks of seed ${seed}`, async function () {
    this.timeout(3_600_000)
    const isLong = blocks > 5_000
    const soak = await Soak.start(seed)
    const { tally } = soak
    const started = performance.now()
    let early = 0
    try {
      while (tally.blocks < blocks) {
        await soak.block()
        if (tally.blocks % EACH !== 0) continue
        const banned = soak.check()
        const memory = soak.memory()
        if (tally.blocks === 5_000) early = memory
        if (isLong)
          console.log(
            `    ${tally.blocks} blocks, ${((performance.now() - started) / 1000).toFixed(0)} s, ${(memory / 2 ** 20).toFixed(0)} MiB in use, banned: ${banned.join(', ') || 'nobody'}`,
          )
      }
      const banned = soak.check()
      if (isLong) {
        console.log(
          `    ${tally.degraded} degraded rounds, ${tally.skippedRounds} rounds without a proposal, ${tally.told} submissions, ${tally.unjailed} returns from jail, at most ${tally.mostOut} validators out of the set`,
        )
        for (const [penalty, count] of [...tally.penalties].sort()) console.log(`    ${penalty}: ${count}`)
        expect(soak.memory() - early, 'bytes more than at block 5,000').to.be.lessThan(MOST_GROWTH)
      }
      // Two rounds at each time when half are speechless; who is in the Zenith Pool then decides whether they are degraded.
      if (blocks > 5_000) expect(tally.degraded).to.be.greaterThan(2)
      if (blocks > EQUIVOCATION) expect(banned).to.include.members(ofFamily('equivocator'))
    } catch (error) {
      const replay = `SOAK_SEED=${seed} SOAK_BLOCKS=${tally.blocks + 1} make soak`
      throw new Error(`${(error as Error).message}\n  replay: ${replay}`, { cause: error })
    } finally {
      await soak.stop()
    }
  })
})
