import { fromBase64 } from '../../../../core/bytes.ts'
import type { Chain } from '../../../app/chain.ts'
import { type CometRpc, RpcError } from '../../../client/rpc.ts'
import { refusals } from '../../../services/service.ts'
import { badRequest, txRefused } from '../../errors.ts'
import { objectSchema, type Reply, type Route } from '../route.ts'

const text = { type: 'string' }
const digits = { type: 'string', pattern: '^[0-9]+$' }
const hash = { type: 'string', pattern: '^[0-9A-F]{64}$', description: 'SHA-256 of the transaction.' }

/** Hands a transaction to the mempool and answers its hash, or throws what CheckTx refused it with. */
export async function broadcast(rpc: CometRpc, tx: Uint8Array): Promise<string> {
  const check = await refusals(rpc.broadcastTxSync(tx))
  if (check.code !== 0) throw txRefused(check)
  return check.hash
}

/** Waits for the block; undefined where none held the transaction within `timeoutMs`. */
async function committed(
  chain: Chain,
  rpc: CometRpc,
  hash: string,
  timeoutMs: number,
): Promise<Reply | undefined> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    try {
      const { height, tx_result: result } = await rpc.tx(Buffer.from(hash, 'hex'))
      const { code, codespace, log, gas_wanted, gas_used } = result
      return {
        status: 200,
        body: {
          tx_hash: hash,
          height,
          final: Number(height) <= chain.store.height,
          code,
          codespace,
          raw_log: log,
          gas_wanted,
          gas_used,
        },
      }
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return undefined
}

/** `POST /broadcast_tx`: a transaction signed by the client, for the mempool. */
export function broadcastRoute(chain: Chain, rpc: CometRpc, commitTimeoutMs: number): Route {
  return {
    method: 'POST',
    path: '/broadcast_tx',
    tag: 'Transactions',
    summary: 'Broadcast a signed transaction',
    description:
      'Answers once the mempool took the transaction; with `wait=commit`, once a block holds it. Where no block ' +
      `held it within ${commitTimeoutMs / 1000} s the answer is 202 all the same.`,
    query: {
      wait: {
        type: 'string',
        enum: ['commit'],
        description: 'Wait for the block and answer what came of it.',
      },
    },
    body: objectSchema({
      tx_bytes: { type: 'string', minLength: 4, description: 'The signed TxRaw in base64.' },
    }),
    answers: {
      200: {
        description: 'A block holds the transaction; `code` is 0 where it succeeded.',
        schema: objectSchema({
          tx_hash: hash,
          height: digits,
          final: {
            type: 'boolean',
            description: 'False while the block is withheld: it is committed with the next healthy one.',
          },
          code: { type: 'integer' },
          codespace: text,
          raw_log: text,
          gas_wanted: digits,
          gas_used: digits,
        }),
      },
      202: { description: 'The mempool took the transaction.', schema: objectSchema({ tx_hash: hash }) },
    },
    errors: {
      409: 'The sequence is not the next one of the account, or the transaction is in the mempool already.',
      422: 'The transaction is refused; `details` has the ABCI codespace and code.',
    },
    async run({ body, query }) {
      const { tx_bytes } = body as { tx_bytes: string }
      let tx: Uint8Array
      try {
        tx = fromBase64(tx_bytes)
      } catch {
        throw badRequest('invalid_body', 'tx_bytes is not base64', { at: 'body/tx_bytes' })
      }
      const tx_hash = await broadcast(rpc, tx)
      const accepted = { status: 202, body: { tx_hash } }
      if (query['wait'] !== 'commit') return accepted
      return (await committed(chain, rpc, tx_hash, commitTimeoutMs)) ?? accepted
    },
  }
}
