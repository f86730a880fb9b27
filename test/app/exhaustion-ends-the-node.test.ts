import { expect } from 'chai'
import type { Module } from '../../core/module.ts'
import { modules } from '../../modules/index.ts'
import { TestChain } from '../kit/app/chain.ts'

const overflow = (): object => ({ ...overflow() })

/** The chain's modules, with a MsgSend that does as it is told. */
const withSend = (run: () => object): readonly Module[] =>
  modules.map((module) => ({
    ...module,
    messages: module.messages.map((message) =>
      message.input === 'cosmos.bank.v1beta1.MsgSend'
        ? { ...message, handler: { ...message.handler, run, check: run } }
        : message,
    ),
  }))

async function outcomeOf(run: () => object): Promise<{ block: string; check: string }> {
  const faults: unknown[] = []
  const chain = await TestChain.start({ modules: withSend(run) })
  Object.assign(chain.state.log, { error: (fields: object) => faults.push(fields) })
  try {
    await chain.block()
    const tx = chain.send('alice', 'bob', 1n)
    const { code, codespace } = chain.check(tx)
    const block = await chain.block(tx).then(
      ({ txResults: [result] }) => `${result!.codespace}/${result!.code}`,
      (error: Error) => `ended: ${error.message}`,
    )
    return { block, check: `${codespace}/${code}` }
  } finally {
    await chain.stop()
  }
}

describe('A transaction that', () => {
  it('uses up the stack ends the node, as its place differs from node to node, and is refused by the mempool', async () => {
    expect(await outcomeOf(overflow)).to.deep.equal({
      block: 'ended: Maximum call stack size exceeded',
      check: 'undefined/1',
    })
  })

  it('wants an array that no machine has ends the node too', async () => {
    const { block } = await outcomeOf(() => new Array(2 ** 32))
    expect(block).to.equal('ended: Invalid array length')
  })

  for (const [what, run] of [
    ['divides by zero', () => ({ n: 1n / BigInt(0) })],
    ['meets a fault of the program', () => (undefined as unknown as { x: object }).x],
  ] as const)
    it(`${what} fails on all nodes alike, with code 1`, async () => {
      expect(await outcomeOf(run)).to.deep.equal({ block: 'undefined/1', check: 'undefined/1' })
    })
})
