import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Metrics } from '../../metrics.ts'
import { HttpError } from '../errors.ts'
import { networkOf } from '../rate-limit.ts'
import { Connection } from './connection.ts'
import type { Dispatcher } from './dispatcher.ts'

export interface WebSocketLimits {
  /** Of one message. */
  readonly maxMessageBytes: number
  readonly maxConnections: number
  readonly maxConnectionsPerClient: number
  /** Between two signs of life that a connection is asked for; without one it is closed. Default 30,000. */
  readonly pingMs?: number
  /** See Connection. Default 4 MiB. */
  readonly maxUnreadBytes?: number
}

export interface WebSocketsOptions extends WebSocketLimits {
  readonly dispatcher: Dispatcher
  readonly metrics?: Pick<Metrics, 'jsonRpcConnections' | 'jsonRpcSubscriptions'>
  /** Told of faults of the node. */
  readonly report: (error: unknown) => void
}

const PING_MS = 30_000
const MAX_UNREAD_BYTES = 4_194_304
/** How long clients may take to close when the node stops. */
const CLOSING_MS = 500

/** The connections of clients that speak JSON-RPC over WebSockets. */
export class WebSockets {
  readonly #options: WebSocketsOptions
  readonly #server: WebSocketServer
  readonly #connections = new Set<Connection>()
  readonly #countOf = new Map<string, number>()
  readonly #pings: NodeJS.Timeout

  constructor(options: WebSocketsOptions) {
    this.#options = options
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: options.maxMessageBytes,
      // A few bytes could become gigabytes.
      perMessageDeflate: false,
    })
    this.#pings = setInterval(() => {
      for (const connection of this.#connections) connection.check()
    }, options.pingMs ?? PING_MS)
  }

  /** Takes a connection over. Throws an HttpError where there are too many. */
  take(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const client = request.socket.remoteAddress ?? ''
    const network = networkOf(client)
    const { maxConnections, maxConnectionsPerClient } = this.#options
    if (this.#connections.size >= maxConnections)
      throw new HttpError(503, 'too_many_connections', 'too many connections')
    if ((this.#countOf.get(network) ?? 0) >= maxConnectionsPerClient)
      throw new HttpError(429, 'too_many_connections', 'too many connections of this client')
    this.#server.handleUpgrade(request, socket, head, (webSocket) => this.#open(webSocket, client))
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    clearInterval(this.#pings)
    for (const connection of this.#connections) connection.close()
    const until = performance.now() + CLOSING_MS
    while (this.#connections.size > 0 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 10))
    for (const connection of this.#connections) connection.terminate()
  }

  #open(webSocket: WebSocket, client: string): void {
    const { dispatcher, metrics, report, maxMessageBytes, maxUnreadBytes = MAX_UNREAD_BYTES } = this.#options
    const network = networkOf(client)
    const count = (by: 1 | -1): void => {
      const others = (this.#countOf.get(network) ?? 0) + by
      if (others > 0) this.#countOf.set(network, others)
      else this.#countOf.delete(network)
      metrics?.jsonRpcConnections.inc(by)
    }
    const connection = new Connection(webSocket, {
      client,
      dispatcher,
      maxWaitingBytes: maxMessageBytes,
      maxUnreadBytes,
      onSubscription: (kind, by) => metrics?.jsonRpcSubscriptions.inc({ kind }, by),
      onClose: () => {
        this.#connections.delete(connection)
        count(-1)
      },
      report,
    })
    this.#connections.add(connection)
    count(1)
  }
}
