import { expect } from 'chai'
import { BlockBudget, countedGas } from '../../../../daemon/app/block-budget.ts'

const SEND = countedGas(200_000n)
const SLOT_MS = 1000
/** Of a slot, for executing its block. */
const PART = 1

/** Blocks full by the budget on a node that takes `empty` seconds for a block and `each` for a send; how many sends each held. */
function play(budget: BlockBudget, blocks: number, each: number, empty = 0): number[] {
  return Array.from({ length: blocks }, () => {
    const sends = Math.max(1, Math.floor(budget.gas / SEND))
    budget.observe(sends * SEND, empty + sends * each)
    return sends
  })
}

describe('the budget of a block', () => {
  it('comes to what the node executes in its part of a slot, whether that is more or less than thought', () => {
    for (const each of [20e-6, 60e-6, 500e-6]) {
      const held = play(new BlockBudget(SLOT_MS), 30, each)
      expect(held.at(-1)! * each).to.be.within(0.9 * PART, 1.05 * PART)
    }
  })

  it('leaves room for what a block takes that holds nothing', () => {
    const budget = new BlockBudget(SLOT_MS)
    for (let i = 0; i < 30; i++) budget.observe(countedGas(0n), 0.1)
    const held = play(budget, 30, 60e-6, 0.1)
    expect(0.1 + held.at(-1)! * 60e-6).to.be.within(0.9 * PART, 1.05 * PART)
  })

  it('is not led astray by blocks that hold next to nothing', () => {
    const budget = new BlockBudget(SLOT_MS)
    const before = budget.gas
    for (let i = 0; i < 100; i++) budget.observe(countedGas(100_000n), 0.02)
    expect(budget.gas).to.be.within(0.9 * before, before)
  })

  it('follows when transactions become dearer, within few blocks', () => {
    const budget = new BlockBudget(SLOT_MS)
    play(budget, 30, 60e-6)
    const held = play(budget, 5, 240e-6)
    expect(held[0]! * 240e-6).to.be.greaterThan(3 * PART)
    expect(held[4]! * 240e-6).to.be.lessThan(1.6 * PART)
  })

  it('never falls to nothing', () => {
    const budget = new BlockBudget(20)
    budget.observe(SEND * 1000, 3600)
    expect(budget.gas).to.be.greaterThan(20 * SEND)
  })

  it('counts gas that is wanted up to a limit only, and a transaction without gas too', () => {
    expect(countedGas(0n)).to.be.greaterThan(0)
    expect(countedGas(10n ** 30n)).to.equal(countedGas(10n ** 9n))
  })
})
