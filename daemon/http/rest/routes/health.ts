import type { Chain } from '../../../app/chain.ts'
import type { BlockAge } from '../../../block-age.ts'
import { type CometRpc, RpcError, RpcUnavailable, type Status } from '../../../client/rpc.ts'
import { HttpError } from '../../errors.ts'
import { objectSchema, type Route } from '../route.ts'

const notReady = (code: string, message: string, details = {}): HttpError =>
  new HttpError(503, code, message, details, { 'retry-after': '5' })

/** `GET /health`: the process answers. `GET /ready`: it is of use to others, too. */
export function healthRoutes(
  chain: Chain,
  rpc: CometRpc,
  blockAge?: Pick<BlockAge, 'ms' | 'isStall'>,
): Route[] {
  async function status(): Promise<Status> {
    try {
      return await rpc.status()
    } catch (error) {
      if (error instanceof RpcError || error instanceof RpcUnavailable)
        throw notReady('comet_unavailable', 'CometBFT does not answer')
      throw error
    }
  }
  return [
    {
      method: 'GET',
      path: '/health',
      tag: 'Node',
      summary: 'Whether the process answers',
      answers: {
        200: {
          description: 'It does.',
          schema: objectSchema({ status: { type: 'string', const: 'ok' } }),
        },
      },
      run: () => ({ status: 200, body: { status: 'ok' } }),
    },
    {
      method: 'GET',
      path: '/ready',
      tag: 'Node',
      summary: 'Whether the node keeps up with its chain',
      answers: {
        200: {
          description: 'It does.',
          schema: objectSchema({
            ready: { type: 'boolean', const: true },
            chain_id: { type: 'string' },
            height: { type: 'string', description: 'The last committed height.' },
          }),
        },
      },
      errors: { 503: '`halted`, `syncing`, `behind`, `stalled` or `comet_unavailable`.' },
      async run() {
        if (chain.isHalted) throw notReady('halted', 'the chain is halted')
        const { sync_info } = await status()
        const height = `${chain.store.height}`
        const details = { height, comet_height: sync_info.latest_block_height }
        if (sync_info.catching_up) throw notReady('syncing', 'the node catches up with the chain', details)
        // A block is decided a moment before it is executed; before the first one there is nothing to answer from.
        if (chain.store.height === 0 || chain.workingHeight + 1 < Number(sync_info.latest_block_height))
          throw notReady('behind', 'the application is behind CometBFT', details)
        if (blockAge?.isStall) {
          const seconds = Math.floor(blockAge.ms / 1_000)
          throw notReady('stalled', `no block for ${seconds} s: the network, or this node, stands still`, {
            ...details,
            seconds_without_block: seconds,
          })
        }
        return { status: 200, body: { ready: true, chain_id: chain.lastBlock.chainId, height } }
      },
    },
  ]
}
