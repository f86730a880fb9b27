import { expect } from 'chai'
import { loadMachine } from '../../modules/evm/chain-machine.ts'
import { OPCODES } from '../kit/evm/assemble.ts'
import { resultOfLibrary, resultOfOurs } from '../kit/evm/both-ways.ts'
import { randomCase } from '../kit/evm/random-programs.ts'
import { randomness } from '../kit/random.ts'

const PROGRAMS = Number(process.env['PROGRAMS'] ?? 500)
const FIRST_SEED = Number(process.env['PROGRAMS_SEED'] ?? 1)
const ENOUGH = 500

describe('random programs', () => {
  before(loadMachine)

  it('come to the same on the chain’s machine as on the library’s', async function () {
    this.timeout(60_000 + PROGRAMS * 1_000)
    let successes = 0
    let logs = 0
    for (let seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
      const test = randomCase(randomness(seed))
      const again = `PROGRAMS_SEED=${seed} PROGRAMS=1 npm test -- random-programs\n${JSON.stringify(test)}`
      const ours = await resultOfOurs(test)
      expect(ours, again).to.deep.equal(await resultOfLibrary(test))
      if (ours.succeeded) successes++
      logs += ours.logs.length
    }
    // Programs that all fail at once would prove little.
    if (PROGRAMS >= ENOUGH) {
      expect(successes).to.be.greaterThan(PROGRAMS / 4)
      expect(logs).to.be.greaterThan(PROGRAMS / 10)
    }
  })

  it('come to the same when they are traced, and have every instruction among them', async function () {
    this.timeout(120_000)
    const run = new Set<number>()
    for (let seed = 1; seed <= ENOUGH; seed++) {
      const test = randomCase(randomness(seed))
      const traced = await resultOfOurs(test, { step: (_frame, _at, op) => run.add(op) })
      expect(traced, `seed ${seed}`).to.deep.equal(await resultOfOurs(test))
    }
    expect([...OPCODES].filter(([, op]) => !run.has(op)).map(([name]) => name)).to.deep.equal([])
  })
})
