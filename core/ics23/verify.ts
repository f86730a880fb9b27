import { CommitmentProof } from 'cosmjs-types/cosmos/ics23/v1/proofs'
import { equalBytes } from '../bytes.ts'
import { rethrowExhaustion } from '../error.ts'
import { proofEntries } from './batch-proof.ts'
import { absenceRoot, checkAbsence, checkExistence, existenceRoot, sortsBefore } from './existence.ts'
import { ProofError } from './proof-error.ts'
import type { ProofSpec } from './proof-spec.ts'

/** ICS-23: whether `proof` shows that `key` holds `value` under `root`. Never throws. */
export function verifyMembership(
  spec: ProofSpec,
  root: Uint8Array,
  proof: CommitmentProof,
  key: Uint8Array,
  value: Uint8Array,
): boolean {
  return holds(() => {
    const exist = proofEntries(proof).find((entry) => entry.exist && equalBytes(entry.exist.key, key))?.exist
    if (!exist) throw new ProofError('no existence proof for the key')
    checkExistence(exist, spec, root, key, value)
  })
}

/** ICS-23: whether `proof` shows that nothing is stored under `key` below `root`. Never throws. */
export function verifyNonMembership(
  spec: ProofSpec,
  root: Uint8Array,
  proof: CommitmentProof,
  key: Uint8Array,
): boolean {
  return holds(() => {
    const nonexist = proofEntries(proof).find(
      ({ nonexist }) =>
        nonexist &&
        (!nonexist.left || sortsBefore(spec, nonexist.left.key, key)) &&
        (!nonexist.right || sortsBefore(spec, key, nonexist.right.key)),
    )?.nonexist
    if (!nonexist) throw new ProofError('no non-existence proof for the key')
    checkAbsence(nonexist, spec, root, key)
  })
}

/** The root that the first proof leads to; it says nothing of the others. Throws ProofError. */
export function commitmentRoot(proof: CommitmentProof): Uint8Array {
  const [first] = proofEntries(proof)
  if (first?.exist) return existenceRoot(first.exist)
  if (first?.nonexist) return absenceRoot(first.nonexist)
  throw new ProofError('the proof is empty')
}

/**
 * ICS-23 over trees of trees, as ibc-go's MerkleProof: `proofs[0]` is of the innermost tree, and `path` names the outermost
 * store first. For the SDK: specs [IAVL, TENDERMINT], root the app hash, path [store, key]. Never throws.
 */
export function verifyChainedMembership(
  specs: readonly ProofSpec[],
  root: Uint8Array,
  proofs: readonly CommitmentProof[],
  path: readonly Uint8Array[],
  value: Uint8Array,
): boolean {
  return holds(() => {
    checkLengths(specs, proofs, path)
    checkChain(specs, root, proofs, path, value, 0)
  })
}

/** As `verifyChainedMembership`, for a key that is absent from the innermost tree. Never throws. */
export function verifyChainedNonMembership(
  specs: readonly ProofSpec[],
  root: Uint8Array,
  proofs: readonly CommitmentProof[],
  path: readonly Uint8Array[],
): boolean {
  return holds(() => {
    checkLengths(specs, proofs, path)
    const subroot = commitmentRoot(proofs[0]!)
    if (!verifyNonMembership(specs[0]!, subroot, proofs[0]!, path.at(-1)!))
      throw new ProofError('absence not proven')
    if (proofs.length === 1) {
      if (!equalBytes(subroot, root)) throw new ProofError('another root')
    } else checkChain(specs, root, proofs, path, subroot, 1)
  })
}

/** The proofs of a query's proof ops, in their order. Throws ProofError. */
export function decodeProofOps(ops: readonly { readonly data: Uint8Array }[]): CommitmentProof[] {
  return ops.map(({ data }) => {
    try {
      return CommitmentProof.decode(data)
    } catch (error) {
      rethrowExhaustion(error)
      throw new ProofError('a proof op is not a CommitmentProof')
    }
  })
}

function checkLengths(specs: readonly unknown[], proofs: readonly unknown[], path: readonly unknown[]): void {
  if (proofs.length === 0) throw new ProofError('there is no proof')
  if (specs.length !== proofs.length || path.length !== proofs.length) throw new ProofError('lengths differ')
}

function checkChain(
  specs: readonly ProofSpec[],
  root: Uint8Array,
  proofs: readonly CommitmentProof[],
  path: readonly Uint8Array[],
  value: Uint8Array,
  from: number,
): void {
  let subroot = value
  for (let i = from; i < proofs.length; i++) {
    const expected = subroot
    subroot = commitmentRoot(proofs[i]!)
    if (!verifyMembership(specs[i]!, subroot, proofs[i]!, path[path.length - 1 - i]!, expected)) {
      throw new ProofError(`membership not proven in tree ${i}`)
    }
  }
  if (!equalBytes(subroot, root)) throw new ProofError('another root')
}

/** A proof is a stranger's input: whatever goes wrong in it means that it does not hold. */
function holds(check: () => void): boolean {
  try {
    check()
    return true
  } catch (error) {
    rethrowExhaustion(error)
    return false
  }
}
