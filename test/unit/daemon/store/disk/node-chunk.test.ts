import { expect } from 'chai'
import { ByteWriter } from '../../../../../daemon/store/disk/byte-writer.ts'
import { assignPositions, encodeChunk, NodeChunk } from '../../../../../daemon/store/disk/node-chunk.ts'
import { StoreError } from '../../../../../daemon/store/store-error.ts'
import { MemoryTree, type StagedTree } from '../../../../../daemon/store/tree/memory-tree.ts'
import { UNWRITTEN } from '../../../../../daemon/store/tree/node-arena.ts'
import { bytes } from '../../../../kit/store/store.ts'

function refuses(run: () => unknown, message: RegExp): void {
  expect(run).to.throw(StoreError, message).with.property('code', 'inconsistent')
}

function staged(): { tree: MemoryTree; made: StagedTree; encode: (nodes: Uint32Array) => Buffer } {
  const tree = new MemoryTree()
  const made = tree.stage(5, [
    [bytes('a'), bytes('1')],
    [bytes('b'), bytes('2')],
  ])
  const encode = (nodes: Uint32Array): Buffer =>
    encodeChunk(new ByteWriter(64), tree.arena, tree.keys, nodes, made.leafValues)
  return { tree, made, encode }
}

describe('a chunk of nodes', () => {
  it('holds leaves before their parents, and says where the children are', () => {
    const { tree, made, encode } = staged()
    const chunk = new NodeChunk(encode(assignPositions(tree.arena, made.fresh)), 5, 0)
    expect(chunk.count).to.equal(3)
    expect(chunk.node(0)).to.deep.include({ height: 0, value: Buffer.from('1') })
    expect(chunk.node(2)).to.deep.include({
      size: 2,
      left: { version: 5, index: 0 },
      right: { version: 5, index: 1 },
    })
  })

  it('refuses a node that has been given its position before', () => {
    const { tree, made } = staged()
    assignPositions(tree.arena, made.fresh)
    refuses(() => assignPositions(tree.arena, made.fresh), /is written twice/)
  })

  it('refuses a child that is unwritten, or younger than its parent', () => {
    const { tree, made, encode } = staged()
    const nodes = assignPositions(tree.arena, made.fresh)
    const left = tree.arena.left(made.root)
    tree.arena.setIndex(left, UNWRITTEN)
    refuses(() => encode(nodes), /is younger than its parent, or unwritten/)
    tree.arena.setIndex(left, 0)
    tree.arena.setVersion(left, 6)
    refuses(() => encode(nodes), /is younger than its parent, or unwritten/)
  })
})
