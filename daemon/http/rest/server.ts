import compress from '@fastify/compress'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../../../core/log.ts'
import type { Chain } from '../../app/chain.ts'
import { QUERY_GAS } from '../../app/query-meter.ts'
import type { BlockAge } from '../../block-age.ts'
import type { CometRpc } from '../../client/rpc.ts'
import type { Metrics } from '../../metrics.ts'
import { Reads } from '../../read-turns.ts'
import type { AgentSigner } from '../../validator/agent-signer.ts'
import type { OwnTelemetry } from '../../validator/own-telemetry.ts'
import { COMPRESSION } from '../compression.ts'
import type { CredentialRules } from '../credentials.ts'
import { isSdkPath } from '../errors.ts'
import type { EventFeed } from '../events/event-feed.ts'
import type { StreamOptions } from '../events/event-stream.ts'
import { bodyText, hardenedServer, refuseOtherMethods, urlOf } from '../hardened-server.ts'
import { networkOf } from '../rate-limit.ts'
import type { ChainFacts } from './chain-facts.ts'
import { docsRoutes } from './openapi/docs.ts'
import { openApiDocument } from './openapi/document.ts'
import type { Reply, Route, StreamReply } from './route.ts'
import { agentRoutes } from './routes/agents.ts'
import { broadcastRoute } from './routes/broadcast.ts'
import { chainInfoRoutes } from './routes/chain-info.ts'
import { eventsRoute } from './routes/events.ts'
import { type FaucetOptions, faucetRoutes } from './routes/faucet.ts'
import { healthRoutes } from './routes/health.ts'
import { rootRoute } from './routes/root.ts'
import { submissionRoute } from './routes/submission.ts'
import { unknownRoute } from './sdk/absent-routes.ts'
import { callMethod, HEIGHT_HEADER, servedMethods } from './sdk/methods.ts'
import { parseQueryString } from './sdk/query-string.ts'

export interface RestConfig {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** Web pages of these origins may read answers; `*` for all. */
  readonly corsOrigins: readonly string[]
  readonly writesPerSecond: number
  readonly version: string
  /** Of the chain, for `/chain.json` and the like, if they are to be served. */
  readonly facts?: ChainFacts
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
  readonly ownTelemetry?: OwnTelemetry
  /** Without them, nobody may act through this node's keys. */
  readonly credentials?: CredentialRules
  /** The events that `GET /events` streams, if it is to be served. */
  readonly events?: EventFeed
  /** Of the chain's last block, for `GET /ready`; without it, a standstill is not told. */
  readonly blockAge?: Pick<BlockAge, 'ms' | 'isStall'>
  /** Further routes. */
  readonly routes?: readonly Route[]
}

export interface RestServer {
  /** `http://host:port`. */
  readonly url: string
  close(): Promise<void>
}

const API_VERSION_HEADER = { 'x-fornax-api-version': '1' }
const MAX_BODY_BYTES = 65_536
/** A transaction of 1 MiB, in base64 or as JSON. */
const MAX_TX_BODY_BYTES = 1_572_864

/** Serves the REST interface. Rejects where it cannot listen. */
export async function serveRest(options: RestOptions): Promise<RestServer> {
  const { chain, rpc, config, reads = new Reads() } = options
  const server = newServer(options)
  await server.register(compress, COMPRESSION)
  if (config.corsOrigins.length > 0) await server.register(cors, corsOf(config.corsOrigins))
  const methods = servedMethods(chain.router)
  const calls = { chain, reads, queryGas: config.queryGas ?? QUERY_GAS }
  const routes = [
    rootRoute(chain, config.version),
    ...healthRoutes(chain, rpc, options.blockAge),
    ...[
      ...agentRoutes(chain),
      ...(config.facts === undefined ? [] : chainInfoRoutes(chain, config.facts, config.version)),
    ].map(
      (route): Route => ({
        ...route,
        run: (call) => reads.run(networkOf(call.client), () => route.run(call) as Reply | Promise<Reply>),
      }),
    ),
    submissionRoute({
      chain,
      rpc,
      signer: options.signer,
      ownTelemetry: options.ownTelemetry,
      credentials: options.credentials,
    }),
    ...(options.events === undefined ? [] : [eventsRoute(options.events, config.streams)]),
    broadcastRoute(chain, rpc, config.commitTimeoutMs ?? 30_000),
    ...(config.faucet === undefined ? [] : faucetRoutes(chain, rpc, config.faucet)),
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

function newServer({ config, log, metrics }: RestOptions): FastifyInstance {
  return hardenedServer({
    headers: API_VERSION_HEADER,
    maxBodyBytes: MAX_BODY_BYTES,
    handlerTimeoutMs: (config.commitTimeoutMs ?? 30_000) + 30_000,
    writesPerSecond: config.writesPerSecond,
    parseQueryString,
    unknownRoute,
    report: (error) => log.error({ err: error }, 'a REST call failed'),
    ...(metrics !== undefined && {
      onAnswer: (route, status, seconds) =>
        metrics.restSeconds.observe({ route, status: `${status}` }, seconds),
    }),
  })
}

function addRoute(server: FastifyInstance, route: Route): void {
  const text = (schemas: Route['params'], more: object): object => ({
    type: 'object',
    properties: schemas ?? {},
    ...more,
  })
  server.route({
    method: route.method,
    url: fastifyPath(route.path),
    schema: {
      params: text(route.params, { required: Object.keys(route.params ?? {}) }),
      querystring: text(route.query, { additionalProperties: isSdkPath(route.path) }),
      ...(route.body && { body: route.body }),
    },
    handler: async (request: FastifyRequest, reply) => {
      const answer = await route.run({
        params: request.params as Record<string, string>,
        query: request.query as Record<string, string>,
        body: request.body,
        text: bodyText(request),
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
