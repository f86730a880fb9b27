import { concatBytes, utf8 } from '../../core/bytes.ts'
import { isDerived } from '../../core/derived.ts'
import type { StoreWrites, Write } from '../../core/state-reader.ts'

const SEPARATOR = Uint8Array.of(0)

/** Where the node's local namespace has a key of a derived store. */
export const derivedKey = (store: string, key: Uint8Array): Uint8Array =>
  concatBytes(utf8(store), SEPARATOR, key)

/** What goes into the hashed stores, and what goes into the local namespace beside it. */
export function splitDerived(all: readonly StoreWrites[]): {
  readonly hashed: readonly StoreWrites[]
  readonly derived: readonly Write[]
} {
  const derived: Write[] = []
  for (const { store, writes } of all)
    if (isDerived(store)) for (const [key, value] of writes) derived.push([derivedKey(store, key), value])
  return { hashed: all.filter(({ store }) => !isDerived(store)), derived }
}
