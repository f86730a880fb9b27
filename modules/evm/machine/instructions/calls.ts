import type { Address } from '../../../../core/address.ts'
import { NO_BYTES } from '../../../../core/bytes.ts'
import { createAddress, createAddress2 } from '../contract-address.ts'
import { delegateOf } from '../delegation.ts'
import { type CallKind, type Frame, type Message, outOfGas } from '../frame.ts'
import { addressOfWord, numberOf, wordBytes } from '../word.ts'
import { isDead } from '../world.ts'
import { type Instruction, wordsIn } from './instruction.ts'
import { accessGas, NEW_ACCOUNT_GAS } from './state.ts'

export const MAX_DEPTH = 1024
const VALUE_GAS = 9000
const STIPEND = 2300
const INIT_CODE_WORD_GAS = 2
const KECCAK_WORD_GAS = 6
export const MAX_INIT_CODE_BYTES = 49_152
const MAX_NONCE = 2n ** 64n - 1n

/** All but a 64th (EIP-150). */
const mostForChild = (gas: number): number => gas - Math.floor(gas / 64)

/** Gas of looking at what an account delegates to (EIP-7702). */
function delegationGas(frame: Frame, address: Address): number {
  const delegate = delegateOf(frame.execution.world.code(address))
  return delegate === undefined ? 0 : accessGas(frame, delegate)
}

function call(frame: Frame, kind: Exclude<CallKind, 'create' | 'create2'>): void {
  const { stack, message, execution } = frame
  const hasValue = kind === 'call' || kind === 'callcode'
  const value = hasValue ? stack.at(2) : 0n
  if (kind === 'call' && value !== 0n) frame.requireWritable()
  const target = addressOfWord(stack.at(1))
  const first = hasValue ? 3 : 2
  const [inAt, inLength] = frame.range(first, first + 1)
  const [outAt, outLength] = frame.range(first + 2, first + 3)
  let cost = accessGas(frame, target)
  if (value !== 0n) {
    cost += VALUE_GAS
    if (kind === 'call' && isDead(execution.world, target)) cost += NEW_ACCOUNT_GAS
  }
  frame.charge(cost + delegationGas(frame, target))
  const gas = Math.min(numberOf(stack.at(0)), mostForChild(frame.gas))
  stack.drop(first + 4)
  frame.charge(gas)
  const isOwnCode = kind === 'call' || kind === 'staticcall'
  frame.answerAt = outAt
  frame.answerLength = outLength
  ask(frame, value, {
    kind,
    depth: message.depth + 1,
    caller: kind === 'delegatecall' ? message.caller : message.to,
    to: isOwnCode ? target : message.to,
    codeAddress: target,
    value: kind === 'delegatecall' ? message.value : value,
    data: frame.memory.view(inAt, inLength),
    gas: value === 0n ? gas : gas + STIPEND,
    isStatic: message.isStatic || kind === 'staticcall',
  })
}

/** Has the frame wait for a child; where depth or balance forbid one, it goes on at once with the gas. */
function ask(frame: Frame, value: bigint, message: Message): void {
  if (frame.message.depth >= MAX_DEPTH || (value > 0n && frame.getSelfBalance() < value))
    frame.resume(0n, { message, gasLeft: message.gas, output: NO_BYTES }, NO_BYTES)
  else frame.child = message
}

function create(frame: Frame, kind: 'create' | 'create2'): void {
  frame.requireWritable()
  const { stack, message, execution } = frame
  const value = stack.at(0)
  const length = numberOf(stack.at(2))
  const salt = kind === 'create2' ? wordBytes(stack.at(3)) : undefined
  if (length > MAX_INIT_CODE_BYTES) outOfGas()
  const perWord = INIT_CODE_WORD_GAS + (salt === undefined ? 0 : KECCAK_WORD_GAS)
  frame.charge(perWord * wordsIn(length))
  const [offset] = frame.range(1, 2)
  stack.drop(salt === undefined ? 3 : 4)
  const initCode = frame.memory.slice(offset, length)
  const gas = mostForChild(frame.gas)
  frame.charge(gas)
  frame.answerLength = 0
  const { world, substate } = execution
  const self = message.to
  const nonce = world.nonce(self)
  if (message.depth >= MAX_DEPTH || (value > 0n && frame.getSelfBalance() < value) || nonce >= MAX_NONCE) {
    frame.gas += gas
    frame.returned = NO_BYTES
    stack.push(0n)
    return
  }
  world.setNonce(self, nonce + 1n)
  const to = salt === undefined ? createAddress(self, nonce) : createAddress2(self, salt, initCode)
  substate.touch(to)
  frame.child = {
    kind,
    depth: message.depth + 1,
    caller: self,
    to,
    codeAddress: to,
    value,
    data: NO_BYTES,
    initCode,
    gas,
    isStatic: false,
  }
}

export const callInstructions: Readonly<Record<number, Instruction>> = {
  240: (frame) => create(frame, 'create'),
  241: (frame) => call(frame, 'call'),
  242: (frame) => call(frame, 'callcode'),
  244: (frame) => call(frame, 'delegatecall'),
  245: (frame) => create(frame, 'create2'),
  250: (frame) => call(frame, 'staticcall'),
}
