import { ChainError } from '../../../core/error.ts'
import { signTx } from '../../../core/tx/build.ts'
import type { Any } from '../../../core/wire/registry.ts'
import { packAny } from '../../../core/wire/registry.ts'
import { NodeClient } from '../../../daemon/client/node.ts'
import { RpcError, RpcUnavailable } from '../../../daemon/client/rpc.ts'
import type { LocalnetInfo } from '../../../localnet/info.ts'
import { type User, user } from '../app/chain.ts'
import { pick, type Random } from '../random.ts'
import { keyOfAccount } from './accounts.ts'

/** Seen in a block under its hash. */
export interface Reported {
  readonly hash: string
  readonly height: number
}

const GAS = 200_000n
export const FEE = GAS * 1_000_000_000n
/** What each sender has at the beginning. */
export const FUNDS = 10n ** 24n
const BURST = 3
const WAIT_MS = 5_000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const afrx = (amount: bigint) => ({ denom: 'afrx', amount: `${amount}` })

function sendMessage(from: string, to: string, amount: bigint): Any {
  const value = { fromAddress: from, toAddress: to, amount: [afrx(amount)] }
  return packAny('cosmos.bank.v1beta1.MsgSend', value)
}

/** Users who keep sending to one another over all nodes of a network, whatever happens to those. */
export class SteadyLoad {
  readonly senders: readonly User[]
  /** Transactions that some node has said to be in a block. */
  readonly reported: Reported[] = []
  /** Refusals that no crash explains. */
  readonly complaints: string[] = []
  readonly #info: LocalnetInfo
  readonly #random: Random
  readonly #clients: readonly NodeClient[]
  #running: Promise<unknown> = Promise.resolve()
  #stopped = false

  constructor(info: LocalnetInfo, random: Random, senders = 6) {
    this.#info = info
    this.#random = random
    this.#clients = info.nodes.map((n) => new NodeClient(n.rpc))
    this.senders = Array.from({ length: senders }, (_, i) => user(`load ${i}`))
  }

  /** Gives every sender coins, in one transaction of the network's first account. */
  async fund(): Promise<void> {
    const payer = this.#info.accounts[0]!
    const from = payer.address
    const client = this.#clients[0]!
    const account = await client.account(from)
    if (!account) throw new Error(`${from} has no account`)
    const gasLimit = BigInt(this.senders.length) * GAS
    const tx = {
      messages: this.senders.map((s) => sendMessage(from, s.text, FUNDS)),
      fee: { amount: [afrx(gasLimit * 1_000_000_000n)], gasLimit },
    }
    const outcome = await client.broadcast(
      signTx(tx, this.#info.chain_id, [{ ...keyOfAccount(payer), ...account }]),
      60_000,
    )
    if (outcome.code !== 0 || !outcome.included) throw new Error(`the senders have no coins: ${outcome.log}`)
  }

  start(): void {
    this.#running = Promise.all(this.senders.map((sender) => this.#keepSending(sender)))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #keepSending(sender: User): Promise<void> {
    while (!this.#stopped) {
      try {
        const hashes = await this.#burst(sender)
        const deadline = performance.now() + WAIT_MS
        for (const hash of hashes) await this.#follow(hash, deadline)
        if (hashes.length === 0) await pause(100)
      } catch (error) {
        if (!isOutage(error)) throw error
        await pause(100)
      }
    }
  }

  /** Hands a few transactions in to one node; their hashes. */
  async #burst(sender: User): Promise<string[]> {
    const client = pick(this.#random, this.#clients)
    const account = await client.account(sender.text)
    if (!account) return []
    const hashes: string[] = []
    for (let i = 0n; i < BURST; i++) {
      const to = pick(this.#random, this.senders)
      const tx = {
        messages: [sendMessage(sender.text, to.text, BigInt(1 + this.#random(1_000_000)))],
        fee: { amount: [afrx(FEE)], gasLimit: GAS },
      }
      const { accountNumber } = account
      const key = { privateKey: sender.privateKey, accountNumber, sequence: account.sequence + i }
      const { code, codespace, log, hash } = await client.broadcast(signTx(tx, this.#info.chain_id, [key]))
      // A node that is behind, or knows more than it has committed, disagrees about the sequence.
      if (code === 32 && codespace === 'sdk') break
      if (code !== 0) this.complaints.push(`${codespace} ${code}: ${log}`)
      else hashes.push(hash)
    }
    return hashes
  }

  /** Asks one node after another for a transaction until one has it; crashes may lose it before it is in a block. */
  async #follow(hash: string, deadline: number): Promise<void> {
    while (performance.now() < deadline && !this.#stopped) {
      const found = await pick(this.#random, this.#clients)
        .transaction(hash)
        .catch((error: unknown) => {
          if (!isOutage(error)) throw error
        })
      if (found) {
        this.reported.push({ hash, height: Number(found.height) })
        if (found.tx_result.code !== 0 && found.tx_result.code !== 32)
          this.complaints.push(`${hash} failed in its block: ${found.tx_result.log}`)
        return
      }
      await pause(300)
    }
  }
}

const isOutage = (error: unknown): boolean =>
  error instanceof RpcUnavailable || error instanceof RpcError || error instanceof ChainError
