import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../../core/log.ts'
import type { Metrics } from '../../metrics.ts'
import { Reads } from '../../read-turns.ts'
import { COMPRESSION } from '../compression.ts'
import { HttpError } from '../errors.ts'
import { hardenedServer, refuseOtherMethods, urlOf } from '../hardened-server.ts'
import { requireUtf8 } from '../json-body.ts'
import { Dispatcher } from './dispatcher.ts'
import { httpErrorBody } from './errors.ts'
import type { Methods } from './method.ts'
import { type Identity, identityMethods, moduleMethods } from './namespaces/identity.ts'
import { subscribeMethods } from './namespaces/subscribe.ts'
import { requireAllowedOrigin, requireKnownHost } from './origin.ts'
import type { SubscriptionKinds } from './subscriptions.ts'
import { type WebSocketLimits, WebSockets } from './web-sockets.ts'

export interface JsonRpcConfig extends Omit<WebSocketLimits, 'maxMessageBytes'> {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** Web pages of these origins may read answers and open WebSockets; `*` for all. */
  readonly corsOrigins: readonly string[]
  /** Names that the node goes by beside `host`; `*` for any. */
  readonly vhosts: readonly string[]
  readonly maxBatch: number
  /** Of a body or a message of a WebSocket. */
  readonly maxBodyBytes: number
  readonly maxAnswerBytes: number
  readonly timeoutMs: number
  /** How long a client may take to send a request over HTTP. Default 15,000. */
  readonly requestTimeoutMs?: number
  /** How long a client may take no byte of an answer over HTTP, beyond the time that the answer may take. Default 60,000. */
  readonly idleTimeoutMs?: number
}

export interface JsonRpcOptions {
  readonly config: JsonRpcConfig
  readonly identity: Identity
  /** Methods beside those that every server has. */
  readonly methods?: readonly Methods[]
  /** What can be subscribed to. */
  readonly subscriptions?: SubscriptionKinds
  /** By which whatever reads the state takes turns; by default this server's own. */
  readonly reads?: Reads
  readonly log: Pick<Log, 'error'>
  readonly metrics?: Pick<
    Metrics,
    'jsonRpcSeconds' | 'jsonRpcErrors' | 'jsonRpcConnections' | 'jsonRpcSubscriptions'
  >
}

export interface JsonRpcServer {
  /** `http://host:port`; WebSockets are at the same port. */
  readonly url: string
  close(): Promise<void>
}

const PATH = '/'
/** As geth has them. Any other could be sent by a web page without its browser asking the node first. */
const CONTENT_TYPES = ['application/json', 'application/json-rpc', 'application/jsonrequest']
/** For what is not told by the time that calls may take. */
const MARGIN_MS = 5000
const IDLE_MS = 60_000

/** Serves Ethereum's JSON-RPC over HTTP and WebSockets. Rejects where it cannot listen. */
export async function serveJsonRpc(options: JsonRpcOptions): Promise<JsonRpcServer> {
  const { config, log } = options
  const report = (error: unknown, method?: string): void =>
    log.error({ err: error, ...(method !== undefined && { method }) }, 'a JSON-RPC call failed')
  const dispatcher = new Dispatcher({
    ...config,
    methods: methodsOf(options),
    reads: options.reads ?? new Reads(),
    report,
    ...(options.metrics && { metrics: options.metrics }),
  })
  const webSockets = new WebSockets({
    ...config,
    dispatcher,
    maxMessageBytes: config.maxBodyBytes,
    report,
    ...(options.metrics && { metrics: options.metrics }),
  })
  const hosts = [...config.vhosts, config.host]
  const server = hardenedServer({
    headers: {},
    maxBodyBytes: config.maxBodyBytes,
    handlerTimeoutMs: config.timeoutMs + MARGIN_MS,
    idleTimeoutMs: config.timeoutMs + (config.idleTimeoutMs ?? IDLE_MS),
    ...(config.requestTimeoutMs !== undefined && { requestTimeoutMs: config.requestTimeoutMs }),
    parseQueryString: () => ({}),
    unknownRoute: () => new HttpError(404, 'unknown_route', `JSON-RPC is at ${PATH}`),
    bodyOf: httpErrorBody,
    report,
    onWebSocket: (request: IncomingMessage, socket: Socket, head: Buffer) => {
      requireKnownHost(request.headers.host, hosts)
      requireAllowedOrigin(request, config.corsOrigins)
      if (request.url?.split('?')[0] !== PATH)
        throw new HttpError(404, 'unknown_route', `WebSockets are at ${PATH}`)
      webSockets.take(request, socket, head)
    },
  })
  server.addHook('onRequest', async ({ headers }) => requireKnownHost(headers.host, hosts))
  readTexts(server)
  await server.register(compress, COMPRESSION)
  if (config.corsOrigins.length > 0)
    await server.register(cors, {
      origin: config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins],
      methods: ['GET', 'HEAD', 'POST'],
      maxAge: 600,
    })
  server.get(PATH, (_request, reply) => reply.send(welcome(options.identity)))
  server.post(PATH, (request, reply) => answer(dispatcher, request, reply))
  refuseOtherMethods(server, PATH, new Set(['GET', 'POST']))
  await server.listen({ host: config.host, port: config.port })
  return {
    url: urlOf(server, config.host),
    close: async () => {
      await webSockets.close()
      await server.close()
    },
  }
}

/** Throws where two are of one name. */
function methodsOf({ identity, methods = [], subscriptions = {} }: JsonRpcOptions): Methods {
  const all: Record<string, Methods[string]> = {}
  for (const namespace of [identityMethods(identity), subscribeMethods(subscriptions), ...methods])
    for (const [name, method] of Object.entries(namespace)) {
      if (Object.hasOwn(all, name)) throw new Error(`${name} is there twice`)
      all[name] = method
    }
  return { ...all, ...moduleMethods(all) }
}

/** Has bodies of JSON taken as they are, whose faults are for JSON-RPC to tell. */
function readTexts(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    CONTENT_TYPES,
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      requireUtf8(request.headers['content-type'])
      return text
    },
  )
}

async function answer(
  dispatcher: Dispatcher,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  const text = typeof request.body === 'string' ? request.body : ''
  const answered = await dispatcher.answer(text, { client: request.ip, signal: left.signal })
  if (answered === undefined) return reply.code(204).send()
  return reply.type('application/json; charset=utf-8').send(answered)
}

/** For whoever opens the address in a browser, and for checks of health. */
const welcome = ({ chainId, clientVersion }: Identity) => ({
  service: 'Ethereum JSON-RPC 2.0',
  client: clientVersion,
  chain_id: Number(chainId),
  usage: 'POST requests here as application/json, or open a WebSocket at the same address',
  example: { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
})
