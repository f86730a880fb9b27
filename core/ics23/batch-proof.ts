import type {
  CommitmentProof,
  CompressedBatchProof,
  CompressedExistenceProof,
  ExistenceProof,
  InnerOp,
  NonExistenceProof,
} from 'cosmjs-types/cosmos/ics23/v1/proofs'
import { ProofError } from './proof-error.ts'

/** One proof of a CommitmentProof. */
export interface ProofEntry {
  readonly exist?: ExistenceProof | undefined
  readonly nonexist?: NonExistenceProof | undefined
}

/** The proofs in a commitment proof, single, batch or compressed. Throws ProofError for a bad compressed path. */
export function proofEntries(proof: CommitmentProof): readonly ProofEntry[] {
  if (proof.compressed) return decompressed(proof.compressed)
  if (proof.batch) return proof.batch.entries
  return [proof]
}

function decompressed({ entries, lookupInners }: CompressedBatchProof): ProofEntry[] {
  return entries.map(({ exist, nonexist }) => {
    if (exist) return { exist: existence(exist, lookupInners) }
    if (!nonexist) return {}
    const { key, left, right } = nonexist
    return {
      nonexist: {
        key,
        ...(left && { left: existence(left, lookupInners) }),
        ...(right && { right: existence(right, lookupInners) }),
      },
    }
  })
}

function existence(proof: CompressedExistenceProof, steps: readonly InnerOp[]): ExistenceProof {
  const path = proof.path.map((index) => {
    const step = steps[index]
    if (!step) throw new ProofError('a compressed proof points at a step that it lacks')
    return step
  })
  return { key: proof.key, value: proof.value, path, ...(proof.leaf && { leaf: proof.leaf }) }
}
