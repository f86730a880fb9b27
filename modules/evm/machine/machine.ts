import { NO_BYTES, toLatin1 } from '../../../core/bytes.ts'
import { rethrowExhaustion } from '../../../core/error.ts'
import { Code } from './code.ts'
import { delegateOf } from './delegation.ts'
import { type Execution, Frame, type Message, type Outcome } from './frame.ts'
import { haltOf, halts } from './halt.ts'
import type { Instruction } from './instructions/instruction.ts'
import { revertReason } from './revert-reason.ts'
import type { Mark } from './substate.ts'
import { wordOf } from './word.ts'

export const MAX_CODE_BYTES = 24_576
const CODE_BYTE_GAS = 200
/** No program begins with it (EIP-3541). */
const RESERVED = 0xef

const REVERT = halts.reverted

/** A contract that is no program: what it does to the state stands or falls with its frame. */
export type Precompile = (execution: Execution, message: Message) => Omit<Outcome, 'message'>

/** Told of what a transaction does, step by step. */
export interface Tracer {
  enter?(message: Message): void
  leave?(outcome: Outcome): void
  /** Before an instruction: `frame` is as it meets it but for the counter, which is `at`. */
  step?(frame: Frame, at: number, op: number): void
  /** Behind it, with the error that ended its frame. */
  stepped?(frame: Frame, error?: string): void
}

export interface InstructionSet {
  readonly instructions: readonly Instruction[]
  /** Constant gas of each. */
  readonly gas: Uint16Array
}

/**
 * Runs messages to their end. Nothing here waits, and no call of a program is one of JavaScript: how deep the stack of this
 * process may be shows in no result.
 */
export class Machine {
  readonly #instructions: readonly Instruction[]
  readonly #gas: Uint16Array
  readonly #precompiles: ReadonlyMap<string, Precompile>

  /** Of the precompiles, as Latin-1. */
  get precompileAddresses(): Iterable<string> {
    return this.#precompiles.keys()
  }

  constructor({ instructions, gas }: InstructionSet, precompiles: ReadonlyMap<string, Precompile>) {
    this.#instructions = instructions
    this.#gas = gas
    this.#precompiles = precompiles
  }

  /** A throw is a fault of the program's, never the message's: what is open then is left open. */
  run(execution: Execution, message: Message, tracer?: Tracer): Outcome {
    const frames: Frame[] = []
    let entering: Message | undefined = message
    for (;;) {
      let outcome: Outcome | undefined
      if (entering !== undefined) {
        tracer?.enter?.(entering)
        const entered = this.#enter(execution, entering)
        entering = undefined
        if (entered instanceof Frame) frames.push(entered)
        else outcome = entered
      }
      if (outcome === undefined) {
        const frame = frames.at(-1)!
        outcome = tracer === undefined ? this.#advance(frame) : this.#trace(frame, tracer)
        if (outcome === undefined) {
          entering = frame.child
          frame.child = undefined
          continue
        }
        frames.pop()
      }
      tracer?.leave?.(outcome)
      const waiting = frames.at(-1)
      if (waiting === undefined) return outcome
      resume(waiting, outcome)
    }
  }

  /** Opens a frame, or answers at once where there is nothing to run. */
  #enter(execution: Execution, message: Message): Frame | Outcome {
    const { world, substate } = execution
    const isCreation = message.initCode !== undefined
    if (isCreation && isTaken(execution, message))
      return { message, error: halts.collision, gasLeft: 0, output: NO_BYTES }
    const mark = substate.mark()
    world.checkpoint()
    if (isCreation) {
      world.setNonce(message.to, 1n)
      world.created(message.to)
      substate.create(message.to)
    }
    if (message.value > 0n && message.kind !== 'delegatecall' && message.kind !== 'callcode') {
      const refusal = world.refusesValue(message.to)
      if (refusal !== undefined)
        return leave(execution, mark, {
          message,
          error: REVERT,
          gasLeft: message.gas,
          output: revertReason(refusal),
        })
      world.transfer(message.caller, message.to, message.value)
    }
    if (message.initCode !== undefined) return new Frame(execution, message, new Code(message.initCode), mark)
    const precompile = this.#precompiles.get(toLatin1(message.codeAddress))
    if (precompile !== undefined)
      return leave(execution, mark, { message, ...precompile(execution, message) })
    const own = world.code(message.codeAddress)
    const delegate = delegateOf(own)
    const program = delegate === undefined ? own : world.code(delegate)
    if (program.bytes.length === 0)
      return leave(execution, mark, { message, gasLeft: message.gas, output: NO_BYTES })
    return new Frame(execution, message, program, mark)
  }

  /** Runs a frame until it ends, or waits for a child: nothing is answered then. */
  #advance(frame: Frame): Outcome | undefined {
    const { code } = frame
    const instructions = this.#instructions
    const gas = this.#gas
    try {
      while (!frame.ended) {
        const at = frame.programCounter
        if (at >= code.length) break
        const op = code[at]!
        frame.programCounter = at + 1
        frame.charge(gas[op]!)
        instructions[op]!(frame)
        if (frame.child !== undefined) return undefined
      }
    } catch (error) {
      rethrowExhaustion(error)
      return failed(frame, error)
    }
    return finish(frame)
  }

  #trace(frame: Frame, tracer: Tracer): Outcome | undefined {
    try {
      while (!frame.ended) {
        const at = frame.programCounter
        const op = frame.code[at] ?? 0
        tracer.step?.(frame, at, op)
        frame.programCounter = at + 1
        frame.charge(this.#gas[op]!)
        this.#instructions[op]!(frame)
        tracer.stepped?.(frame)
        if (frame.child !== undefined) return undefined
      }
    } catch (error) {
      rethrowExhaustion(error)
      const outcome = failed(frame, error)
      tracer.stepped?.(frame, outcome.error)
      return outcome
    }
    return finish(frame)
  }
}

/** An account with a nonce, a program or storage is none to create (EIP-684, EIP-7610). */
const isTaken = ({ world }: Execution, { to }: Message): boolean =>
  world.nonce(to) !== 0n || world.codeHash(to) !== undefined || world.hasStorage(to)

/** Keeps what the frame did, or takes it back. */
function leave({ world, substate }: Execution, mark: Mark, outcome: Outcome): Outcome {
  if (outcome.error === undefined) world.commit()
  else {
    world.revert()
    substate.revert(mark)
  }
  return outcome
}

function failed({ execution, message, mark }: Frame, error: unknown): Outcome {
  const halt = haltOf(error)
  if (halt === undefined) throw error
  return leave(execution, mark, { message, error: halt, gasLeft: 0, output: NO_BYTES })
}

function finish(frame: Frame): Outcome {
  const { execution, message, mark, gas: gasLeft, output } = frame
  if (frame.reverted) return leave(execution, mark, { message, error: REVERT, gasLeft, output })
  if (message.initCode !== undefined) return deposit(frame)
  return leave(execution, mark, { message, gasLeft, output })
}

/** The new contract's program is what its creation returned. */
function deposit({ execution, message, mark, gas, output }: Frame): Outcome {
  const refuse = (error: string): Outcome =>
    leave(execution, mark, { message, error, gasLeft: 0, output: NO_BYTES })
  if (output.length > MAX_CODE_BYTES) return refuse(halts.codeTooLong)
  if (output[0] === RESERVED) return refuse(halts.invalidCode)
  const gasLeft = gas - CODE_BYTE_GAS * output.length
  if (gasLeft < 0) return refuse(halts.depositOutOfGas)
  if (output.length > 0) execution.world.setCode(message.to, output)
  return leave(execution, mark, { message, gasLeft, output })
}

function resume(frame: Frame, outcome: Outcome): void {
  const { message, error, output } = outcome
  if (error !== undefined) frame.resume(0n, outcome, error === REVERT ? output : NO_BYTES)
  else if (message.initCode !== undefined) frame.resume(wordOf(message.to), outcome, NO_BYTES)
  else frame.resume(1n, outcome, output)
}
