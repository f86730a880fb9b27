import { serveJsonRpc } from '../http/jsonrpc/server.ts'
import { appVersion } from '../version.ts'
import { listening } from './listening.ts'
import type { NodeCore } from './options.ts'

/** By EIP-155. */
const EVM_CHAIN_ID = 7373n

/** Serves Ethereum's JSON-RPC, where it is to be. */
export async function startJsonRpc({ config, log, parts, metrics, reads }: NodeCore): Promise<void> {
  const { jsonrpc } = config
  if (!jsonrpc.enabled) return
  const server = await parts.start('JSON-RPC', {
    begin: () =>
      listening('jsonrpc.address', jsonrpc.address, () =>
        serveJsonRpc({
          identity: {
            chainId: EVM_CHAIN_ID,
            clientVersion: `Fornax/v${appVersion}/${process.platform}-${process.arch}/node${process.versions.node}`,
          },
          reads,
          metrics,
          log: log.child({ module: 'jsonrpc' }),
          config: {
            ...jsonrpc.address,
            corsOrigins: jsonrpc.cors_origins,
            vhosts: jsonrpc.vhosts,
            maxBatch: jsonrpc.max_batch,
            maxBodyBytes: jsonrpc.max_body_bytes,
            maxAnswerBytes: jsonrpc.max_answer_bytes,
            timeoutMs: jsonrpc.request_timeout,
            maxConnections: jsonrpc.max_websockets,
            maxConnectionsPerClient: jsonrpc.max_websockets_per_client,
          },
        }),
      ),
    stop: (server) => server.close(),
  })
  log.info({ url: server.url }, 'JSON-RPC listens')
}
