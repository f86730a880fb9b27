import { isIP, type Socket } from 'node:net'
import cors from '@fastify/cors'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Log } from '../../../core/log.ts'
import type { AgentSigner } from '../../agents/agent-signer.ts'
import type { Chain } from '../../app/chain.ts'
import { QUERY_GAS } from '../../app/query-meter.ts'
import type { CometRpc } from '../../comet/rpc.ts'
import type { Metrics } from '../../metrics.ts'
import { Reads } from '../../reads.ts'
import type { EventFeed } from '../events/event-feed.ts'
import type { StreamOptions } from '../events/event-stream.ts'
import { agentRoutes } from './agents.ts'
import { broadcastRoute } from './broadcast.ts'
import type { CredentialRules } from './credentials.ts'
import { docsRoutes } from './docs.ts'
import { eventsRoute } from './events.ts'
import { type FaucetOptions, faucetRoute } from './faucet.ts'
import { healthRoutes } from './health.ts'
import { asHttpError, errorBody, HttpError } from './http-error.ts'
import { callMethod, HEIGHT_HEADER, servedMethods } from './methods.ts'
import { metricsRoute } from './metrics-route.ts'
import { openApiDocument } from './openapi.ts'
import { parseQueryString } from './query-string.ts'
import { networkOf, RateLimit } from './rate-limit.ts'
import type { Reply, Route, StreamReply } from './route.ts'

export interface RestConfig {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** Web pages of these origins may read answers; `*` for all. */
  readonly corsOrigins: readonly string[]
  readonly writesPerSecond: number
  readonly version: string
  /** On development chains only. */
  readonly faucet?: FaucetOptions
  /** Gas that a query may use; default QUERY_GAS. */
  readonly queryGas?: bigint
  readonly streams?: Pick<StreamOptions, 'heartbeatMs' | 'patienceMs'>
  /** How long `?wait=commit` waits. Default 30,000. */
  readonly commitTimeoutMs?: number
}

export interface RestOptions {
  /** With the node's services bound (daemon/services/bind.ts), if their routes are to be served. */
  readonly chain: Chain
  readonly rpc: CometRpc
  /** By which whatever reads the state takes turns; by default this server's own. */
  readonly reads?: Reads
  readonly config: RestConfig
  readonly log: Pick<Log, 'error'>
  readonly metrics?: Pick<Metrics, 'restSeconds'>
  /** The agent key that this node holds. */
  readonly signer?: AgentSigner
  /** Without them, nobody may act through this node's keys. */
  readonly credentials?: CredentialRules
  /** What `GET /events` streams, if it is to be served. */
  readonly events?: EventFeed
  /** Further routes. */
  readonly routes?: readonly Route[]
}

export interface RestServer {
  /** `http://host:port`. */
  readonly url: string
  close(): Promise<void>
}

const API_VERSION = '1'
const MAX_BODY_BYTES = 65_536
/** A transaction of 1 MiB, in base64 or as JSON. */
const MAX_TX_BODY_BYTES = 1_572_864
const MAX_URL_LENGTH = 4096

const HEADERS: Readonly<Record<string, string>> = {
  'x-fornax-api-version': API_VERSION,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Serves the REST interface. Rejects where it cannot listen. */
export async function serveRest(options: RestOptions): Promise<RestServer> {
  const { chain, rpc, config, reads = new Reads() } = options
  const server = newServer(options)
  if (config.corsOrigins.length > 0) await server.register(cors, corsOf(config.corsOrigins))
  const methods = servedMethods(chain.router)
  const calls = { chain, reads, queryGas: config.queryGas ?? QUERY_GAS }
  const routes = [
    ...healthRoutes(chain, rpc),
    ...agentRoutes(chain).map(
      (route): Route => ({
        ...route,
        run: (call) => reads.run(networkOf(call.client), () => route.run(call) as Reply | Promise<Reply>),
      }),
    ),
    metricsRoute({ chain, rpc, signer: options.signer, credentials: options.credentials }),
    ...(options.events === undefined ? [] : [eventsRoute(options.events, config.streams)]),
    broadcastRoute(chain, rpc, config.commitTimeoutMs ?? 30_000),
    ...(config.faucet === undefined ? [] : [faucetRoute(chain, rpc, config.faucet)]),
    ...(options.routes ?? []),
  ]
  const taken = new Map<string, Set<string>>()
  const take = (method: string, url: string): void => {
    taken.set(url, (taken.get(url) ?? new Set()).add(method))
  }
  for (const served of methods) {
    const { method, url } = served.pattern
    take(method, url)
    server.route({
      method,
      url,
      bodyLimit: served.service === 'cosmos.tx.v1beta1.Service' ? MAX_TX_BODY_BYTES : MAX_BODY_BYTES,
      handler: (request, reply) => callMethod(calls, served, request, reply),
    })
  }
  for (const route of routes) {
    addRoute(server, route)
    take(route.method, fastifyPath(route.path))
  }
  const document = openApiDocument({ version: config.version, methods, routes })
  for (const [url, handler] of docsRoutes(document)) {
    take('GET', url)
    server.get(url, handler)
  }
  for (const [url, allowed] of taken) refuseOtherMethods(server, url, allowed)
  await server.listen({ host: config.host, port: config.port })
  return { url: urlOf(server, config.host), close: () => server.close() }
}

/** Bodies as they came. */
const texts = new WeakMap<FastifyRequest, string>()

function newServer({ config, log, metrics }: RestOptions): FastifyInstance {
  const report = (error: unknown): void => log.error({ err: error }, 'a REST call failed')
  const server = fastify({
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: 15_000,
    handlerTimeout: (config.commitTimeoutMs ?? 30_000) + 30_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 1024, querystringParser: parseQueryString as never },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
    frameworkErrors: (error, _request, reply) => {
      reply.headers(HEADERS)
      answerError(error, reply as FastifyReply, report)
    },
    clientErrorHandler: refuseConnection,
  })
  const parseJson = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    texts.set(request, text as string)
    parseJson(request, text as string, done)
  })
  const writes = new RateLimit(config.writesPerSecond)
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS)
    if (request.raw.url!.length > MAX_URL_LENGTH)
      throw new HttpError(414, 'url_too_long', `the URL is longer than ${MAX_URL_LENGTH} characters`)
    if (request.method !== 'POST') return
    const wait = writes.take(request.ip)
    if (wait > 0)
      throw new HttpError(
        429,
        'rate_limited',
        `more than ${config.writesPerSecond} writes a second`,
        {},
        { 'retry-after': `${Math.ceil(wait)}` },
      )
  })
  server.setErrorHandler((error, _request, reply) => answerError(error, reply, report))
  server.setNotFoundHandler((_request, reply) => {
    answerError(new HttpError(404, 'unknown_route', 'there is no such route'), reply, report)
  })
  if (metrics !== undefined)
    server.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown'
      metrics.restSeconds.observe({ route, status: `${reply.statusCode}` }, reply.elapsedTime / 1000)
    })
  return server
}

function answerError(thrown: unknown, reply: FastifyReply, report: (error: unknown) => void): void {
  const error = asHttpError(thrown, report, reply.request?.routeOptions.bodyLimit)
  reply.code(error.status).headers(error.headers).send(errorBody(error))
}

function addRoute(server: FastifyInstance, route: Route): void {
  const text = (schemas: Route['params'], required: boolean): object => ({
    type: 'object',
    properties: schemas ?? {},
    ...(required && { required: Object.keys(schemas ?? {}) }),
    additionalProperties: false,
  })
  server.route({
    method: route.method,
    url: fastifyPath(route.path),
    schema: {
      params: text(route.params, true),
      querystring: text(route.query, false),
      ...(route.body && { body: route.body }),
    },
    handler: async (request: FastifyRequest, reply) => {
      const answer = await route.run({
        params: request.params as Record<string, string>,
        query: request.query as Record<string, string>,
        body: request.body,
        text: texts.get(request) ?? '',
        client: request.ip,
        headers: request.headers,
      })
      if ('stream' in answer) return sendStream(request, reply, answer)
      return reply
        .code(answer.status)
        .headers(answer.headers ?? {})
        .send(answer.body)
    },
  })
}

/** Hands the connection over to a stream of server-sent events. */
function sendStream(request: FastifyRequest, reply: FastifyReply, { stream }: StreamReply): FastifyReply {
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200)
  if (request.method === 'HEAD') raw.end()
  void stream(raw).catch(() => raw.destroy())
  return reply
}

const fastifyPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

function refuseOtherMethods(server: FastifyInstance, url: string, allowed: ReadonlySet<string>): void {
  const has = (method: string): boolean => allowed.has(method) || (method === 'HEAD' && allowed.has('GET'))
  const allow = METHODS.filter(has).join(', ')
  server.route({
    method: METHODS.filter((method) => !has(method)),
    url,
    exposeHeadRoute: false,
    // Before a body is read, let alone refused.
    onRequest: async () => {
      throw new HttpError(405, 'method_not_allowed', `this route takes ${allow}`, {}, { allow })
    },
    handler: async () => undefined,
  })
}

const corsOf = (origins: readonly string[]) => ({
  origin: origins.includes('*') ? '*' : [...origins],
  methods: ['GET', 'HEAD', 'POST'],
  allowedHeaders: [
    'Content-Type',
    'Authorization',
    HEIGHT_HEADER,
    'X-Fornax-Signature',
    'X-Fornax-Timestamp',
  ],
  exposedHeaders: [HEIGHT_HEADER, `grpc-metadata-${HEIGHT_HEADER}`, 'X-Fornax-Api-Version', 'Retry-After'],
  maxAge: 600,
})

/** Answers what is no HTTP, or too much of it, before there is a request. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, code] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'headers_too_large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'request_timeout']
        : [400, 'Bad Request', 'malformed_request']
  const body = JSON.stringify({ error: { code, message: reason.toLowerCase(), details: {} } })
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function urlOf(server: FastifyInstance, host: string): string {
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
