import type { InnerOp, InnerSpec, LeafOp } from 'cosmjs-types/cosmos/ics23/v1/proofs'
import { concatBytes } from '../bytes.ts'
import { applyHash, applyHashOrNone, withLength } from './hash-op.ts'
import { ProofError } from './proof-error.ts'
import { isIavlSpec, type ProofSpec } from './proof-spec.ts'

const SHA256 = 1

/** The leaf's hash. Throws ProofError for an empty key or value. */
export function applyLeaf(op: LeafOp, key: Uint8Array, value: Uint8Array): Uint8Array {
  if (key.length === 0) throw new ProofError('leaf op needs key')
  if (value.length === 0) throw new ProofError('leaf op needs value')
  const preparedKey = withLength(op.length, applyHashOrNone(op.prehashKey, key))
  const preparedValue = withLength(op.length, applyHashOrNone(op.prehashValue, value))
  return applyHash(op.hash, concatBytes(op.prefix, preparedKey, preparedValue))
}

/** The parent's hash. */
export function applyInner(op: InnerOp, child: Uint8Array): Uint8Array {
  if (child.length === 0) throw new ProofError('inner op needs child value')
  return applyHash(op.hash, concatBytes(op.prefix, child, op.suffix))
}

/** Throws ProofError. */
export function checkLeaf(op: LeafOp, spec: ProofSpec): void {
  const { leafSpec } = spec
  if (!leafSpec) throw new ProofError('the spec has no leaf')
  if (isIavlSpec(spec)) checkIavlHeader(op.prefix, 0)
  if (op.hash !== leafSpec.hash) throw new ProofError(`unexpected HashOp: ${op.hash}`)
  if (op.prehashKey !== leafSpec.prehashKey) throw new ProofError(`unexpected PrehashKey: ${op.prehashKey}`)
  if (op.prehashValue !== leafSpec.prehashValue)
    throw new ProofError(`unexpected PrehashValue: ${op.prehashValue}`)
  if (op.length !== leafSpec.length) throw new ProofError(`unexpected LengthOp: ${op.length}`)
  if (!startsWith(op.prefix, leafSpec.prefix)) throw new ProofError("the leaf's prefix is not the spec's")
}

/** `layer` counts from 1, above the leaf. Throws ProofError. */
export function checkInner(op: InnerOp, spec: ProofSpec, layer: number): void {
  const { innerSpec, leafSpec } = spec
  if (!innerSpec) throw new ProofError('the spec has no inner node')
  if (!leafSpec) throw new ProofError('the spec has no leaf')
  checkInnerSpec(innerSpec)
  if (op.hash !== innerSpec.hash) throw new ProofError(`unexpected HashOp: ${op.hash}`)
  if (isIavlSpec(spec)) {
    const rest = checkIavlHeader(op.prefix, layer)
    if (rest !== 1 && rest !== 34) throw new ProofError(`an IAVL inner prefix ends with ${rest} bytes`)
    if (op.hash !== SHA256) throw new ProofError(`unexpected HashOp: ${op.hash}`)
  }
  if (startsWith(op.prefix, leafSpec.prefix)) throw new ProofError("an inner prefix starts as a leaf's does")
  if (op.prefix.length < innerSpec.minPrefixLength)
    throw new ProofError(`innerOp prefix too short (${op.prefix.length})`)
  const leftChildren = (innerSpec.childOrder.length - 1) * innerSpec.childSize
  if (op.prefix.length > innerSpec.maxPrefixLength + leftChildren) {
    throw new ProofError(`innerOp prefix too long (${op.prefix.length})`)
  }
  if (op.suffix.length % innerSpec.childSize !== 0) throw new ProofError('innerOp suffix malformed')
}

/** A spec whose prefix range is as wide as a child would let one op stand for two positions. */
function checkInnerSpec({ childSize, childOrder, minPrefixLength, maxPrefixLength }: InnerSpec): void {
  if (childSize <= 0) throw new ProofError('childSize must be at least 1')
  if (minPrefixLength < 0 || minPrefixLength > maxPrefixLength)
    throw new ProofError('prefix lengths out of order')
  if (maxPrefixLength >= minPrefixLength + childSize) throw new ProofError('maxPrefixLength is ambiguous')
  const seen = new Set(childOrder)
  if (
    seen.size !== childOrder.length ||
    childOrder.some((branch) => branch < 0 || branch >= childOrder.length)
  ) {
    throw new ProofError('childOrder is not a permutation')
  }
}

/**
 * IAVL's node header: height, size and version as zig-zag varints, none negative, the height at least `layer`. Returns
 * how many bytes follow; none may in a leaf (`layer` 0).
 */
function checkIavlHeader(prefix: Uint8Array, layer: number): number {
  let offset = 0
  for (let field = 0; field < 3; field++) {
    const [value, next] = zigZagVarint(prefix, offset)
    if (value < 0n) throw new ProofError('an IAVL header field is negative')
    if (field === 0 && value < BigInt(layer))
      throw new ProofError(`IAVL height ${value} is below layer ${layer}`)
    offset = next
  }
  const rest = prefix.length - offset
  if (layer === 0 && rest !== 0) throw new ProofError('an IAVL leaf prefix is longer than its header')
  return rest
}

/** Go's binary.ReadVarint: at most 64 bits. */
function zigZagVarint(bytes: Uint8Array, start: number): [value: bigint, next: number] {
  let raw = 0n
  for (let i = 0; i < 10; i++) {
    const byte = bytes[start + i]
    if (byte === undefined) throw new ProofError('a varint is cut short')
    if (i === 9 && byte > 1) break
    raw |= BigInt(byte & 0x7f) << BigInt(7 * i)
    if (byte < 0x80) return [raw & 1n ? -(raw >> 1n) - 1n : raw >> 1n, start + i + 1]
  }
  throw new ProofError('a varint overflows 64 bits')
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, i) => bytes[i] === byte)
}
