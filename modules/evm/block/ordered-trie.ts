import { keccak256 } from '../../../core/crypto/keccak.ts'
import { encodeBytes, encodeList, encodeUint } from './rlp.ts'

/** In a branch, where there is nothing. */
const NOTHING = encodeUint(0n)
/** Of a trie that holds nothing: the hash of the empty string's RLP. */
export const EMPTY_TRIE_ROOT = keccak256(NOTHING)

/** Shorter nodes stand in their parent as they are. */
const HASH_BYTES = 32

interface Entry {
  /** The key, two nibbles a byte. */
  readonly path: Uint8Array
  readonly value: Uint8Array
}

/**
 * The root of the Merkle-Patricia trie that holds values under their indices' RLP, 32 bytes: a block's transactions or
 * receipts root, for their encodings. The values must not be empty.
 */
export function orderedTrieRoot(values: readonly Uint8Array[]): Uint8Array {
  if (values.length === 0) return EMPTY_TRIE_ROOT
  return keccak256(encodeNode(inOrderOfKeys(values), 0, values.length, 0))
}

/** The RLP of 0 is 0x80: it stands behind those of 1 to 127, which are single bytes below, and before all others. */
function inOrderOfKeys(values: readonly Uint8Array[]): readonly Entry[] {
  const first = Math.min(127, values.length - 1)
  return values.map((_, place) => {
    const index = place < first ? place + 1 : place === first ? 0 : place
    return { path: nibbles(encodeUint(BigInt(index))), value: values[index]! }
  })
}

function nibbles(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length * 2)
  for (let i = 0; i < bytes.length; i++) {
    out[2 * i] = bytes[i]! >> 4
    out[2 * i + 1] = bytes[i]! & 15
  }
  return out
}

/**
 * The node of entries from `begin` to before `end`, whose paths agree up to `depth`. No key's RLP begins with another's: a
 * branch has no value.
 */
function encodeNode(entries: readonly Entry[], begin: number, end: number, depth: number): Uint8Array {
  const { path, value } = entries[begin]!
  if (end - begin === 1) return encodeList([hexPrefix(path, depth, path.length, true), encodeBytes(value)])
  const last = entries[end - 1]!.path
  let fork = depth
  while (path[fork] === last[fork]) fork++
  const branch = encodeBranch(entries, begin, end, fork)
  return fork === depth ? branch : encodeList([hexPrefix(path, depth, fork, false), reference(branch)])
}

function encodeBranch(entries: readonly Entry[], begin: number, end: number, depth: number): Uint8Array {
  const slots = new Array<Uint8Array>(17).fill(NOTHING)
  for (let from = begin; from < end; ) {
    const nibble = entries[from]!.path[depth]!
    let to = from + 1
    while (to < end && entries[to]!.path[depth] === nibble) to++
    slots[nibble] = reference(encodeNode(entries, from, to, depth + 1))
    from = to
  }
  return encodeList(slots)
}

const reference = (node: Uint8Array): Uint8Array =>
  node.length < HASH_BYTES ? node : encodeBytes(keccak256(node))

/** The nibbles from `begin` to before `end` as a string of bytes, whose first nibble tells leaves and odd numbers. */
function hexPrefix(path: Uint8Array, begin: number, end: number, isLeaf: boolean): Uint8Array {
  const count = end - begin
  const odd = count % 2
  const out = new Uint8Array(1 + Math.floor(count / 2))
  out[0] = ((isLeaf ? 2 : 0) + odd) * 16 + (odd === 1 ? path[begin]! : 0)
  for (let from = begin + odd, to = 1; from < end; from += 2, to++)
    out[to] = path[from]! * 16 + path[from + 1]!
  return encodeBytes(out)
}
