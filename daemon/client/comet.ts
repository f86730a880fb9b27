import type { Comet38Client } from '@cosmjs/tendermint-rpc'
import { callComet, RpcError, RpcUnavailable } from './rpc.ts'

/**
 * Asks a CometBFT by CosmJS's client, which checks and decodes the answers, over our transport. Rejects with RpcError
 * or RpcUnavailable.
 */
export async function askComet<T>(url: string, ask: (comet: Comet38Client) => Promise<T>): Promise<T> {
  // It takes 0.1 s to load, and most commands ask nobody.
  const { Comet38Client } = await import('@cosmjs/tendermint-rpc')
  const comet = Comet38Client.create({
    execute: async ({ id, method, params }) => ({
      jsonrpc: '2.0',
      id,
      result: await callComet(url, method, params),
    }),
    disconnect: () => undefined,
  })
  try {
    return await ask(comet)
  } catch (error) {
    if (error instanceof RpcError || error instanceof RpcUnavailable) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new RpcUnavailable(`CometBFT at ${url} answers in no form of CometBFT 0.38: ${reason}`, {
      cause: error,
    })
  }
}
