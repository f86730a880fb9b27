import { toHex } from '../../../core/bytes.ts'
import { type Contract, type Failure, padded } from './contract.ts'

/** EIP-198 with the prices of EIP-7883 and the bounds of EIP-7823: base to the exponent, modulo the modulus. */

const HEADER_BYTES = 96
const MAX_BYTES = 1_024
const MIN_GAS = 500n

/** 0 for no bytes. */
const toBigInt = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`))

interface Lengths {
  readonly base: bigint
  readonly exponent: bigint
  readonly modulus: bigint
}

function lengthsOf(data: Uint8Array): Lengths {
  const header = padded(data, 0, HEADER_BYTES)
  return {
    base: toBigInt(header.subarray(0, 32)),
    exponent: toBigInt(header.subarray(32, 64)),
    modulus: toBigInt(header.subarray(64, 96)),
  }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Bits of the exponent, of those after its first 32 bytes each twice, less one. */
function iterations(data: Uint8Array, { base, exponent }: Lengths): bigint {
  const headBytes = exponent < 32n ? Number(exponent) : 32
  const start = BigInt(HEADER_BYTES) + base
  const head = start < BigInt(data.length) ? toBigInt(padded(data, Number(start), headBytes)) : 0n
  const bits = head === 0n ? 0n : BigInt(head.toString(2).length - 1)
  return (exponent > 32n ? 16n * (exponent - 32n) : 0n) + bits
}

function gas(data: Uint8Array): bigint | Failure {
  const lengths = lengthsOf(data)
  const longest = max(lengths.base, lengths.modulus)
  const words = (longest + 7n) / 8n
  const complexity = longest > 32n ? 2n * words * words : 16n
  return max(complexity * max(iterations(data, lengths), 1n), MIN_GAS)
}

/** Digits of 4 bits, the highest first: 4 squarings and a multiplication by a power that is made where it is first needed. */
function power(base: bigint, exponent: Uint8Array, modulus: bigint): bigint {
  const powers: bigint[] = [1n % modulus, base % modulus]
  const powerOf = (digit: number): bigint => {
    for (let i = powers.length; i <= digit; i++) powers.push((powers[i - 1]! * powers[1]!) % modulus)
    return powers[digit]!
  }
  let result = powers[0]!
  let hasBegun = false
  for (const byte of exponent)
    for (const digit of [byte >> 4, byte & 15]) {
      if (hasBegun) for (let i = 0; i < 4; i++) result = (result * result) % modulus
      if (digit === 0) continue
      result = hasBegun ? (result * powerOf(digit)) % modulus : powerOf(digit)
      hasBegun = true
    }
  return result
}

function run(data: Uint8Array): Uint8Array | Failure {
  const lengths = lengthsOf(data)
  // The price of lengths beyond is beyond any gas limit but for an exponent behind short operands.
  if (lengths.base > MAX_BYTES || lengths.exponent > MAX_BYTES || lengths.modulus > MAX_BYTES)
    return 'OUT_OF_GAS'
  const base = Number(lengths.base)
  const exponent = Number(lengths.exponent)
  const length = Number(lengths.modulus)
  const out = new Uint8Array(length)
  const modulus = toBigInt(padded(data, HEADER_BYTES + base + exponent, length))
  if (modulus === 0n) return out
  const result = power(
    toBigInt(padded(data, HEADER_BYTES, base)),
    padded(data, HEADER_BYTES + base, exponent),
    modulus,
  )
  const digits = result.toString(16)
  out.set(Buffer.from(digits.padStart(2 * length, '0'), 'hex'))
  return out
}

export const modexpContract: Contract = { gas, run }
