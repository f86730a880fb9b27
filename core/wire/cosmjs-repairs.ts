/** Faults of cosmjs-types 0.11, made right for the whole process. */
import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary'

// It starts a new 8 KiB pool at each `finish`, so that every encoded message costs, and keeps alive, 8 KiB. This gives
// each its own bytes.
BinaryWriter.alloc = (size: number): Uint8Array => new Uint8Array(size)

type Write = (value: bigint, target: Uint8Array, at: number) => void
interface Writer {
  _push(write: Write, length: number, value: bigint): BinaryWriter
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER)

/** Bytes of a varint. */
function lengthOf(value: bigint): number {
  if (value > SAFE) {
    let length = 8
    for (let rest = value >> 56n; rest > 0n; rest >>= 7n) length++
    return length
  }
  let length = 1
  for (let rest = Number(value); rest > 127; rest = Math.floor(rest / 128)) length++
  return length
}

const writeVarint: Write = (value, target, start) => {
  let at = start
  let high = value
  for (; high > SAFE; high >>= 7n) target[at++] = Number(high & 127n) | 128
  let rest = Number(high)
  for (; rest > 127; rest = Math.floor(rest / 128)) target[at++] = (rest % 128) | 128
  target[at] = rest
}

// It writes 2^31 … 2^32−1 as other numbers: times after 2038, powers, gas.
BinaryWriter.prototype.int64 = function (value) {
  const unsigned = BigInt.asUintN(64, BigInt(value))
  return (this as unknown as Writer)._push(writeVarint, lengthOf(unsigned), unsigned)
}

const { skipType } = BinaryReader.prototype

// It goes down groups in groups by a call each, up to the end of the stack. No message of ours or of the SDK's has a group.
BinaryReader.prototype.skipType = function (wireType) {
  if (wireType === 3 || wireType === 4) throw new Error('groups are not supported')
  return skipType.call(this, wireType)
}
