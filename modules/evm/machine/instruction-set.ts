import type { Common } from '@ethereumjs/common'
import { getOpcodesForHF } from '@ethereumjs/evm'
import type { Frame } from './frame.ts'
import { callInstructions } from './instructions/calls.ts'
import { control } from './instructions/control.ts'
import type { Instruction } from './instructions/instruction.ts'
import { memoryInstructions } from './instructions/memory.ts'
import { stateInstructions } from './instructions/state.ts'
import type { InstructionSet } from './machine.ts'

const EXP = 0x0a
const INVALID = 0xfe

/** The library's instructions that touch the stack and the frame's getters alone. */
const PURE: readonly number[] = [
  ...range(0x01, 0x0b),
  ...range(0x10, 0x1e),
  ...[0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d],
  ...range(0x41, 0x48),
  0x4a,
]

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

/**
 * The instructions of a hardfork: constant gas and whatever is pure by the library, what touches memory, state, other
 * programs and the counter by our own, which wait for nothing.
 */
export function instructionSet(common: Common): InstructionSet {
  const { opcodeMap } = getOpcodesForHF(common)
  const pure = (op: number): Instruction => {
    const run = opcodeMap[op]!.opHandler as unknown as (frame: Frame, common: Common) => void
    return (frame) => run(frame, common)
  }
  const own: Readonly<Record<number, Instruction>> = {
    ...control,
    ...memoryInstructions(pure(EXP)),
    ...stateInstructions,
    ...callInstructions,
    // No transaction has blobs.
    73: (frame) => {
      frame.stack.pop()
      frame.stack.push(0n)
    },
  }
  const gas = new Uint16Array(256)
  const instructions = range(0, 255).map((op): Instruction => {
    gas[op] = opcodeMap[op]!.opcodeInfo.fee
    return own[op] ?? (PURE.includes(op) ? pure(op) : own[INVALID]!)
  })
  return { instructions, gas }
}
