import { setMaxListeners } from 'node:events'
import type { RawData, WebSocket } from 'ws'
import type { Dispatcher } from './dispatcher.ts'
import { Subscriptions, type SubscriptionsOptions } from './subscriptions.ts'

/** Messages of one connection that are answered at a time. */
const MAX_UNDER_WAY = 16

/** Close codes of RFC 6455. */
const GOING_AWAY = 1001
const INTERNAL_ERROR = 1011

export interface ConnectionOptions {
  /** Network address. */
  readonly client: string
  readonly dispatcher: Dispatcher
  /** Bytes that may wait to be answered before no more are read. */
  readonly maxWaitingBytes: number
  /**
   * Bytes that may wait for a slow reader. Of answers: no more messages are read until they have gone. Of notifications: the
   * connection is closed.
   */
  readonly maxUnreadBytes: number
  readonly onSubscription: SubscriptionsOptions['onChange']
  readonly onClose: () => void
  /** Told of faults of the node. */
  readonly report: (error: unknown) => void
}

/** A client over a WebSocket. It may ask before it has the last answer; who asks faster than it reads is not read from. */
export class Connection {
  readonly #socket: WebSocket
  readonly #options: ConnectionOptions
  readonly #left = new AbortController()
  readonly #subscriptions: Subscriptions
  readonly #waiting: string[] = []
  #underWay = 0
  /** Of the messages that wait and those under way. */
  #bytes = 0
  /** Of the notifications that have not gone yet. */
  #toldBytes = 0
  #wasHeard = true
  #unreadBefore = 0

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket
    this.#options = options
    this.#subscriptions = new Subscriptions({
      send: (text) => this.#tell(text),
      onChange: options.onSubscription,
    })
    // One for each message under way.
    setMaxListeners(0, this.#left.signal)
    socket.on('message', (data) => this.#take(data))
    socket.on('pong', () => {
      this.#wasHeard = true
    })
    // What is no WebSocket frame, or too large a one: `close` follows.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#left.abort()
      this.#waiting.length = 0
      this.#subscriptions.close()
      options.onClose()
    })
  }

  /** Closes a connection from which nothing has come since the last check, and asks for a sign of life. */
  check(): void {
    const unread = this.#socket.bufferedAmount
    const isOurTurn = this.#socket.isPaused && unread < this.#options.maxUnreadBytes
    if (!this.#wasHeard && !isOurTurn && unread >= this.#unreadBefore) {
      this.#socket.terminate()
      return
    }
    this.#wasHeard = false
    this.#unreadBefore = unread
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }

  /** Says that the node goes away. */
  close(): void {
    this.#socket.close(GOING_AWAY, 'the node stops')
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #take(data: RawData): void {
    this.#wasHeard = true
    const text = data.toString()
    this.#bytes += text.length
    this.#waiting.push(text)
    this.#work()
  }

  /** Begins what may begin, and reads on unless too much waits. */
  #work(): void {
    while (this.#waiting.length > 0 && this.#underWay < MAX_UNDER_WAY && !this.#isReaderSlow) {
      this.#underWay++
      void this.#answer(this.#waiting.shift()!)
    }
    const isFull =
      this.#waiting.length > 0 || this.#bytes > this.#options.maxWaitingBytes || this.#isReaderSlow
    if (isFull) this.#socket.pause()
    else if (this.#socket.isPaused) this.#socket.resume()
  }

  get #isReaderSlow(): boolean {
    return this.#socket.bufferedAmount >= this.#options.maxUnreadBytes
  }

  async #answer(text: string): Promise<void> {
    const begin: (() => void)[] = []
    try {
      const answer = await this.#options.dispatcher.answer(text, {
        client: this.#options.client,
        signal: this.#left.signal,
        subscriptions: this.#subscriptions,
        afterAnswer: (act) => begin.push(act),
      })
      if (answer !== undefined) this.#socket.send(answer, () => this.#work())
      for (const act of begin) act()
    } catch (error) {
      this.#options.report(error)
      this.#socket.close(INTERNAL_ERROR)
    }
    this.#underWay--
    this.#bytes -= text.length
    this.#work()
  }

  /** Sends what was not asked for. */
  #tell(text: string): void {
    const { length } = text
    if (this.#toldBytes + length > this.#options.maxUnreadBytes) {
      this.#socket.terminate()
      return
    }
    this.#toldBytes += length
    this.#socket.send(text, () => {
      this.#toldBytes -= length
    })
  }
}
