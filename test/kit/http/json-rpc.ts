import { WebSocket } from 'ws'
import type { Methods } from '../../../daemon/http/jsonrpc/method.ts'
import {
  type JsonRpcConfig,
  type JsonRpcOptions,
  type JsonRpcServer,
  serveJsonRpc,
} from '../../../daemon/http/jsonrpc/server.ts'
import type { SubscriptionKinds } from '../../../daemon/http/jsonrpc/subscriptions.ts'
import { createMetrics, type Metrics } from '../../../daemon/metrics.ts'
import { PATIENCE } from '../patience.ts'
import { type Answer, ask } from './rest.ts'

export const CHAIN_ID = 7373n
const TAKE_MS = 20_000

/** A JSON-RPC server without a chain, with what a test adds to it. */
export class JsonRpcService {
  readonly server: JsonRpcServer
  readonly metrics: Metrics
  /** What the server reported as its own faults. */
  readonly faults: unknown[]
  readonly #sockets: WebSocketClient[] = []

  private constructor(server: JsonRpcServer, metrics: Metrics, faults: unknown[]) {
    this.server = server
    this.metrics = metrics
    this.faults = faults
  }

  static async start(
    config: Partial<JsonRpcConfig> = {},
    more: { methods?: Methods; subscriptions?: SubscriptionKinds } & Pick<JsonRpcOptions, 'reads'> = {},
  ): Promise<JsonRpcService> {
    const faults: unknown[] = []
    const metrics = createMetrics({ processMetrics: false })
    const server = await serveJsonRpc({
      identity: { chainId: CHAIN_ID, clientVersion: 'Fornax/v0.0.0/test' },
      ...(more.methods && { methods: [more.methods] }),
      ...(more.subscriptions && { subscriptions: more.subscriptions }),
      ...(more.reads && { reads: more.reads }),
      metrics,
      log: { error: (fields, message) => faults.push([message, fields]) },
      config: {
        host: '127.0.0.1',
        port: 0,
        corsOrigins: [],
        vhosts: ['localhost'],
        maxBatch: 100,
        maxBodyBytes: 1_048_576,
        maxAnswerBytes: 1_048_576,
        timeoutMs: 30_000,
        maxConnections: 100,
        maxConnectionsPerClient: 50,
        ...config,
      },
    })
    return new JsonRpcService(server, metrics, faults)
  }

  get port(): number {
    return Number(new URL(this.server.url).port)
  }

  /** Text is sent as it is. */
  post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return ask(this.server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  /** The answer to a call, with the id 1. */
  async call(method: string, params?: unknown): Promise<{ result?: unknown; error?: RpcFault }> {
    const { body } = await this.post({
      jsonrpc: '2.0',
      id: 1,
      method,
      ...(params !== undefined && { params }),
    })
    return body
  }

  async connect(headers: Record<string, string> = {}): Promise<WebSocketClient> {
    const client = new WebSocketClient(this.server.url.replace('http', 'ws'), headers)
    this.#sockets.push(client)
    await client.opened
    return client
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.end()
    await this.server.close()
  }
}

export interface RpcFault {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A client over a WebSocket, which tests read step by step. */
export class WebSocketClient {
  readonly socket: WebSocket
  /** Messages that have come and have not been taken. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  readonly messages: any[] = []
  readonly opened: Promise<void>
  /** Why it is closed; undefined while it is not. */
  closeCode: number | undefined
  #ids = 0

  constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(url, { headers, perMessageDeflate: true })
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('open', resolve)
      this.socket.on('error', reject)
    })
    this.socket.on('message', (data) => this.messages.push(JSON.parse(data.toString())))
    this.socket.on('close', (code) => {
      this.closeCode = code
    })
  }

  /** Text is sent as it is. */
  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** The answer to a call. */
  async call(method: string, params: unknown[] = []): Promise<{ result?: unknown; error?: RpcFault }> {
    const id = ++this.#ids
    this.send({ jsonrpc: '2.0', id, method, params })
    return this.take((message) => message.id === id)
  }

  /** The first message of this kind, which is taken out. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  take(isWanted: (message: any) => boolean = () => true): Promise<any> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error('no such message')), TAKE_MS * PATIENCE)
      const look = (): void => {
        const at = this.messages.findIndex(isWanted)
        if (at < 0) return
        this.socket.off('message', look)
        clearTimeout(limit)
        resolve(this.messages.splice(at, 1)[0])
      }
      this.socket.on('message', look)
      look()
    })
  }

  end(): void {
    this.socket.terminate()
  }
}
