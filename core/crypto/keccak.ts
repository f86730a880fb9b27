import { createKeccak } from 'hash-wasm'

const hasher = await createKeccak(256)

/** Ethereum's Keccak-256 of the parts behind one another: 32 bytes. It is not SHA3-256, whose padding is another. */
export function keccak256(...parts: readonly Uint8Array[]): Uint8Array {
  hasher.init()
  for (const part of parts) hasher.update(part)
  return hasher.digest('binary')
}
