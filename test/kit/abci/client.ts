import { connect, type Socket } from 'node:net'
import { Request, Response } from 'cosmjs-types/tendermint/abci/types'

interface Pending {
  resolve(response: Response): void
  reject(error: Error): void
}

/** Reads an unsigned varint at the front; `undefined` while it is incomplete. */
function readLength(bytes: Buffer): { value: number; size: number } | undefined {
  let value = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    value += (byte & 127) * 2 ** (7 * i)
    if (byte < 128) return { value, size: i + 1 }
  }
  return undefined
}

/** A length-prefixed frame around `body`. */
export function frame(body: Uint8Array): Buffer {
  const prefix: number[] = []
  for (let rest = body.length; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      prefix.push(rest)
      return Buffer.concat([Buffer.from(prefix), body])
    }
    prefix.push((rest % 128) + 128)
  }
}

/** The framed form of a request. */
export function encodeRequest(request: Request): Buffer {
  return frame(Request.encode(request).finish())
}

/** An ABCI peer as CometBFT is one: a connection whose answers come in the order of its requests. */
export class AbciClient {
  readonly #socket: Socket
  readonly #pending: Pending[] = []
  readonly #answers: Response[] = []
  #received: Buffer = Buffer.alloc(0)
  readonly closed: Promise<void>

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', () => {})
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        for (const pending of this.#pending.splice(0)) pending.reject(new Error('connection closed'))
        resolve()
      })
    })
  }

  /** @param address `unix:///path` or `tcp://host:port` */
  static connect(address: string): Promise<AbciClient> {
    const tcp = /^tcp:\/\/(.+):(\d+)$/.exec(address)
    const socket = tcp?.[1] ? connect(Number(tcp[2]), tcp[1]) : connect(address.slice('unix://'.length))
    return new Promise((resolve, reject) => {
      socket.once('connect', () => resolve(new AbciClient(socket)))
      socket.once('error', reject)
    })
  }

  get socket(): Socket {
    return this.#socket
  }

  /** Sends a request; the next answer not yet awaited is taken for its own. */
  call(request: Request): Promise<Response> {
    this.#socket.write(encodeRequest(request))
    return this.next()
  }

  /** The next answer that no one waits for yet. */
  next(): Promise<Response> {
    const answer = this.#answers.shift()
    if (answer) return Promise.resolve(answer)
    return new Promise((resolve, reject) => this.#pending.push({ resolve, reject }))
  }

  /** Sends bytes as they are. */
  send(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  close(): Promise<void> {
    this.#socket.destroy()
    return this.closed
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length > 0 ? Buffer.concat([this.#received, chunk]) : chunk
    for (;;) {
      const length = readLength(this.#received)
      if (length === undefined || this.#received.length < length.size + length.value) return
      const end = length.size + length.value
      const response = Response.decode(new Uint8Array(this.#received.subarray(length.size, end)))
      this.#received = this.#received.subarray(end)
      const pending = this.#pending.shift()
      if (pending) pending.resolve(response)
      else this.#answers.push(response)
    }
  }
}
