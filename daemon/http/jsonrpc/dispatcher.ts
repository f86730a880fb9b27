import type { Json } from '../../../core/wire/json.ts'
import type { Metrics } from '../../metrics.ts'
import type { Reads } from '../../read-turns.ts'
import { networkOf } from '../rate-limit.ts'
import {
  answerTooLarge,
  asJsonRpcError,
  codes,
  type JsonRpcError,
  methodNotFound,
  timedOut,
} from './errors.ts'
import {
  errorText,
  type Message,
  type Messages,
  readMessages,
  resultText,
  unreadableText,
} from './messages.ts'
import type { CallContext, Methods } from './method.ts'
import { Pace } from './pace.ts'
import { parseArguments } from './params.ts'

export interface DispatcherOptions {
  readonly methods: Methods
  readonly reads: Reads
  readonly maxBatch: number
  /** Of the answer to all that came together. */
  readonly maxAnswerBytes: number
  /** For all that came together. */
  readonly timeoutMs: number
  readonly metrics?: Pick<Metrics, 'jsonRpcSeconds' | 'jsonRpcErrors'>
  /** Told of faults of the node. */
  readonly report: (error: unknown, method: string) => void
}

/** Who calls; the rest of the context is each call's. */
export type Session = Omit<CallContext, 'isNotification'>

/** Longer texts are read in turns: they hold the thread. */
const MAX_AT_ONCE = 65_536

/** What metrics call methods that are none, and requests without one. */
const UNKNOWN = 'unknown'

/** Answers what clients send, over whatever they send it. */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #pace = new Pace()

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  /** The answer to a text; nothing where none is due. Never rejects. */
  async answer(text: string, session: Session): Promise<string | undefined> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), this.#options.timeoutMs)
    const leave = (): void => deadline.abort()
    session.signal.addEventListener('abort', leave)
    try {
      return await this.#answerAll(text, { ...session, signal: deadline.signal })
    } catch (error) {
      return unreadableText(this.#refusal(error, UNKNOWN))
    } finally {
      clearTimeout(timer)
      session.signal.removeEventListener('abort', leave)
    }
  }

  async #answerAll(text: string, session: Session): Promise<string | undefined> {
    const { maxBatch, reads } = this.#options
    const read = (): Messages => readMessages(text, maxBatch)
    await this.#pace.text(Math.min(text.length, MAX_AT_ONCE))
    const { isBatch, list } =
      text.length > MAX_AT_ONCE
        ? await beforeAbort(session.signal, reads.run(networkOf(session.client), read))
        : read()
    let room = this.#options.maxAnswerBytes
    const answers: string[] = []
    for (const message of list) {
      await this.#pace.call()
      const answer = await this.#answer(message, session, room)
      if (answer === undefined) continue
      answers.push(answer)
      room -= Buffer.byteLength(answer)
    }
    if (answers.length === 0) return undefined
    return isBatch ? `[${answers.join(',')}]` : answers[0]
  }

  async #answer(message: Message, session: Session, room: number): Promise<string | undefined> {
    if (message.kind === 'invalid') return errorText(message.id, this.#refusal(message.error, UNKNOWN))
    const isKnown = Object.hasOwn(this.#options.methods, message.method)
    const label = isKnown ? message.method : UNKNOWN
    const ended = this.#options.metrics?.jsonRpcSeconds.startTimer({ method: label })
    try {
      if (room <= 0) throw answerTooLarge()
      if (session.signal.aborted) throw timedOut()
      const result = JSON.stringify(await beforeAbort(session.signal, this.#run(message, session)))
      if (message.kind === 'notification') return undefined
      const answer = resultText(message.id, result)
      if (Buffer.byteLength(answer) > room) throw answerTooLarge()
      return answer
    } catch (error) {
      const refused = this.#refusal(error, label)
      return message.kind === 'notification' ? undefined : errorText(message.id, refused)
    } finally {
      ended?.()
    }
  }

  async #run(message: Exclude<Message, { kind: 'invalid' }>, session: Session): Promise<Json> {
    const { methods, reads } = this.#options
    const method = Object.hasOwn(methods, message.method) ? methods[message.method] : undefined
    if (method === undefined) throw methodNotFound(message.method)
    const args = parseArguments(method.params, message.params)
    const context: CallContext = { ...session, isNotification: message.kind === 'notification' }
    if (method.turn === undefined) return method.run(context, args)
    const run = (): Json | Promise<Json> => {
      // Whoever has left while it waited for its turn.
      if (session.signal.aborted) throw timedOut()
      return method.run(context, args)
    }
    return reads.run(networkOf(session.client), run, method.turn)
  }

  #refusal(thrown: unknown, method: string): JsonRpcError {
    const error = asJsonRpcError(thrown, (fault) => this.#options.report(fault, method))
    this.#options.metrics?.jsonRpcErrors.inc({ method, code: `${labelOf(error.code)}` })
    return error
  }
}

const KNOWN_CODES: readonly number[] = Object.values(codes)

/** Codes that methods give are as many as they like; metrics tell them apart no further. */
const labelOf = (code: number): number => (KNOWN_CODES.includes(code) ? code : codes.refused)

/** What `promise` does, or a JsonRpcError as soon as the signal is aborted. */
function beforeAbort<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(timedOut())
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
