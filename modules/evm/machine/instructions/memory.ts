import { keccak256 } from '../../../../core/crypto/keccak.ts'
import { type Frame, outOfGas } from '../frame.ts'
import { numberOf, WORD, wordBytes, wordOf } from '../word.ts'
import { type Instruction, wordsIn } from './instruction.ts'

const COPY_GAS = 3
const KECCAK_WORD_GAS = 6
const EXP_BYTE_GAS = 50
const LOG_TOPIC_GAS = 375
const LOG_BYTE_GAS = 8

/** Copies into memory: takes `memory offset, source offset, length` from the stack. */
export function copyIn(frame: Frame, source: Uint8Array): void {
  const [offset, length] = frame.range(0, 2)
  frame.charge(COPY_GAS * wordsIn(length))
  const from = numberOf(frame.stack.at(1))
  frame.stack.drop(3)
  if (length > 0) frame.memory.copyFrom(source, from, offset, length)
}

function loadCallData(frame: Frame): void {
  const { data } = frame.message
  const from = numberOf(frame.stack.pop())
  const there = data.subarray(from, from + WORD)
  // Behind the input's end are zeros.
  frame.stack.push(wordOf(there) << BigInt(8 * (WORD - there.length)))
}

function log(frame: Frame, topicCount: number): void {
  frame.requireWritable()
  const [offset, length] = frame.range(0, 1)
  frame.charge(LOG_TOPIC_GAS * topicCount + LOG_BYTE_GAS * length)
  frame.stack.at(topicCount + 1)
  frame.stack.drop(2)
  const topics = frame.stack.popN(topicCount).map(wordBytes)
  frame.execution.substate.logs.push({
    address: frame.message.to,
    topics,
    data: frame.memory.slice(offset, length),
  })
}

/** What reads and writes memory alone. `exponentiate` is the library's. */
export const memoryInstructions = (exponentiate: Instruction): Readonly<Record<number, Instruction>> => ({
  10: (frame) => {
    const exponent = frame.stack.at(1)
    if (exponent > 0n) frame.charge(EXP_BYTE_GAS * Math.floor((exponent.toString(16).length + 1) / 2))
    exponentiate(frame)
  },
  32: (frame) => {
    const [offset, length] = frame.range(0, 1)
    frame.charge(KECCAK_WORD_GAS * wordsIn(length))
    frame.stack.drop(2)
    frame.stack.push(wordOf(keccak256(frame.memory.view(offset, length))))
  },
  53: loadCallData,
  55: (frame) => copyIn(frame, frame.message.data),
  57: (frame) => copyIn(frame, frame.code),
  62: (frame) => {
    const end = numberOf(frame.stack.at(1)) + numberOf(frame.stack.at(2))
    if (end > frame.returned.length) outOfGas()
    copyIn(frame, frame.returned)
  },
  81: (frame) => {
    const offset = numberOf(frame.stack.at(0))
    frame.expand(offset, WORD)
    frame.stack.drop(1)
    frame.stack.push(frame.memory.word(offset))
  },
  82: (frame) => {
    const offset = numberOf(frame.stack.at(0))
    const word = frame.stack.at(1)
    frame.expand(offset, WORD)
    frame.stack.drop(2)
    frame.memory.setWord(offset, word)
  },
  83: (frame) => {
    const offset = numberOf(frame.stack.at(0))
    const word = frame.stack.at(1)
    frame.expand(offset, 1)
    frame.stack.drop(2)
    frame.memory.setByte(offset, Number(word & 255n))
  },
  89: (frame) => frame.stack.push(BigInt(frame.memory.size)),
  94: (frame) => {
    const length = numberOf(frame.stack.at(2))
    const [to, from] = length === 0 ? [0, 0] : [numberOf(frame.stack.at(0)), numberOf(frame.stack.at(1))]
    frame.expand(Math.max(to, from), length)
    frame.charge(COPY_GAS * wordsIn(length))
    frame.stack.drop(3)
    if (length > 0) frame.memory.move(to, from, length)
  },
  ...Object.fromEntries(
    [0, 1, 2, 3, 4].map((topics): [number, Instruction] => [0xa0 + topics, (frame) => log(frame, topics)]),
  ),
})
