import { blake2b, blake2s } from '@noble/hashes/blake2.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256, sha512, sha512_256 } from '@noble/hashes/sha2.js'
import { HashOp, LengthOp } from 'cosmjs-types/cosmos/ics23/v1/proofs'
import { concatBytes } from '../bytes.ts'
import { ProofError } from './proof-error.ts'

/** Numbers that the codec's HashOp does not name. */
const BLAKE2B_512 = 7
const BLAKE2S_256 = 8

/** Throws ProofError for NO_HASH and for an operation Go does not support either (Keccak, BLAKE3). */
export function applyHash(op: HashOp, preimage: Uint8Array): Uint8Array {
  switch (op as number) {
    case HashOp.SHA256:
      return sha256(preimage)
    case HashOp.SHA512:
      return sha512(preimage)
    case HashOp.RIPEMD160:
      return ripemd160(preimage)
    case HashOp.BITCOIN:
      return ripemd160(sha256(preimage))
    case HashOp.SHA512_256:
      return sha512_256(preimage)
    case BLAKE2B_512:
      return blake2b(preimage)
    case BLAKE2S_256:
      return blake2s(preimage)
    default:
      throw new ProofError(`unsupported hash operation ${op}`)
  }
}

export function applyHashOrNone(op: HashOp, preimage: Uint8Array): Uint8Array {
  return op === HashOp.NO_HASH ? preimage : applyHash(op, preimage)
}

/** Throws ProofError for a length that is not as required and for RLP. */
export function withLength(op: LengthOp, data: Uint8Array): Uint8Array {
  switch (op) {
    case LengthOp.NO_PREFIX:
      return data
    case LengthOp.VAR_PROTO:
      return concatBytes(uvarint(data.length), data)
    case LengthOp.FIXED32_BIG:
      return concatBytes(fixed(data.length, 4, false), data)
    case LengthOp.FIXED32_LITTLE:
      return concatBytes(fixed(data.length, 4, true), data)
    case LengthOp.FIXED64_BIG:
      return concatBytes(fixed(data.length, 8, false), data)
    case LengthOp.FIXED64_LITTLE:
      return concatBytes(fixed(data.length, 8, true), data)
    case LengthOp.REQUIRE_32_BYTES:
      return requireLength(data, 32)
    case LengthOp.REQUIRE_64_BYTES:
      return requireLength(data, 64)
    default:
      throw new ProofError(`unsupported length operation ${op}`)
  }
}

function requireLength(data: Uint8Array, length: number): Uint8Array {
  if (data.length !== length) throw new ProofError(`data has ${data.length} bytes, not ${length}`)
  return data
}

function uvarint(value: number): Uint8Array {
  const out: number[] = []
  let rest = value
  for (; rest >= 0x80; rest >>>= 7) out.push((rest & 0x7f) | 0x80)
  out.push(rest)
  return Uint8Array.from(out)
}

function fixed(value: number, width: 4 | 8, littleEndian: boolean): Uint8Array {
  const out = new Uint8Array(width)
  const view = new DataView(out.buffer)
  view.setUint32(littleEndian || width === 4 ? 0 : 4, value, littleEndian)
  return out
}
