import { expect } from 'chai'
import { StoreError } from '../../../../../daemon/store/store-error.ts'
import { NIL, NodeArena } from '../../../../../daemon/store/tree/node-arena.ts'

function refuses(run: () => unknown, message: RegExp): void {
  expect(run).to.throw(StoreError, message).with.property('code', 'inconsistent')
}

describe('an arena of nodes', () => {
  it('gives released nodes out again, each once, and grows for more', () => {
    const arena = new NodeArena(4)
    const nodes = Array.from({ length: 10 }, () => arena.allocate())
    for (const node of nodes.slice(2, 5)) arena.release(node)
    const again = Array.from({ length: 3 }, () => arena.allocate())
    expect([...again].sort()).to.deep.equal(nodes.slice(2, 5))
    expect(arena.allocate()).to.equal(nodes.at(-1)! + 1)
  })

  it('refuses a node that is released twice', () => {
    const arena = new NodeArena()
    const node = arena.allocate()
    arena.release(node)
    refuses(() => arena.release(node), /node 1 is released, but is not in use/)
  })

  it('refuses nodes that it has not given out', () => {
    const arena = new NodeArena(4)
    arena.allocate()
    for (const node of [NIL, 2, 4, 1 << 20]) refuses(() => arena.release(node), /is not in use/)
  })

  it('refuses to give out a node that was written to after its release', () => {
    const arena = new NodeArena()
    const node = arena.allocate()
    arena.release(node)
    arena.setSize(node, 7)
    refuses(() => arena.allocate(), /node 1 was written to after it was released/)
  })
})
