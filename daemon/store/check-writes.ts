import { compareBytes } from '../../core/bytes.ts'
import type { StoreWrites } from '../../core/state-reader.ts'
import { StoreError } from './store-error.ts'
import { MAX_KEY_BYTES } from './tree/key-slab.ts'

/** Throws StoreError `bad_write` unless the keys are ascending, unique and of 1 to 65,535 bytes. */
export function checkWrites({ store, writes }: StoreWrites): void {
  let previous: Uint8Array | undefined
  for (const [key, value] of writes) {
    if (key.length === 0 || key.length > MAX_KEY_BYTES) {
      throw new StoreError(
        'bad_write',
        `store ${store}: a key has ${key.length} bytes; 1 to ${MAX_KEY_BYTES} are allowed`,
      )
    }
    if (value !== null && !(value instanceof Uint8Array)) {
      throw new StoreError('bad_write', `store ${store}: a value is neither bytes nor null`)
    }
    if (previous && compareBytes(previous, key) >= 0) {
      throw new StoreError('bad_write', `store ${store}: writes are not in ascending key order`)
    }
    previous = key
  }
}
