import { verifySecp256k1Digest } from '../../core/crypto/secp256k1.ts'
import type { AwaitedSignature } from '../../modules/ante/api.ts'

const [KEY, DIGEST, SIGNATURE] = [33, 32, 64]
const ENTRY = KEY + DIGEST + SIGNATURE

/** Key, digest and signature of each, 129 bytes together, one behind another. */
export function encodeBatch(signatures: readonly AwaitedSignature[]): Uint8Array {
  const batch = new Uint8Array(signatures.length * ENTRY)
  for (const [i, { publicKey, digest, signature }] of signatures.entries()) {
    batch.set(publicKey, i * ENTRY)
    batch.set(digest, i * ENTRY + KEY)
    batch.set(signature, i * ENTRY + KEY + DIGEST)
  }
  return batch
}

/** A byte for each: 1 where the signature is good, else 0. */
export function verifyBatch(batch: Uint8Array): Uint8Array {
  const good = new Uint8Array(batch.length / ENTRY)
  for (let i = 0; i < good.length; i++) {
    const entry = batch.subarray(i * ENTRY, (i + 1) * ENTRY)
    const [key, digest] = [entry.subarray(0, KEY), entry.subarray(KEY, KEY + DIGEST)]
    good[i] = verifySecp256k1Digest(key, digest, entry.subarray(KEY + DIGEST)) ? 1 : 0
  }
  return good
}
