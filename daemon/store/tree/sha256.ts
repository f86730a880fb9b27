import { hash } from 'node:crypto'

/**
 * SHA-256 as a string of 32 latin-1 characters: the one-shot call with a string result takes a third of the time of
 * one with a Buffer, a fifth of createHash's, a sixth of JavaScript's (measured on ~100-byte inputs).
 */
export function sha256Latin1(data: Uint8Array): string {
  return hash('sha256', data, 'binary')
}

export function sha256(data: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha256', data, 'buffer'))
}
