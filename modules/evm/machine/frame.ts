import type { Address } from '../../../core/address.ts'
import { NO_BYTES } from '../../../core/bytes.ts'
import type { Code } from './code.ts'
import { Halt, halts } from './halt.ts'
import { Memory } from './memory.ts'
import { revertReason } from './revert-reason.ts'
import { Stack } from './stack.ts'
import type { Mark, Substate } from './substate.ts'
import { BEYOND, numberOf, WORD, wordOf } from './word.ts'
import type { World } from './world.ts'

/** What a block tells its programs. */
export interface BlockEnvironment {
  readonly number: bigint
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly timestamp: bigint
  readonly coinbase: Address
  readonly prevRandao: Uint8Array
  readonly gasLimit: bigint
  readonly baseFee: bigint
  readonly chainId: bigint
}

/** What a transaction tells its programs. */
export interface TransactionEnvironment {
  readonly origin: Address
  /** Of a gas, in afrx. */
  readonly gasPrice: bigint
}

export type CallKind = 'call' | 'callcode' | 'delegatecall' | 'staticcall' | 'create' | 'create2'

/** A frame to be: a call or a creation. */
export interface Message {
  readonly kind: CallKind
  readonly depth: number
  /** What CALLER answers. */
  readonly caller: Address
  /** Whose storage and balance the program has; of a creation, the new contract's. */
  readonly to: Address
  /** Whose program it is; of a creation, the same as `to`. */
  readonly codeAddress: Address
  /** What CALLVALUE answers; moved but by DELEGATECALL. */
  readonly value: bigint
  /** What the program reads as its input: of a creation, nothing. */
  readonly data: Uint8Array
  /** The program of a creation. */
  readonly initCode?: Uint8Array
  readonly gas: number
  readonly isStatic: boolean
}

/** How a frame ended. */
export interface Outcome {
  readonly message: Message
  /** Absent on success. With `revert` the gas that is left is given back. */
  readonly error?: string
  readonly gasLeft: number
  /** What it returned, or reverted with; of a creation that succeeded, the new program. */
  readonly output: Uint8Array
}

/** What all frames of a transaction share. */
export interface Execution {
  readonly world: World
  readonly block: BlockEnvironment
  readonly transaction: TransactionEnvironment
  readonly substate: Substate
}

/** Throws what ends a frame and takes all its gas. */
export function fail(error: string): never {
  throw new Halt(error)
}

export const outOfGas = (): never => fail(halts.outOfGas)

/** Once a word of memory, and its square over this once more. */
const MEMORY_GAS = 3
const QUADRATIC = 512

const memoryCost = (words: number): number => MEMORY_GAS * words + Math.floor((words * words) / QUADRATIC)

/**
 * A running program. It has the methods, too, that the library's instructions call on their interpreter, so that those
 * which touch neither state nor memory run on it as they are.
 */
export class Frame {
  readonly execution: Execution
  readonly message: Message
  readonly program: Code
  readonly code: Uint8Array
  readonly stack = new Stack()
  readonly memory = new Memory()
  /** Where the substate goes back to, should this frame fail. */
  readonly mark: Mark
  programCounter = 0
  gas: number
  /** Whether it has ended: by STOP, RETURN, SELFDESTRUCT or REVERT. */
  ended = false
  reverted = false
  /** What it returned or reverted with. */
  output: Uint8Array = NO_BYTES
  /** A frame that this one waits for, and where in memory its answer goes. */
  child: Message | undefined
  answerAt = 0
  answerLength = 0
  /** The last child's answer. */
  returned: Uint8Array = NO_BYTES
  #balance: bigint | undefined

  constructor(execution: Execution, message: Message, program: Code, mark: Mark) {
    this.execution = execution
    this.message = message
    this.program = program
    this.code = program.bytes
    this.gas = message.gas
    this.mark = mark
  }

  charge(gas: number): void {
    this.gas -= gas
    if (this.gas < 0) outOfGas()
  }

  /** Pays for memory up to `offset + length`. */
  expand(offset: number, length: number): void {
    if (length === 0) return
    const end = offset + length
    if (end > BEYOND) outOfGas()
    const words = Math.floor((end + WORD - 1) / WORD)
    if (words <= this.memory.words) return
    this.charge(memoryCost(words) - memoryCost(this.memory.words))
    this.memory.grow(words)
  }

  /** Pays for the memory that two words of the stack name, and answers it as numbers. */
  range(depthOfOffset: number, depthOfLength: number): readonly [offset: number, length: number] {
    const length = numberOf(this.stack.at(depthOfLength))
    const offset = length === 0 ? 0 : numberOf(this.stack.at(depthOfOffset))
    this.expand(offset, length)
    return [offset, length]
  }

  /** Throws where the frame may not write. */
  requireWritable(): void {
    if (this.message.isStatic) fail(halts.staticChange)
  }

  end(output: Uint8Array = NO_BYTES): void {
    this.ended = true
    this.output = output
  }

  /** Ends as a program does that reverts with a reason. */
  refuse(reason: string): void {
    this.reverted = true
    this.end(revertReason(reason))
  }

  /** Goes on behind the child: its answer is in `returned`, its gas given back. */
  resume(result: bigint, { gasLeft }: Outcome, returned: Uint8Array): void {
    this.gas += gasLeft
    this.returned = returned
    this.#balance = undefined
    const length = Math.min(this.answerLength, returned.length)
    if (length > 0) this.memory.set(this.answerAt, returned.subarray(0, length))
    this.stack.push(result)
  }

  /** What changes the balance of the running account makes it be read again. */
  forgetBalance(): void {
    this.#balance = undefined
  }

  // The library's names from here on.

  get interpreter(): this {
    return this
  }

  getAddress(): { readonly bytes: Uint8Array } {
    return { bytes: this.message.to }
  }

  getSelfBalance(): bigint {
    this.#balance ??= this.execution.world.balance(this.message.to)
    return this.#balance
  }

  getTxOrigin(): bigint {
    return wordOf(this.execution.transaction.origin)
  }

  getCaller(): bigint {
    return wordOf(this.message.caller)
  }

  getCallValue(): bigint {
    return this.message.value
  }

  getCallDataSize(): bigint {
    return BigInt(this.message.data.length)
  }

  getCodeSize(): bigint {
    return BigInt(this.code.length)
  }

  getReturnDataSize(): bigint {
    return BigInt(this.returned.length)
  }

  getTxGasPrice(): bigint {
    return this.execution.transaction.gasPrice
  }

  getBlockNumber(): bigint {
    return this.execution.block.number
  }

  getBlockCoinbase(): bigint {
    return wordOf(this.execution.block.coinbase)
  }

  getBlockTimestamp(): bigint {
    return this.execution.block.timestamp
  }

  getBlockPrevRandao(): bigint {
    return wordOf(this.execution.block.prevRandao)
  }

  getBlockGasLimit(): bigint {
    return this.execution.block.gasLimit
  }

  getBlockBaseFee(): bigint {
    return this.execution.block.baseFee
  }

  /** This chain has no blobs: their price is the lowest there is. */
  getBlobBaseFee(): bigint {
    return 1n
  }

  getChainId(): bigint {
    return this.execution.block.chainId
  }
}
