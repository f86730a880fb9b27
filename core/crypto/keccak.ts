import { createKeccak } from 'hash-wasm'

const hasher = await createKeccak(256)

/** Keccak-256 of the parts, one after another: Ethereum's, whose padding is not that of SHA3-256. 32 bytes. */
export function keccak256(...parts: readonly Uint8Array[]): Uint8Array {
  hasher.init()
  for (const part of parts) hasher.update(part)
  return hasher.digest('binary')
}
