import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareBytes } from '../../../core/bytes.ts'
import type { StoreWrites, Write } from '../../../core/state-reader.ts'
import { Store, type StoreOptions } from '../../../daemon/store/store.ts'

/** Runs `body` in a directory of its own and removes it. */
export async function inDirectory<T>(body: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'fornax-store-'))
  try {
    return await body(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Runs `body` with a store in a directory of its own. */
export function withStore<T>(
  options: Partial<StoreOptions>,
  body: (store: Store, path: string) => Promise<T>,
): Promise<T> {
  return inDirectory(async (directory) => {
    const path = join(directory, 'state')
    const store = await openStore(path, options)
    try {
      return await body(store, path)
    } finally {
      await store.close()
    }
  })
}

export function openStore(path: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  return Store.open({ path, stores: ['bank'], pruning: { kind: 'nothing' }, ...options })
}

export async function commitAt(
  store: Store,
  height: number,
  writes: readonly StoreWrites[],
): Promise<Uint8Array> {
  const appHash = store.stage(height, writes)
  await store.commit()
  return appHash
}

/** Writes of one store from text, sorted. */
export function writesOf(store: string, entries: Readonly<Record<string, string | null>>): StoreWrites {
  const writes = Object.entries(entries).map(
    ([key, value]): Write => [bytes(key), value === null ? null : bytes(value)],
  )
  return { store, writes: writes.sort((a, b) => compareBytes(a[0], b[0])) }
}

export function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text))
}

export function hex(value: Uint8Array): string {
  return Buffer.from(value).toString('hex')
}

export function fromHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'))
}
