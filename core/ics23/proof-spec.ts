import { HashOp, LengthOp, type ProofSpec as WireProofSpec } from 'cosmjs-types/cosmos/ics23/v1/proofs'

/** ICS-23: what proofs of one kind of tree may look like. */
export interface ProofSpec extends WireProofSpec {
  /** Field 5 of the newer message, which the codec here lacks; set for sparse Merkle trees only. */
  readonly prehashKeyBeforeComparison?: boolean
}

const NOTHING = new Uint8Array(0)

/** cosmos/iavl. */
export const IAVL_SPEC: ProofSpec = {
  leafSpec: {
    prefix: Uint8Array.of(0),
    prehashKey: HashOp.NO_HASH,
    hash: HashOp.SHA256,
    prehashValue: HashOp.SHA256,
    length: LengthOp.VAR_PROTO,
  },
  innerSpec: {
    childOrder: [0, 1],
    minPrefixLength: 4,
    maxPrefixLength: 12,
    childSize: 33,
    emptyChild: NOTHING,
    hash: HashOp.SHA256,
  },
  minDepth: 0,
  maxDepth: 0,
}

/** CometBFT's simple Merkle tree, with which the SDK makes the app hash. */
export const TENDERMINT_SPEC: ProofSpec = {
  leafSpec: {
    prefix: Uint8Array.of(0),
    prehashKey: HashOp.NO_HASH,
    hash: HashOp.SHA256,
    prehashValue: HashOp.SHA256,
    length: LengthOp.VAR_PROTO,
  },
  innerSpec: {
    childOrder: [0, 1],
    minPrefixLength: 1,
    maxPrefixLength: 1,
    childSize: 32,
    emptyChild: NOTHING,
    hash: HashOp.SHA256,
  },
  minDepth: 0,
  maxDepth: 0,
}

/** celestiaorg/smt. */
export const SMT_SPEC: ProofSpec = {
  leafSpec: {
    hash: HashOp.SHA256,
    prehashKey: HashOp.SHA256,
    prehashValue: HashOp.SHA256,
    length: LengthOp.NO_PREFIX,
    prefix: Uint8Array.of(0),
  },
  innerSpec: {
    childOrder: [0, 1],
    childSize: 32,
    minPrefixLength: 1,
    maxPrefixLength: 1,
    emptyChild: new Uint8Array(32),
    hash: HashOp.SHA256,
  },
  minDepth: 0,
  maxDepth: 256,
  prehashKeyBeforeComparison: true,
}

/** Go's `SpecEquals(IavlSpec)`: decides whether prefixes must be IAVL node headers. Overdeclares, as Go does. */
export function isIavlSpec({ leafSpec, innerSpec }: ProofSpec): boolean {
  const leaf = IAVL_SPEC.leafSpec!
  const inner = IAVL_SPEC.innerSpec!
  return (
    leafSpec !== undefined &&
    leafSpec.hash === leaf.hash &&
    leafSpec.prehashKey === leaf.prehashKey &&
    leafSpec.prehashValue === leaf.prehashValue &&
    leafSpec.length === leaf.length &&
    innerSpec !== undefined &&
    innerSpec.hash === inner.hash &&
    innerSpec.minPrefixLength === inner.minPrefixLength &&
    innerSpec.maxPrefixLength === inner.maxPrefixLength &&
    innerSpec.childSize === inner.childSize &&
    innerSpec.childOrder.length === inner.childOrder.length
  )
}
