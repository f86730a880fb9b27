import { hash } from 'node:crypto'
import { sha256 } from '../../../core/bytes.ts'
import type { Contract } from './contract.ts'

const words = (bytes: number): bigint => BigInt(Math.floor((bytes + 31) / 32))

export const sha256Contract: Contract = {
  gas: ({ length }) => 60n + 12n * words(length),
  run: (data) => sha256(data),
}

/** The 20 bytes behind 12 zeros. */
export const ripemd160Contract: Contract = {
  gas: ({ length }) => 600n + 120n * words(length),
  run(data) {
    const out = new Uint8Array(32)
    out.set(hash('ripemd160', data, 'buffer'), 12)
    return out
  },
}

export const identityContract: Contract = {
  gas: ({ length }) => 15n + 3n * words(length),
  run: (data) => data.slice(),
}
