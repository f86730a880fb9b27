import {
  CommitmentProof,
  ExistenceProof,
  HashOp,
  type InnerOp,
  type LeafOp,
  LengthOp,
  NonExistenceProof,
} from 'cosmjs-types/cosmos/ics23/v1/proofs'
import { compareBytes } from '../../../core/bytes.ts'
import { StoreError } from '../store-error.ts'
import { multistorePath, type StoreRoot } from '../tree/multistore-root.ts'
import { nodeHeader } from '../tree/node-hash.ts'
import type { LeafPath, StoredTree } from './stored-tree.ts'

/** A CometBFT `ProofOp`: `data` is a marshalled `cosmos.ics23.v1.CommitmentProof`. */
export interface ProofOp {
  readonly type: 'ics23:iavl' | 'ics23:simple'
  readonly key: Uint8Array
  readonly data: Uint8Array
}

const LENGTH_BYTE = Uint8Array.of(32)

/** ICS-23 proof that `key` is in the tree or is not. Throws StoreError `nothing_to_prove` for an empty tree. */
export function iavlProof(tree: StoredTree, key: Uint8Array): ProofOp {
  const found = tree.search(key)
  if (!found) throw new StoreError('nothing_to_prove', 'an empty store has no proofs')
  const order = compareBytes(found.leaf.key, key)
  const proof =
    order === 0 ? { exist: existence(tree, found) } : { nonexist: absence(tree, key, found, order < 0) }
  return {
    type: 'ics23:iavl',
    key,
    data: CommitmentProof.encode(CommitmentProof.fromPartial(proof)).finish(),
  }
}

/** ICS-23 proof of a store's root in the app hash. `roots` are those of the version, sorted by name. */
export function multistoreProof(roots: readonly StoreRoot[], name: string): ProofOp {
  const position = roots.findIndex((root) => root.name === name)
  const key = new Uint8Array(Buffer.from(name))
  const exist = ExistenceProof.fromPartial({
    key,
    value: roots[position]!.hash,
    leaf: leafOp(Uint8Array.of(0)),
    path: multistorePath(roots, position).map(({ sibling, siblingIsLeft }) => ({
      hash: HashOp.SHA256,
      prefix: siblingIsLeft ? Buffer.concat([Uint8Array.of(1), sibling]) : Uint8Array.of(1),
      suffix: siblingIsLeft ? new Uint8Array(0) : sibling,
    })),
  })
  return {
    type: 'ics23:simple',
    key,
    data: CommitmentProof.encode(CommitmentProof.fromPartial({ exist })).finish(),
  }
}

function absence(tree: StoredTree, key: Uint8Array, found: LeafPath, isBefore: boolean): NonExistenceProof {
  const left = isBefore ? found : tree.neighbour(found, false)
  const right = isBefore ? tree.neighbour(found, true) : found
  return NonExistenceProof.fromPartial({
    key,
    ...(left && { left: existence(tree, left) }),
    ...(right && { right: existence(tree, right) }),
  })
}

function existence(tree: StoredTree, { steps, leaf }: LeafPath): ExistenceProof {
  const path: InnerOp[] = []
  for (const { node, wentLeft } of steps.toReversed()) {
    const header = nodeHeader(node.height, node.size, node.version)
    const sibling = tree.node((wentLeft ? node.right : node.left)!).hash
    path.push({
      hash: HashOp.SHA256,
      prefix: wentLeft
        ? Buffer.concat([header, LENGTH_BYTE])
        : Buffer.concat([header, LENGTH_BYTE, sibling, LENGTH_BYTE]),
      suffix: wentLeft ? Buffer.concat([LENGTH_BYTE, sibling]) : new Uint8Array(0),
    })
  }
  return { key: leaf.key, value: leaf.value!, leaf: leafOp(nodeHeader(0, 1, leaf.version)), path }
}

function leafOp(prefix: Uint8Array): LeafOp {
  return {
    hash: HashOp.SHA256,
    prehashKey: HashOp.NO_HASH,
    prehashValue: HashOp.SHA256,
    length: LengthOp.VAR_PROTO,
    prefix,
  }
}
