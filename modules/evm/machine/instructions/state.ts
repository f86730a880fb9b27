import type { Address } from '../../../../core/address.ts'
import { equalBytes } from '../../../../core/bytes.ts'
import { type Frame, outOfGas } from '../frame.ts'
import { addressOfWord, wordBytes, wordOf } from '../word.ts'
import { isDead } from '../world.ts'
import type { Instruction } from './instruction.ts'
import { copyIn } from './memory.ts'

export const COLD_ACCOUNT_GAS = 2600
export const WARM_GAS = 100
const COLD_SLOT_GAS = 2100
/** Least gas that SSTORE asks for (EIP-2200), so that a stipend pays for none. */
const SSTORE_SENTRY = 2300
const SLOT_SET_GAS = 20_000
const SLOT_RESET_GAS = 2900
const CLEAR_REFUND = 4800
export const NEW_ACCOUNT_GAS = 25_000
const BLOCKHASH_WINDOW = 256n

/** Gas of looking at an account (EIP-2929). */
export const accessGas = (frame: Frame, address: Address): number =>
  frame.execution.substate.touch(address) ? COLD_ACCOUNT_GAS : WARM_GAS

function popAccount(frame: Frame): Address {
  const address = addressOfWord(frame.stack.at(0))
  frame.charge(accessGas(frame, address))
  frame.stack.drop(1)
  return address
}

function load(frame: Frame): void {
  const slot = wordBytes(frame.stack.at(0))
  const { substate, world } = frame.execution
  frame.charge(substate.touchSlot(frame.message.to, slot) ? COLD_SLOT_GAS : WARM_GAS)
  frame.stack.drop(1)
  frame.stack.push(world.storage(frame.message.to, slot))
}

/** EIP-2200 with the amounts of EIP-2929 and EIP-3529. */
function store(frame: Frame): void {
  frame.requireWritable()
  if (frame.gas <= SSTORE_SENTRY) outOfGas()
  const { substate, world } = frame.execution
  const owner = frame.message.to
  const slot = wordBytes(frame.stack.at(0))
  const value = frame.stack.at(1)
  if (substate.touchSlot(owner, slot)) frame.charge(COLD_SLOT_GAS)
  const current = world.storage(owner, slot)
  const original = substate.original(owner, slot, current)
  frame.stack.drop(2)
  if (value === current) {
    frame.charge(WARM_GAS)
    return
  }
  if (current === original) {
    frame.charge(original === 0n ? SLOT_SET_GAS : SLOT_RESET_GAS)
    if (original !== 0n && value === 0n) substate.refund += CLEAR_REFUND
  } else {
    frame.charge(WARM_GAS)
    if (original !== 0n) {
      if (current === 0n) substate.refund -= CLEAR_REFUND
      else if (value === 0n) substate.refund += CLEAR_REFUND
    }
    if (value === original) substate.refund += (original === 0n ? SLOT_SET_GAS : SLOT_RESET_GAS) - WARM_GAS
  }
  world.setStorage(owner, slot, value)
}

/** EIP-6780: what was not created in the same transaction loses its coins alone. */
function selfDestruct(frame: Frame): void {
  frame.requireWritable()
  const { substate, world } = frame.execution
  const heir = addressOfWord(frame.stack.at(0))
  const self = frame.message.to
  const balance = frame.getSelfBalance()
  const isCold = substate.touch(heir)
  frame.charge((isCold ? COLD_ACCOUNT_GAS : 0) + (balance > 0n && isDead(world, heir) ? NEW_ACCOUNT_GAS : 0))
  frame.stack.drop(1)
  const refusal = balance > 0n ? world.refusesValue(heir) : undefined
  if (refusal !== undefined) {
    frame.refuse(refusal)
    return
  }
  const isNew = substate.isCreated(self)
  if (!equalBytes(self, heir)) world.transfer(self, heir, balance)
  else if (isNew) world.burn(self, balance)
  if (isNew) substate.destroy(self)
  frame.end()
}

export const stateInstructions: Readonly<Record<number, Instruction>> = {
  49: (frame) => {
    const address = popAccount(frame)
    frame.stack.push(frame.execution.world.balance(address))
  },
  59: (frame) => {
    const address = popAccount(frame)
    frame.stack.push(BigInt(frame.execution.world.code(address).bytes.length))
  },
  60: (frame) => {
    const address = addressOfWord(frame.stack.at(0))
    frame.charge(accessGas(frame, address))
    frame.stack.drop(1)
    copyIn(frame, frame.execution.world.code(address).bytes)
  },
  63: (frame) => {
    const { world } = frame.execution
    const address = popAccount(frame)
    const hash = world.codeHash(address)
    const none = isDead(world, address) ? 0n : EMPTY_CODE_HASH
    frame.stack.push(hash === undefined ? none : wordOf(hash))
  },
  64: (frame) => {
    const { block, world } = frame.execution
    const number = frame.stack.pop()
    const isRecent = number < block.number && block.number - number <= BLOCKHASH_WINDOW
    frame.stack.push(isRecent ? world.blockHash(number) : 0n)
  },
  84: load,
  85: store,
  92: (frame) => {
    const { substate } = frame.execution
    frame.stack.push(substate.transient(frame.message.to, wordBytes(frame.stack.pop())))
  },
  93: (frame) => {
    frame.requireWritable()
    const slot = wordBytes(frame.stack.at(0))
    const value = frame.stack.at(1)
    frame.stack.drop(2)
    frame.execution.substate.setTransient(frame.message.to, slot, value)
  },
  255: selfDestruct,
}

/** keccak256 of no bytes. */
const EMPTY_CODE_HASH = 0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470n
