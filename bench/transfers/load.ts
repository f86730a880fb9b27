import { Agent, request } from 'node:http'

export const BATCH = 10
export const CONNECTIONS = 8

export function post(agent: Agent, url: string, body: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const req = request(
      url,
      { agent, method: 'POST', headers: { 'content-type': 'application/json' } },
      (res) => {
        const chunks: Buffer[] = []
        res.on('data', (c: Buffer) => chunks.push(c))
        res.on('end', () => resolve(Buffer.concat(chunks).toString()))
        res.on('error', reject)
      },
    )
    req.on('error', reject)
    req.end(body)
  })
}

/** One call of CometBFT's RPC. */
export async function call<T>(rpc: string, method: string, params: object = {}): Promise<T> {
  const agent = new Agent()
  const reply = JSON.parse(
    await post(agent, rpc, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
  ) as {
    result?: T
    error?: { message: string; data?: string }
  }
  agent.destroy()
  if (reply.error !== undefined)
    throw new Error(`${method}: ${reply.error.message} ${reply.error.data ?? ''}`)
  return reply.result as T
}

/** A JSON-RPC batch of `broadcast_tx_async` calls, whose ids count from 0. */
export function encodeBatch(txs: readonly Uint8Array[]): Buffer {
  const calls = txs.map((tx, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'broadcast_tx_async',
    params: { tx: Buffer.from(tx).toString('base64') },
  }))
  return Buffer.from(JSON.stringify(calls))
}

/** Batches of 10, encoded ahead so that the load costs little while it runs. */
export function encodeBatches(txs: readonly Uint8Array[]): Buffer[] {
  const bodies: Buffer[] = []
  for (let at = 0; at < txs.length; at += BATCH) bodies.push(encodeBatch(txs.slice(at, at + BATCH)))
  return bodies
}

/**
 * Posts all batches over 8 connections, none before the one that is `lap` places ahead of it was answered: senders come
 * again after as many, and a connection that waits must not let their sequences change places. Rejects where CometBFT
 * answers with an error.
 */
export async function broadcastAll(rpc: string, bodies: readonly Buffer[], lap: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const answers: Promise<string>[] = []
  const worker = async (): Promise<void> => {
    while (answers.length < bodies.length) {
      const at = answers.length
      const ahead = answers[at - lap]
      const sent = (ahead ?? Promise.resolve()).then(() => post(agent, rpc, bodies[at]!))
      answers.push(sent)
      const answer = await sent
      if (answer.includes('"error"')) throw new Error(`a transaction was refused: ${answer.slice(0, 500)}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  agent.destroy()
}

interface BlockResults {
  readonly txs_results: readonly { readonly code: number; readonly log: string }[] | null
}

/**
 * Waits until `count` transactions stand in blocks above `height`, beside the `ownTxs` in each that are the chain's;
 * answers the height of the last. Rejects where that takes too long.
 */
export async function waitCommitted(
  rpc: string,
  height: number,
  count: number,
  ownTxs: number,
): Promise<number> {
  let seen = 0
  let at = height
  const deadline = Date.now() + 300_000
  while (seen < count) {
    if (Date.now() > deadline)
      throw new Error(`only ${seen} of ${count} transactions were committed in 5 minutes`)
    const latest = await latestHeight(rpc)
    if (at === latest) {
      await new Promise((r) => setTimeout(r, 20))
      continue
    }
    const { header } = await call<{ block: { header: { height: string }; data: { txs: string[] | null } } }>(
      rpc,
      'block',
      {
        height: String(at + 1),
      },
    ).then(({ block }) => {
      seen += (block.data.txs?.length ?? 0) - ownTxs
      return block
    })
    at = Number(header.height)
  }
  return at
}

/** Rejects where a transaction in the blocks between failed. */
export async function requireSuccess(rpc: string, from: number, to: number): Promise<void> {
  // A block's results are there only a moment after the block: with the next one's.
  while ((await latestHeight(rpc)) <= to) await new Promise((r) => setTimeout(r, 50))
  for (let height = from + 1; height <= to; height++) {
    const { txs_results } = await call<BlockResults>(rpc, 'block_results', { height: String(height) })
    const failed = txs_results?.find((r) => r.code !== 0)
    if (failed !== undefined) throw new Error(`a transaction at height ${height} failed: ${failed.log}`)
  }
}

export async function latestHeight(rpc: string): Promise<number> {
  const { sync_info } = await call<{ sync_info: { latest_block_height: string } }>(rpc, 'status')
  return Number(sync_info.latest_block_height)
}
