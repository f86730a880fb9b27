import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'

/**
 * A secret encrypted under a passphrase: scrypt (RFC 7914) to a 256-bit key, AES-256-GCM under it. Binary fields are
 * base64.
 */
export interface Sealed {
  readonly kdf: 'scrypt'
  readonly n: number
  readonly r: number
  readonly p: number
  readonly salt: string
  readonly cipher: 'aes-256-gcm'
  readonly nonce: string
  readonly ciphertext: string
  readonly tag: string
}

/** The passphrase is wrong or the sealed data was changed; the two cannot be told apart. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError'
}

// 128 MiB and about half a second for each guess.
const cost = { n: 2 ** 17, r: 8, p: 1 }

// A changed file must not be able to ask for memory or time without end, nor for next to none.
const sound = ({ n, r, p }: Sealed): boolean => n >= 2 ** 17 && n <= 2 ** 20 && r === 8 && p >= 1 && p <= 4

function key(passphrase: string, salt: Uint8Array, { n, r, p }: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFKC'), salt, 32, { N: n, r, p, maxmem: 256 * n * r }, (error, derived) =>
      error ? reject(error) : resolve(derived),
    ),
  )
}

/** Encrypts `secret`; `context` is bound to it, unencrypted, and must be the same to open it. */
export async function seal(secret: Uint8Array, passphrase: string, context: string): Promise<Sealed> {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await key(passphrase, salt, cost), nonce)
  cipher.setAAD(Buffer.from(context, 'utf8'))
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()])
  const base64 = (bytes: Buffer): string => bytes.toString('base64')
  return {
    kdf: 'scrypt',
    ...cost,
    salt: base64(salt),
    cipher: 'aes-256-gcm',
    nonce: base64(nonce),
    ciphertext: base64(ciphertext),
    tag: base64(cipher.getAuthTag()),
  }
}

/** Throws UnsealError. */
export async function unseal(sealed: Sealed, passphrase: string, context: string): Promise<Uint8Array> {
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64')
  const tag = bytes(sealed.tag)
  if (!sound(sealed) || tag.length !== 16) throw new UnsealError('the key file was changed')
  const decipher = createDecipheriv(
    'aes-256-gcm',
    await key(passphrase, bytes(sealed.salt), sealed),
    bytes(sealed.nonce),
  )
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(bytes(sealed.ciphertext)), decipher.final()])
  } catch {
    throw new UnsealError('the passphrase is wrong, or the key file was changed')
  }
}
