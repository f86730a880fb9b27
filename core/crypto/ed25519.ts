import { createHash, createPublicKey, type KeyObject, verify as verifyByOpenSsl } from 'node:crypto'
import * as noble from '@noble/ed25519'
import { concatBytes, fromHex } from '../bytes.ts'
import { rethrowExhaustion } from '../error.ts'
import { keyOf, memory } from '../remembered.ts'

noble.hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest())

/** DER of an ed25519 public key, up to its 32 bytes. */
const SPKI_HEAD = fromHex('302a300506032b6570032100')

/** About what OpenSSL holds of a key. */
const KEY_OBJECT_BYTES = 1024
const keys = memory<KeyObject>(2 * 1024 * 1024, () => KEY_OBJECT_BYTES)

function keyObject(key: Uint8Array): KeyObject {
  const id = keyOf(key)
  const known = keys.get(id)
  if (known !== undefined) return known
  const der = Buffer.from(concatBytes(SPKI_HEAD, key))
  return keys.set(id, createPublicKey({ key: der, format: 'der', type: 'spki' }))
}

/**
 * Whether a signature verifies by the rules of ZIP 215, which are CometBFT's. OpenSSL is asked first: it takes only
 * scalars below the group's order and compares the encoding of sB − hA with R, so that what it accepts satisfies the
 * equation without the cofactor, and with it too: ZIP 215 accepts it. What it refuses is decided by @noble/ed25519, ten
 * times slower.
 */
export function verifyEd25519(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false
  return verifiesByOpenSsl(key, message, signature) || noble.verify(signature, message, key, { zip215: true })
}

/**
 * Whether OpenSSL accepts a signature: ZIP 215 accepts it then too, but not the reverse. For the mempool and proposals,
 * which may refuse an odd signature at little cost; never where a block is executed, as other versions may decide otherwise.
 */
export function verifiesByOpenSsl(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false
  try {
    return verifyByOpenSsl(null, message, keyObject(key), signature)
  } catch (error) {
    rethrowExhaustion(error)
    // It knows no such point.
    return false
  }
}
