import type { InnerOp, InnerSpec } from 'cosmjs-types/cosmos/ics23/v1/proofs'
import { equalBytes } from '../bytes.ts'

/** How long prefix and suffix of a step are when the path comes from child `branch`. */
interface Padding {
  readonly minPrefix: number
  readonly maxPrefix: number
  readonly suffix: number
}

/** The path keeps to the left-most child, empty ones not counted. */
export function isLeftMost(spec: InnerSpec, path: readonly InnerOp[]): boolean {
  const padding = paddingOf(spec, 0)
  return path.every((step) => hasPadding(step, padding) || leftBranchesAreEmpty(spec, step))
}

/** The path keeps to the right-most child, empty ones not counted. */
export function isRightMost(spec: InnerSpec, path: readonly InnerOp[]): boolean {
  const padding = paddingOf(spec, spec.childOrder.length - 1)
  return path.every((step) => hasPadding(step, padding) || rightBranchesAreEmpty(spec, step))
}

/** `right` is the leaf after `left`: paths from leaf to root of one tree. */
export function isLeftNeighbour(
  spec: InnerSpec,
  left: readonly InnerOp[],
  right: readonly InnerOp[],
): boolean {
  let [l, r] = [left.length - 1, right.length - 1]
  while (l >= 0 && r >= 0 && isSameStep(left[l]!, right[r]!)) {
    l--
    r--
  }
  if (l < 0 || r < 0) return false
  const leftBranch = branchOf(spec, left[l]!)
  const rightBranch = branchOf(spec, right[r]!)
  if (leftBranch === undefined || rightBranch === undefined || rightBranch !== leftBranch + 1) return false
  return isRightMost(spec, left.slice(0, l)) && isLeftMost(spec, right.slice(0, r))
}

export function leftBranchesAreEmpty(spec: InnerSpec, step: InnerOp): boolean {
  const branch = branchOf(spec, step)
  if (branch === undefined || branch === 0) return false
  const start = step.prefix.length - branch * spec.childSize
  if (start < 0) return false
  for (let i = 0; i < branch; i++) {
    const from = start + positionOf(spec, i) * spec.childSize
    if (!equalBytes(spec.emptyChild, step.prefix.subarray(from, from + spec.childSize))) return false
  }
  return true
}

export function rightBranchesAreEmpty(spec: InnerSpec, step: InnerOp): boolean {
  const branch = branchOf(spec, step)
  if (branch === undefined) return false
  const count = spec.childOrder.length - 1 - branch
  if (count === 0 || step.suffix.length !== count * spec.childSize) return false
  for (let i = 0; i < count; i++) {
    const from = positionOf(spec, i) * spec.childSize
    if (!equalBytes(spec.emptyChild, step.suffix.subarray(from, from + spec.childSize))) return false
  }
  return true
}

function branchOf(spec: InnerSpec, step: InnerOp): number | undefined {
  for (let branch = 0; branch < spec.childOrder.length; branch++) {
    if (hasPadding(step, paddingOf(spec, branch))) return branch
  }
  return undefined
}

function paddingOf(spec: InnerSpec, branch: number): Padding {
  const position = positionOf(spec, branch)
  const before = position * spec.childSize
  return {
    minPrefix: before + spec.minPrefixLength,
    maxPrefix: before + spec.maxPrefixLength,
    suffix: (spec.childOrder.length - 1 - position) * spec.childSize,
  }
}

function positionOf(spec: InnerSpec, branch: number): number {
  return spec.childOrder.indexOf(branch)
}

function hasPadding({ prefix, suffix }: InnerOp, padding: Padding): boolean {
  return (
    prefix.length >= padding.minPrefix &&
    prefix.length <= padding.maxPrefix &&
    suffix.length === padding.suffix
  )
}

function isSameStep(a: InnerOp, b: InnerOp): boolean {
  return equalBytes(a.prefix, b.prefix) && equalBytes(a.suffix, b.suffix)
}
