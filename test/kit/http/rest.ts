import type { BlockAge } from '../../../daemon/block-age.ts'
import { type CometRpc, cometRpc } from '../../../daemon/client/rpc.ts'
import { CommittedBlocks } from '../../../daemon/committed-blocks.ts'
import type { CredentialRules } from '../../../daemon/http/credentials.ts'
import { EventFeed } from '../../../daemon/http/events/event-feed.ts'
import type { Route } from '../../../daemon/http/rest/route.ts'
import { type RestConfig, type RestServer, serveRest } from '../../../daemon/http/rest/server.ts'
import { bindServices } from '../../../daemon/services/bind.ts'
import type { AgentSigner } from '../../../daemon/validator/agent-signer.ts'
import type { OwnTelemetry } from '../../../daemon/validator/own-telemetry.ts'
import { type ChainOptions, TestChain } from '../app/chain.ts'

/** An answer, its JSON read; of a stream, only that there is one. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  readonly body: any
}

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
}

/** A REST server over a chain that is driven block by block; without `rpc`, as if CometBFT were down. */
export class RestChain {
  readonly chain: TestChain
  readonly server: RestServer
  /** What the server reported as its own faults. */
  readonly faults: unknown[]

  private constructor(chain: TestChain, server: RestServer, faults: unknown[]) {
    this.chain = chain
    this.server = server
    this.faults = faults
  }

  static async start(config: Partial<RestConfig> = {}, more: Partial<RestOf> = {}): Promise<RestChain> {
    const chain = await TestChain.start(more.chain)
    await chain.block()
    const { state } = chain
    const rpc = more.rpc ?? cometRpc('http://127.0.0.1:1')
    bindServices({
      chain: state,
      rpc,
      facts: { appName: 'fornaxd', version: '0.0.0', minimumGasPrices: '1afrx' },
    })
    const faults: unknown[] = []
    const server = await serveRest({
      chain: state,
      rpc,
      events: new EventFeed(state, rpc, new CommittedBlocks()),
      config: {
        host: '127.0.0.1',
        port: 0,
        corsOrigins: [],
        writesPerSecond: 10_000,
        version: '0.0.0',
        commitTimeoutMs: 1000,
        facts: {
          development: true,
          coinType: 60,
          cometVersion: '0.38.25',
          minimumGasPrices: [{ denom: 'afrx', amount: 1_000_000_000n }],
          restUrl: '',
          rpcUrl: '',
          rpcAddress: { host: '127.0.0.1', port: 26_657 },
        },
        ...config,
      },
      log: { error: (fields, message) => faults.push([message, fields]) },
      ...(more.signer && { signer: more.signer }),
      ...(more.ownTelemetry && { ownTelemetry: more.ownTelemetry }),
      ...(more.credentials && { credentials: more.credentials }),
      ...(more.routes && { routes: more.routes }),
      ...(more.blockAge && { blockAge: more.blockAge }),
    })
    return new RestChain(chain, server, faults)
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return ask(this.server.url + path, { headers })
  }

  /** Text is sent as it is. */
  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return ask(this.server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  async stop(): Promise<void> {
    await this.server.close()
    await this.chain.stop()
  }
}

interface RestOf {
  readonly rpc: CometRpc
  readonly chain: ChainOptions
  readonly signer: AgentSigner
  readonly ownTelemetry: OwnTelemetry
  readonly credentials: CredentialRules
  readonly routes: readonly Route[]
  readonly blockAge: BlockAge
}
