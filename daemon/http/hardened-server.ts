import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { isIP, type Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Json } from '../../core/wire/json.ts'
import { asHttpError, errorBody, HttpError, isSdkPath, sdkErrorBody } from './errors.ts'
import { requireUniqueNames, requireUtf8 } from './json-body.ts'
import { RateLimit } from './rate-limit.ts'
import { UpgradableRequest } from './web-socket-upgrade.ts'

const MAX_URL_LENGTH = 4096

/** Browsers are not to guess an answer's type, show it in a frame, tell others of its address, or keep it. */
const HARDENING: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

export interface HardenedServerOptions {
  /** Further headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** Most bytes of a body where its route says nothing else. */
  readonly maxBodyBytes: number
  readonly handlerTimeoutMs: number
  /** How long a client may take to send a request. Default 15,000. */
  readonly requestTimeoutMs?: number
  /** How long a connection may take no byte of what it is sent, nor send any. Default: as long as it likes. */
  readonly idleTimeoutMs?: number
  /** POSTs of one client; any number where there is no limit. */
  readonly writesPerSecond?: number
  /** Must not throw: it is called before there is anybody who would answer. */
  readonly parseQueryString: (text: string) => object
  /** What is answered where there is no route. */
  readonly unknownRoute: (method: string, url: string) => HttpError
  /** The body of an error on a path. Default: that of the REST interface. */
  readonly bodyOf?: (error: HttpError, path: string) => Json
  /** Takes WebSockets, if any are taken. May throw an HttpError. */
  readonly onWebSocket?: (request: IncomingMessage, socket: Socket, head: Buffer) => void
  /** Told of faults of the node. */
  readonly report: (error: unknown) => void
  /** Told of each answer, with the pattern of its route. */
  readonly onAnswer?: (route: string, status: number, seconds: number) => void
}

/** An HTTP server without routes: it bounds what clients may send, and answers every error in one form. */
export function hardenedServer(options: HardenedServerOptions): FastifyInstance {
  const {
    maxBodyBytes,
    handlerTimeoutMs,
    writesPerSecond,
    parseQueryString,
    unknownRoute,
    report,
    onAnswer,
    onWebSocket,
    requestTimeoutMs = 15_000,
    idleTimeoutMs = 0,
    bodyOf = bodyOfRest,
  } = options
  const headers = { ...options.headers, ...HARDENING }
  const answerError = (thrown: unknown, reply: FastifyReply): void => {
    const { routeOptions, url } = reply.request
    const error = asHttpError(thrown, report, routeOptions.bodyLimit)
    reply
      .code(error.status)
      .headers(error.headers)
      .send(bodyOf(error, routeOptions.url ?? url))
  }
  const refuse = (socket: Socket, error: HttpError): void => refuseConnection(socket, error, headers, bodyOf)
  const server = fastify({
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: idleTimeoutMs,
    handlerTimeout: handlerTimeoutMs,
    keepAliveTimeout: 65_000,
    forceCloseConnections: true,
    routerOptions: {
      maxParamLength: 1024,
      querystringParser: parseQueryString as never,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
    },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
    frameworkErrors: (error, _request, reply) => {
      reply.headers(headers)
      answerError(error, reply as FastifyReply)
    },
    clientErrorHandler: (error, socket) => refuse(socket, noRequest(error)),
    http: {
      // Node.js would answer without a body.
      requireHostHeader: false,
      connectionsCheckingInterval: Math.ceil(requestTimeoutMs / 3),
      // Were it longer, Node.js would take it for the time of a whole request.
      headersTimeout: requestTimeoutMs,
      ...(onWebSocket !== undefined && { IncomingMessage: UpgradableRequest }),
    },
  })
  keepTexts(server)
  server.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { socket } = response
    if (socket !== null) refuse(socket, new HttpError(417, 'expectation_failed', 'expectation failed'))
  })
  server.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    refuse(socket, new HttpError(405, 'method_not_allowed', 'method not allowed', {}, ALLOW))
  })
  if (onWebSocket !== undefined)
    server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy())
      try {
        onWebSocket(request, socket, head)
      } catch (error) {
        refuse(socket, asHttpError(error, report))
      }
    })
  const writes = writesPerSecond === undefined ? undefined : new RateLimit(writesPerSecond)
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0')
      throw new HttpError(400, 'invalid_host', 'the header Host is missing')
    if (request.method === 'OPTIONS' && !isPreflight(request))
      throw new HttpError(405, 'method_not_allowed', 'OPTIONS is for preflights of web pages', {}, ALLOW)
    if (request.raw.url!.length > MAX_URL_LENGTH)
      throw new HttpError(414, 'url_too_long', `the URL is longer than ${MAX_URL_LENGTH} characters`)
    if (request.method !== 'POST' || writes === undefined) return
    const wait = writes.take(request.ip)
    if (wait > 0)
      throw new HttpError(
        429,
        'rate_limited',
        `more than ${writesPerSecond} writes a second`,
        {},
        { 'retry-after': `${Math.ceil(wait)}` },
      )
  })
  server.setErrorHandler((error, _request, reply) => answerError(error, reply))
  server.setNotFoundHandler(({ method, url }, reply) => answerError(unknownRoute(method, url), reply))
  if (onAnswer !== undefined)
    server.addHook('onResponse', async (request, reply) => {
      onAnswer(request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000)
    })
  return server
}

const ALLOW = { allow: 'GET, HEAD, POST' }

const isPreflight = ({ headers }: FastifyRequest): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/** Bodies as they came. */
const texts = new WeakMap<FastifyRequest, string>()

/** A request's body as it came; empty where there is none. */
export const bodyText = (request: FastifyRequest): string => texts.get(request) ?? ''

/** Has JSON read, and nothing else. */
function keepTexts(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    try {
      requireUtf8(request.headers['content-type'])
    } catch (error) {
      done(error as Error)
      return
    }
    texts.set(request, text as string)
    parseJson(request, text as string, (error, body) => {
      if (error) {
        done(error, body)
        return
      }
      try {
        requireUniqueNames(text as string)
      } catch (twice) {
        done(twice as Error)
        return
      }
      done(null, body)
    })
  })
}

const bodyOfRest = (error: HttpError, path: string): Json =>
  isSdkPath(path) ? sdkErrorBody(error) : errorBody(error)

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Has every method of a URL but the `allowed` refused with 405. */
export function refuseOtherMethods(server: FastifyInstance, url: string, allowed: ReadonlySet<string>): void {
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

/** What is no HTTP, or too much of it, before there is a request. */
function noRequest({ code }: Error & { code?: string }): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new HttpError(431, 'headers_too_large', 'request header fields too large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpError(408, 'request_timeout', 'request timeout')
  return new HttpError(400, 'malformed_request', 'bad request')
}

/** The last answer on a connection, where fastify has no part in it. */
function refuseConnection(
  socket: Socket,
  error: HttpError,
  headers: Readonly<Record<string, string>>,
  bodyOf: (error: HttpError, path: string) => Json,
): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(bodyOf(error, '/'))
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    ...Object.entries({ ...headers, ...error.headers }).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** `http://host:port` of a server that listens on `host`. */
export function urlOf(server: FastifyInstance, host: string): string {
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
