import type { Duplex } from 'node:stream'
import { ProtocolError } from './errors.ts'
import type { Exclusion } from './exclusion.ts'
import { FrameReader } from './frames.ts'
import type { AbciHandler, AbciLog } from './handler.ts'
import { frameResponse, readRequest } from './messages.ts'
import type { Method, MethodName } from './methods.ts'
import type { Turns, Worker } from './turns.ts'

/** The parts that all connections of a server share. */
export interface Shared {
  readonly handler: AbciHandler
  readonly log: AbciLog
  readonly maxFrameBytes: number
  readonly maxWaitingBytes: number
  readonly exclusion: Exclusion
  readonly turns: Turns
  readonly observe: ((method: MethodName, seconds: number) => void) | undefined
  /** The application threw where the peer gets an answer all the same. */
  report(error: unknown, method: MethodName): void
  /** The application threw where no answer can be given. From then on `failed` is true. */
  fail(error: unknown, method: MethodName): void
  readonly failed: boolean
  /** Told before and after every call of the handler. */
  callStarted(): void
  callEnded(): void
}

/** Responses are handed to the socket in pieces of about this size. */
const WRITE_BYTES = 64 * 1024

/**
 * One peer: its requests are taken one after the other and answered in that order. Where exclusive calls come they are
 * taken as they are read; on other connections in turns.
 */
export class Connection implements Worker {
  readonly #socket: Duplex
  readonly #id: number
  readonly #shared: Shared
  readonly #reader: FrameReader
  #out: Uint8Array[] = []
  #outBytes = 0
  #calling = false
  #stepping = false
  /** No whole request has come since the last one was taken. */
  #starved = false
  /** The bytes that have come so far. */
  #carries: 'consensus' | 'mempool' | undefined
  #draining = false
  #closed = false

  constructor(socket: Duplex, id: number, shared: Shared) {
    this.#socket = socket
    this.#id = id
    this.#shared = shared
    this.#reader = new FrameReader(shared.maxFrameBytes)
    socket.on('data', (chunk: Uint8Array) => {
      this.#reader.push(chunk)
      this.#starved = false
      this.wake()
    })
    socket.on('drain', () => {
      this.#draining = false
      this.wake()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      shared.log.debug({ connection: id, code: error.code }, 'abci connection broke')
    })
    socket.on('close', () => {
      this.#closed = true
      shared.log.debug({ connection: id }, 'abci connection closed')
    })
  }

  close(): void {
    this.#closed = true
    this.#socket.destroy()
  }

  /** Something has changed: goes on with what waits, at once or in a turn. */
  wake(): void {
    if (this.#stepping) return
    if (this.#carries === 'consensus') while (this.step());
    else if (this.#reader.bufferedBytes > 0 && this.#isFree()) this.#shared.turns.add(this)
    this.rest()
  }

  step(): boolean {
    if (!this.#isFree()) return false
    this.#stepping = true
    try {
      const frame = this.#reader.next()
      this.#starved = frame === undefined
      if (frame === undefined) return false
      this.#take(frame)
      return true
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#refuse(error)
      return false
    } finally {
      this.#stepping = false
    }
  }

  rest(): void {
    this.#flush()
    this.#throttle()
  }

  /** Whether the next request may be taken. */
  #isFree(): boolean {
    if (this.#calling || this.#draining || this.#closed || this.#shared.failed) return false
    return this.#carries !== 'mempool' || !this.#shared.exclusion.taken
  }

  #take(frame: Uint8Array): void {
    const incoming = readRequest(frame)
    if (incoming.method === undefined) {
      this.#write(incoming.answer)
      return
    }
    const { method, request } = incoming
    if (method.exclusive) this.#carries = 'consensus'
    else if (method.mempool) this.#carries ??= 'mempool'
    this.#calling = true
    if (method.exclusive) this.#shared.exclusion.enter(() => this.#call(method, request))
    else this.#call(method, request)
  }

  #call(method: Method<unknown, unknown>, request: unknown): void {
    const { handler, observe, failed } = this.#shared
    if (failed || this.#closed) {
      this.#done(method)
      return
    }
    this.#shared.callStarted()
    const start = observe ? performance.now() : 0
    let reply: unknown
    try {
      reply = method.call(handler, request)
    } catch (error) {
      this.#ended(method, start)
      this.#answerError(method, error)
      return
    }
    if (!isPromise(reply)) {
      this.#ended(method, start)
      this.#answer(method, reply)
      return
    }
    reply.then(
      (response) => {
        this.#ended(method, start)
        this.#answer(method, response)
      },
      (error: unknown) => {
        this.#ended(method, start)
        this.#answerError(method, error)
      },
    )
  }

  #ended(method: Method<unknown, unknown>, start: number): void {
    this.#shared.observe?.(method.name, (performance.now() - start) / 1000)
    this.#shared.callEnded()
  }

  #answer(method: Method<unknown, unknown>, response: unknown): void {
    let frame: Uint8Array
    try {
      frame = frameResponse(method.responseField, method.encode(response))
    } catch (error) {
      this.#answerError(method, error)
      return
    }
    this.#write(frame)
    this.#done(method)
  }

  #answerError(method: Method<unknown, unknown>, error: unknown): void {
    if (method.onError === undefined) {
      this.#shared.fail(error, method.name)
    } else {
      this.#shared.report(error, method.name)
      this.#write(frameResponse(method.responseField, method.encode(method.onError)))
    }
    this.#done(method)
  }

  #done(method: Method<unknown, unknown>): void {
    this.#calling = false
    if (method.exclusive) this.#shared.exclusion.leave()
    this.wake()
  }

  #write(frame: Uint8Array): void {
    if (this.#closed || this.#shared.failed) return
    this.#out.push(frame)
    this.#outBytes += frame.length
    if (this.#outBytes >= WRITE_BYTES) this.#flush()
  }

  #flush(): void {
    if (this.#outBytes === 0 || this.#closed) return
    const [only] = this.#out
    const bytes = this.#out.length === 1 && only ? only : Buffer.concat(this.#out, this.#outBytes)
    this.#out = []
    this.#outBytes = 0
    if (!this.#socket.write(bytes)) this.#draining = true
  }

  #throttle(): void {
    if (this.#closed) return
    if (!this.#starved && this.#reader.bufferedBytes > this.#shared.maxWaitingBytes) this.#socket.pause()
    else if (this.#socket.isPaused()) this.#socket.resume()
  }

  #refuse(error: ProtocolError): void {
    const cause = error.cause instanceof Error ? error.cause.message : undefined
    this.#shared.log.warn(
      { connection: this.#id, reason: error.message, ...(cause === undefined ? {} : { cause }) },
      'abci connection closed: not an ABCI peer',
    )
    this.#out = []
    this.#outBytes = 0
    this.close()
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
