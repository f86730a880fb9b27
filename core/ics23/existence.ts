import type { ExistenceProof, NonExistenceProof } from 'cosmjs-types/cosmos/ics23/v1/proofs'
import { compareBytes, equalBytes } from '../bytes.ts'
import { applyHashOrNone } from './hash-op.ts'
import { isLeftMost, isLeftNeighbour, isRightMost } from './neighbours.ts'
import { ProofError } from './proof-error.ts'
import type { ProofSpec } from './proof-spec.ts'
import { applyInner, applyLeaf, checkInner, checkLeaf } from './proof-steps.ts'

const DEFAULT_MAX_DEPTH = 128

/** The root that the proof leads to. Throws ProofError. */
export function existenceRoot(proof: ExistenceProof, spec?: ProofSpec): Uint8Array {
  if (!proof.leaf) throw new ProofError('existence Proof needs defined LeafOp')
  const childSize = spec?.innerSpec?.childSize ?? 0
  let hash = applyLeaf(proof.leaf, proof.key, proof.value)
  for (const step of proof.path) {
    hash = applyInner(step, hash)
    if (childSize >= 32 && hash.length > childSize)
      throw new ProofError('an inner hash is longer than a child')
  }
  return hash
}

/** Leaf, every step and the depth are as the spec wants. Throws ProofError. */
export function checkExistenceSpec(proof: ExistenceProof, spec: ProofSpec): void {
  if (!proof.leaf) throw new ProofError('existence Proof needs defined LeafOp')
  checkLeaf(proof.leaf, spec)
  const depth = proof.path.length
  if (spec.minDepth > 0 && depth < spec.minDepth) throw new ProofError(`innerOps depth too short: ${depth}`)
  if (depth > (spec.maxDepth || DEFAULT_MAX_DEPTH)) throw new ProofError(`innerOps depth too long: ${depth}`)
  for (const [i, step] of proof.path.entries()) checkInner(step, spec, i + 1)
}

/** Throws ProofError unless `key` holds `value` under `root`. */
export function checkExistence(
  proof: ExistenceProof,
  spec: ProofSpec,
  root: Uint8Array,
  key: Uint8Array,
  value: Uint8Array,
): void {
  checkExistenceSpec(proof, spec)
  if (!equalBytes(key, proof.key)) throw new ProofError("provided key doesn't match proof")
  if (!equalBytes(value, proof.value)) throw new ProofError("provided value doesn't match proof")
  if (!equalBytes(root, existenceRoot(proof, spec)))
    throw new ProofError("calculated root doesn't match provided root")
}

/** The root that the first of the neighbours leads to. Throws ProofError. */
export function absenceRoot({ left, right }: NonExistenceProof): Uint8Array {
  const neighbour = left ?? right
  if (!neighbour) throw new ProofError('nonexistence proof has empty Left and Right proof')
  return existenceRoot(neighbour)
}

/** Throws ProofError unless the two neighbours exist under `root`, adjacent, with `key` between them. */
export function checkAbsence(
  { left, right }: NonExistenceProof,
  spec: ProofSpec,
  root: Uint8Array,
  key: Uint8Array,
): void {
  if (left) checkExistence(left, spec, root, left.key, left.value)
  if (right) checkExistence(right, spec, root, right.key, right.value)
  const { innerSpec } = spec
  if (!innerSpec) throw new ProofError('the spec has no inner node')
  if (right && !sortsBefore(spec, key, right.key)) throw new ProofError('key is not left of right proof')
  if (left && !sortsBefore(spec, left.key, key)) throw new ProofError('key is not right of left proof')
  if (left && right) {
    if (!isLeftNeighbour(innerSpec, left.path, right.path))
      throw new ProofError('the proofs are not neighbours')
  } else if (right) {
    if (!isLeftMost(innerSpec, right.path))
      throw new ProofError('left proof missing, right proof must be left-most')
  } else if (left) {
    if (!isRightMost(innerSpec, left.path))
      throw new ProofError('right proof missing, left proof must be right-most')
  } else {
    throw new ProofError('both left and right proofs missing')
  }
}

/** By hash where the spec orders keys by hash. */
export function sortsBefore(spec: ProofSpec, a: Uint8Array, b: Uint8Array): boolean {
  const placed = (key: Uint8Array): Uint8Array =>
    spec.prehashKeyBeforeComparison && spec.leafSpec ? applyHashOrNone(spec.leafSpec.prehashKey, key) : key
  return compareBytes(placed(a), placed(b)) < 0
}
