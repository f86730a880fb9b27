import { createHash, createPublicKey, type KeyObject, verify as verifyByOpenSsl } from 'node:crypto'
import * as noble from '@noble/ed25519'
import { concatBytes, fromHex, toLatin1 } from '../bytes.ts'
import { remembered } from '../remembered.ts'

noble.hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest())

/** DER of an ed25519 public key, up to its 32 bytes. */
const SPKI_HEAD = fromHex('302a300506032b6570032100')

const keys = remembered<KeyObject>(1_000)

function keyObject(key: Uint8Array): KeyObject {
  const id = toLatin1(key)
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
  try {
    if (verifyByOpenSsl(null, message, keyObject(key), signature)) return true
  } catch {
    // OpenSSL knows no such point; ZIP 215 may.
  }
  return noble.verify(signature, message, key, { zip215: true })
}
