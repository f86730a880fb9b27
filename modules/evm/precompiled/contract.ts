import { EVMError, type ExecResult, type PrecompileFunc } from '@ethereumjs/evm'
import { NO_BYTES } from '../../../core/bytes.ts'

/** Why a precompiled contract fails: with all the gas that it was given, and no bytes. */
export type Failure = keyof typeof EVMError.errorMessages

export interface Contract {
  /** What the input costs by Osaka's rules, or why it has no price. Takes next to no time, whatever the input. */
  readonly gas: (data: Uint8Array) => bigint | Failure
  /** Asked only where the gas was given. The bytes are the caller's; a throw is no answer and ends the node. */
  readonly run: (data: Uint8Array) => Uint8Array | Failure
}

/** The contract as @ethereumjs/evm calls it. */
export function precompile({ gas, run }: Contract): PrecompileFunc {
  return ({ data, gasLimit }) => {
    const price = gas(data)
    if (typeof price === 'string') return failed(price, gasLimit)
    if (price > gasLimit) return failed('OUT_OF_GAS', gasLimit)
    const returnValue = run(data)
    if (typeof returnValue === 'string') return failed(returnValue, gasLimit)
    return { executionGasUsed: price, returnValue }
  }
}

const failed = (failure: Failure, gasLimit: bigint): ExecResult => ({
  executionGasUsed: gasLimit,
  returnValue: NO_BYTES,
  exceptionError: new EVMError(EVMError.errorMessages[failure]),
})

/** 32 bytes that say 0 or 1. */
export function truth(value: boolean): Uint8Array {
  const out = new Uint8Array(32)
  if (value) out[31] = 1
  return out
}

/** `length` bytes from `start`, with zeros for those that `data` lacks. */
export function padded(data: Uint8Array, start: number, length: number): Uint8Array {
  const out = new Uint8Array(length)
  out.set(data.subarray(start, start + length))
  return out
}

export function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] !== 0) return false
  return true
}
