import { expect } from 'chai'
import type { BlockPlan } from './consensus.ts'
import type { Operation } from './messages.ts'
import type { Twins } from './twins.ts'

export const SECOND = 1_000_000_000n
export const DAY = 86_400n * SECOND

/** Something that happens to both chains. */
export interface Step {
  readonly text: string
  readonly play: (twins: Twins) => Promise<void>
}

const step = (text: string, play: Step['play']): Step => ({ text, play })

/** A block with the transaction, which must succeed. */
export const does = (operation: Operation, plan: Omit<BlockPlan, 'txs'> = {}): Step =>
  step(operation.text, async (twins) => {
    const [result] = await twins.block([operation], plan)
    expect(result!.code, `${twins.now}: ${result!.log}`).to.equal(0)
  })

/** A block with the transaction, which both chains must refuse with `codespace/code`. */
export const fails = (code: string, operation: Operation): Step =>
  step(`${operation.text} (refused)`, async (twins) => {
    const [result] = await twins.block([operation])
    expect(`${result!.codespace}/${result!.code}`, `${twins.now}: ${result!.log}`).to.equal(code)
  })

const texts = (operations: readonly Operation[]): string => operations.map((o) => o.text).join('; ')

/** One block with all the transactions, which must succeed. */
export const together = (...operations: readonly Operation[]): Step =>
  step(texts(operations), async (twins) => {
    const results = await twins.block(operations)
    expect(
      results.map((r) => r.log).filter((log) => log !== ''),
      twins.now,
    ).to.deep.equal([])
    expect(results.map((r) => r.code)).to.deep.equal(operations.map(() => 0))
  })

/** One block with all the transactions, whatever comes of them. */
export const tryTogether = (...operations: readonly Operation[]): Step =>
  step(texts(operations), async (twins) => void (await twins.block(operations)))

/** Empty blocks of five seconds. */
export const blocks = (count: number, plan: Pick<BlockPlan, 'absent'> = {}): Step =>
  step(`${count} blocks${plan.absent ? ` without ${plan.absent}` : ''}`, async (twins) => {
    for (let i = 0; i < count; i++) await twins.block([], plan)
  })

/** A block that comes `ns` after the one before, and an ordinary one. */
export const advance = (ns: bigint): Step =>
  step(`${ns / SECOND} seconds`, async (twins) => {
    await twins.block([], { afterNs: ns })
    await twins.block([])
  })

/** Evidence that the validator signed twice, some blocks ago. */
export const equivocate = (validator: string, { blocksAgo }: { blocksAgo: number }): Step =>
  step(`${validator} is found to have signed twice ${blocksAgo} blocks ago`, async (twins) => {
    await twins.block([], { equivocations: [{ validator, height: twins.height + 1n - BigInt(blocksAgo) }] })
  })

/** Gives the last block's height a name. */
export const remember = (name: string): Step =>
  step(`remember ${name}`, async (twins) => void twins.heights.set(name, twins.height))

/** A step that is made with a remembered height. */
export const withHeight = (name: string, make: (height: bigint) => Step): Step =>
  step(`with the height of ${name}`, async (twins) => {
    const made = make(twins.heights.get(name)!)
    twins.now = `${twins.now}: ${made.text}`
    await made.play(twins)
  })

/** Plays the steps in order; both chains' states are compared after each, and all views of them at last. */
export async function play(twins: Twins, steps: readonly Step[]): Promise<void> {
  await twins.block([])
  for (const [i, { text, play }] of steps.entries()) {
    twins.now = `step ${i + 1} (${text})`
    await play(twins)
    await twins.compare()
  }
  await twins.compare('everything')
}
