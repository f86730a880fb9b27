import { expect } from 'chai'
import { Simulation } from '../kit/simulation/simulation.ts'

const PER_BLOCK = 50
const seeds = process.env['SIMULATION_SEED']?.split(',').map(Number) ?? [1, 2, 3, 4]
const blocks = Number(process.env['SIMULATION_BLOCKS'] ?? 260)

describe('random operations of all modules', () => {
  for (const seed of seeds)
    it(`keep every invariant over ${blocks * PER_BLOCK} operations of seed ${seed}`, async function () {
      this.timeout(600_000)
      const simulation = await Simulation.start(seed)
      const { tally } = simulation
      try {
        while (tally.blocks < blocks) await simulation.block(PER_BLOCK)
      } catch (error) {
        const replay = `SIMULATION_SEED=${seed} SIMULATION_BLOCKS=${tally.blocks + 1} make simulate`
        throw new Error(`${(error as Error).message}\n  replay: ${replay}`, { cause: error })
      } finally {
        await simulation.stop()
      }
      if (process.env['SIMULATION_TALLY']) console.log([...tally.codes].sort())
      expect(tally.accepted).to.be.greaterThan(tally.blocks * 5)
    })
})
