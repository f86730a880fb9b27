import { expect } from 'chai'
import type { Write } from '../../../../../core/state-reader.ts'
import { assignPositions } from '../../../../../daemon/store/disk/node-chunk.ts'
import { StoreError } from '../../../../../daemon/store/store-error.ts'
import { MemoryTree, type StagedTree } from '../../../../../daemon/store/tree/memory-tree.ts'
import { bytes, hex } from '../../../../kit/store/store.ts'

const WRITES: readonly Write[] = ['a', 'b', 'c', 'd'].map((key) => [bytes(key), bytes('v')])

function refuses(run: () => unknown, message: RegExp): void {
  expect(run).to.throw(StoreError, message).with.property('code', 'inconsistent')
}

function stagedAndWritten(tree: MemoryTree, version: number, writes: readonly Write[]): StagedTree {
  const staged = tree.stage(version, writes)
  assignPositions(tree.arena, staged.fresh)
  return staged
}

describe('a tree in memory', () => {
  it('settles what it has staged, and has its former root when that is discarded', () => {
    const tree = new MemoryTree()
    tree.settle(stagedAndWritten(tree, 1, WRITES))
    const before = hex(tree.rootHash(tree.root)!)
    tree.discard(tree.stage(2, [[bytes('b'), null]]))
    expect(hex(tree.rootHash(tree.root)!)).to.equal(before)
    tree.settle(stagedAndWritten(tree, 2, [[bytes('b'), null]]))
    expect(tree.leaves).to.equal(3)
  })

  it('refuses to settle or discard what has been settled or discarded', () => {
    const tree = new MemoryTree()
    const staged = stagedAndWritten(tree, 1, WRITES)
    tree.settle(staged)
    refuses(() => tree.settle(staged), /is ended twice/)
    refuses(() => tree.discard(staged), /is ended twice/)
    const dropped = stagedAndWritten(tree, 2, WRITES)
    tree.discard(dropped)
    refuses(() => tree.settle(dropped), /is ended twice/)
    expect(tree.leaves).to.equal(4)
  })

  it('refuses to settle what another tree has staged', () => {
    const [tree, other] = [new MemoryTree(), new MemoryTree()]
    stagedAndWritten(tree, 1, WRITES)
    const foreign = stagedAndWritten(other, 1, WRITES)
    refuses(() => tree.settle(foreign), /in another tree/)
  })

  it('refuses to settle what has no position on disk', () => {
    const tree = new MemoryTree()
    const staged = tree.stage(1, WRITES)
    refuses(() => tree.settle(staged), /settled before it was written/)
  })
})
