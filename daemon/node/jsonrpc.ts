import { DECIMAL_ONE } from '../../core/decimal-text.ts'
import { EVM_CHAIN_ID, NATIVE_DENOM } from '../../modules/evm/api.ts'
import { CallPool } from '../evm-calls/call-pool.ts'
import { ethSubscriptions } from '../http/jsonrpc/eth-subscriptions.ts'
import type { Methods } from '../http/jsonrpc/method.ts'
import { blockMethods } from '../http/jsonrpc/namespaces/blocks.ts'
import { callMethods } from '../http/jsonrpc/namespaces/calls.ts'
import { feeMethods } from '../http/jsonrpc/namespaces/fees.ts'
import { logMethods } from '../http/jsonrpc/namespaces/logs.ts'
import { nodeMethods } from '../http/jsonrpc/namespaces/node.ts'
import { sendMethods } from '../http/jsonrpc/namespaces/send.ts'
import { stateMethods } from '../http/jsonrpc/namespaces/state.ts'
import { serveJsonRpc } from '../http/jsonrpc/server.ts'
import { EthBlocks } from '../index/eth-blocks.ts'
import { EthState } from '../index/eth-state.ts'
import { appVersion } from '../version.ts'
import { listening } from './listening.ts'
import type { NodeCore } from './options.ts'

/** The node's own minimum, in afrx a gas, rounded up. */
function minimumGasPrice({ chain }: Pick<NodeCore, 'chain'>): bigint {
  const prices = chain.execution.ante.minimumGasPrices
  const atomics = prices.find(({ denom }) => denom === NATIVE_DENOM)?.atomics ?? 0n
  return (atomics + DECIMAL_ONE - 1n) / DECIMAL_ONE
}

function ethMethods(node: NodeCore, blocks: EthBlocks, pool: CallPool): Methods[] {
  const { chain, rpc, config } = node
  const state = new EthState(chain)
  const { gas_cap, max_log_blocks } = config.jsonrpc
  return [
    blockMethods(blocks),
    stateMethods(blocks, state),
    callMethods({ blocks, state, pool, gasCap: BigInt(gas_cap) }),
    feeMethods(blocks, state, minimumGasPrice(node)),
    logMethods({ blocks, pool, maxRange: BigInt(max_log_blocks) }),
    nodeMethods(rpc, blocks),
    sendMethods(rpc, () => chain.isHalted),
  ]
}

/** Serves Ethereum's JSON-RPC, where it is to be. */
export async function startJsonRpc(node: NodeCore): Promise<void> {
  const { config, home, log, parts, metrics, reads, chain } = node
  const { jsonrpc } = config
  if (!jsonrpc.enabled) return
  const blocks = new EthBlocks({
    get height() {
      return chain.store.height
    },
    get initialHeight() {
      return chain.lastBlock.initialHeight
    },
    local: chain.store.local,
  })
  const pool = await parts.start('calls of the EVM', {
    begin: async () => new CallPool(home.store, jsonrpc.call_timeout),
    stop: (started) => started.close(),
  })
  const server = await parts.start('JSON-RPC', {
    begin: () =>
      listening('jsonrpc.address', jsonrpc.address, () =>
        serveJsonRpc({
          identity: {
            chainId: EVM_CHAIN_ID,
            clientVersion: `Fornax/v${appVersion}/${process.platform}-${process.arch}/node${process.versions.node}`,
          },
          methods: ethMethods(node, blocks, pool),
          subscriptions: ethSubscriptions(blocks, node.blocks),
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
