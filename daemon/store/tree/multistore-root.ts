import { sha256 } from './sha256.ts'

/** One store of a version. */
export interface StoreRoot {
  readonly name: string
  readonly hash: Uint8Array
}

/** An RFC 6962 inner hash's siblings from a leaf up. */
export interface MultistoreStep {
  readonly sibling: Uint8Array
  readonly siblingIsLeft: boolean
}

/**
 * The SDK's app hash: an RFC 6962 tree over (name, sha256(tree root)), ascending by name.
 * `roots` must be sorted by name.
 */
export function multistoreHash(roots: readonly StoreRoot[]): Uint8Array {
  return subtreeHash(roots.map(leafHash))
}

/** The siblings of `roots[position]`, lowest first. */
export function multistorePath(roots: readonly StoreRoot[], position: number): MultistoreStep[] {
  return path(roots.map(leafHash), position)
}

/** Sorts as Go sorts strings: by their UTF-8 bytes. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))
}

function leafHash({ name, hash }: StoreRoot): Uint8Array {
  const text = Buffer.from(name)
  return sha256(Buffer.concat([Uint8Array.of(0, text.length), text, Uint8Array.of(32), sha256(hash)]))
}

function innerHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Uint8Array.of(1), left, right]))
}

function subtreeHash(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array(0))
  if (leaves.length === 1) return leaves[0]!
  const split = largestPowerBelow(leaves.length)
  return innerHash(subtreeHash(leaves.slice(0, split)), subtreeHash(leaves.slice(split)))
}

function path(leaves: readonly Uint8Array[], position: number): MultistoreStep[] {
  if (leaves.length < 2) return []
  const split = largestPowerBelow(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  if (position < split) {
    return [...path(left, position), { sibling: subtreeHash(right), siblingIsLeft: false }]
  }
  return [...path(right, position - split), { sibling: subtreeHash(left), siblingIsLeft: true }]
}

function largestPowerBelow(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}
