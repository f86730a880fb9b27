import { type Frame, fail } from '../frame.ts'
import { halts } from '../halt.ts'
import { numberOf, readWord, viewOf, wordOf } from '../word.ts'
import type { Instruction } from './instruction.ts'

const SMALL: readonly bigint[] = Array.from({ length: 256 }, (_, i) => BigInt(i))

function jump(frame: Frame, destination: bigint): void {
  const place = numberOf(destination)
  if (!frame.program.isDestination(place)) fail(halts.invalidJump)
  frame.programCounter = place
}

function immediate(code: Uint8Array, from: number, length: number): bigint {
  if (length === 32 && from + 32 <= code.length) return readWord(viewOf(code), from)
  if (length > 6 || from + length > code.length) {
    const bytes = new Uint8Array(length)
    bytes.set(code.subarray(from, from + length))
    return wordOf(bytes)
  }
  let value = 0
  for (let i = from; i < from + length; i++) value = value * 256 + code[i]!
  return value < 256 ? SMALL[value]! : BigInt(value)
}

/** Pushes the `length` bytes behind the instruction; behind the program's end are zeros. */
function push(frame: Frame, length: number): void {
  const { code, programCounter: from } = frame
  frame.programCounter += length
  frame.stack.push(immediate(code, from, length))
}

export const control: Readonly<Record<number, Instruction>> = {
  0: (frame) => frame.end(),
  80: (frame) => {
    frame.stack.pop()
  },
  86: (frame) => jump(frame, frame.stack.pop()),
  87: (frame) => {
    const destination = frame.stack.pop()
    if (frame.stack.pop() !== 0n) jump(frame, destination)
  },
  88: (frame) => frame.stack.push(BigInt(frame.programCounter - 1)),
  90: (frame) => frame.stack.push(BigInt(frame.gas)),
  91: () => {},
  95: (frame) => frame.stack.push(0n),
  ...Object.fromEntries(
    Array.from({ length: 32 }, (_, i): [number, Instruction] => [0x60 + i, (frame) => push(frame, i + 1)]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 16 }, (_, i): [number, Instruction] => [
      0x80 + i,
      (frame) => frame.stack.dup(i + 1),
    ]),
  ),
  ...Object.fromEntries(
    Array.from({ length: 16 }, (_, i): [number, Instruction] => [
      0x90 + i,
      (frame) => frame.stack.swap(i + 1),
    ]),
  ),
  243: (frame) => {
    const [offset, length] = frame.range(0, 1)
    frame.stack.drop(2)
    frame.end(frame.memory.slice(offset, length))
  },
  253: (frame) => {
    const [offset, length] = frame.range(0, 1)
    frame.stack.drop(2)
    frame.reverted = true
    frame.end(frame.memory.slice(offset, length))
  },
  254: () => fail(halts.invalidOpcode),
}
