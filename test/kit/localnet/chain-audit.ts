import { createHash } from 'node:crypto'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { wireType } from '../../../core/wire/registry.ts'
import { NodeClient } from '../../../daemon/client/node.ts'
import { type CometRpc, cometRpc } from '../../../daemon/client/rpc.ts'

/** What a node has of one height: equal block hashes mean equal transactions, results and app hashes before. */
export interface Height {
  readonly blockHash: string
  /** Of the state before this block. */
  readonly appHash: string
  readonly txs: readonly { readonly hash: string; readonly bytes: Uint8Array; readonly code: number }[]
}

/** Everything a node has up to a height. */
export async function history(rpcUrl: string, height: number): Promise<Height[]> {
  const rpc = cometRpc(rpcUrl)
  const heights: Height[] = []
  for (let from = 1; from <= height; from += 8) {
    const some = Array.from({ length: Math.min(8, height - from + 1) }, (_, i) => heightOf(rpc, from + i))
    heights.push(...(await Promise.all(some)))
  }
  return heights
}

async function heightOf(rpc: CometRpc, height: number): Promise<Height> {
  const { block, block_id } = await rpc.block(BigInt(height))
  const encoded = block.data.txs ?? []
  const { txs_results } = encoded.length > 0 ? await rpc.blockResults(BigInt(height)) : { txs_results: [] }
  const txs = encoded.map((tx, i) => {
    const bytes = new Uint8Array(Buffer.from(tx, 'base64'))
    const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase()
    return { hash, bytes, code: txs_results?.[i]?.code ?? -1 }
  })
  return { blockHash: block_id.hash, appHash: block.header.app_hash, txs }
}

/** Heights whose transactions a node's index does not have, all of them or some. */
export async function unindexed(rpcUrl: string, blocks: readonly Height[]): Promise<number[]> {
  const rpc = cometRpc(rpcUrl)
  const missing: number[] = []
  for (const [i, { txs }] of blocks.entries()) {
    if (txs.length === 0) continue
    const { total_count } = await rpc.txSearch(`tx.height=${i + 1}`, { perPage: 1 })
    if (Number(total_count) !== txs.length) missing.push(i + 1)
  }
  return missing
}

export interface Ledger {
  readonly balances: Map<string, bigint>
  readonly sequences: Map<string, bigint>
}

/** What the sends of a chain's blocks come to for these accounts, reckoned apart from the application. */
export function reckon(blocks: readonly Height[], accounts: readonly string[]): Ledger {
  const balances = new Map(accounts.map((a) => [a, 0n]))
  const sequences = new Map(accounts.map((a) => [a, 0n]))
  const add = (account: string, amount: bigint): void => {
    const balance = balances.get(account)
    if (balance !== undefined) balances.set(account, balance + amount)
  }
  for (const { bytes } of blocks.flatMap((b) => b.txs).filter((tx) => tx.code === 0)) {
    const raw = TxRaw.decode(bytes)
    const { messages } = TxBody.decode(raw.bodyBytes)
    if (messages[0]!.typeUrl === '/fornax.abci.v1.ExtendedCommit') continue
    const sends = messages.map((m) => MsgSend.decode(m.value))
    const payer = sends[0]!.fromAddress
    for (const { amount } of AuthInfo.decode(raw.authInfoBytes).fee?.amount ?? []) add(payer, -BigInt(amount))
    if (sequences.has(payer)) sequences.set(payer, sequences.get(payer)! + 1n)
    for (const { fromAddress, toAddress, amount } of sends)
      for (const coin of amount) {
        add(fromAddress, -BigInt(coin.amount))
        add(toAddress, BigInt(coin.amount))
      }
  }
  return { balances, sequences }
}

/** All balances of afrx and its supply, as a node's application has them at a height. */
export async function holdings(
  rpcUrl: string,
  height: number,
): Promise<{ owners: Map<string, bigint>; supply: bigint }> {
  const client = new NodeClient(rpcUrl)
  const ask = async <T>(method: string, request: object): Promise<T> => {
    const input = wireType(`cosmos.bank.v1beta1.Query${method}Request`)
    const bytes = await client.query(
      `/cosmos.bank.v1beta1.Query/${method}`,
      input.encode(input.fromPartial(request)).finish(),
      BigInt(height),
    )
    return wireType(`cosmos.bank.v1beta1.Query${method}Response`).decode(bytes) as T
  }
  const owners = new Map<string, bigint>()
  let key = new Uint8Array(0)
  do {
    const page: OwnersPage = await ask('DenomOwners', { denom: 'afrx', pagination: { key, limit: 100n } })
    for (const { address, balance } of page.denomOwners) owners.set(address, BigInt(balance.amount))
    key = new Uint8Array(page.pagination?.nextKey ?? [])
  } while (key.length > 0)
  const { amount } = await ask<{ amount: { amount: string } }>('SupplyOf', { denom: 'afrx' })
  return { owners, supply: BigInt(amount.amount) }
}

interface OwnersPage {
  readonly denomOwners: readonly { readonly address: string; readonly balance: { readonly amount: string } }[]
  readonly pagination?: { readonly nextKey: Uint8Array }
}
