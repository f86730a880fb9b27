import { formatAddress } from '../../../../core/address.ts'
import type { Coin } from '../../../../core/coin.ts'
import { type KeyType, publicKeyOf } from '../../../../core/crypto/account-key.ts'
import { parseEitherAddress } from '../../../../core/hex-address.ts'
import { signTx } from '../../../../core/tx/build.ts'
import { packAny } from '../../../../core/wire/registry.ts'
import { account } from '../../../../modules/auth/api.ts'
import type { Chain } from '../../../app/chain.ts'
import type { CometRpc } from '../../../client/rpc.ts'
import { HttpError } from '../../errors.ts'
import { networkOf } from '../../rate-limit.ts'
import { objectSchema, type Route } from '../route.ts'
import { broadcast } from './broadcast.ts'

export interface FaucetOptions {
  readonly keyType: KeyType
  readonly privateKey: Uint8Array
  /** The coins that are given at a time, sorted by denomination. */
  readonly amount: readonly Coin[]
  /** Between two gifts to one address, and to one client. */
  readonly intervalMs: number
  /** The price of a unit of gas, in whole units of the denomination. */
  readonly gasPrice: { readonly denom: string; readonly amount: bigint }
}

const GAS = 300_000n
const MAX_REMEMBERED = 50_000

/** Before the networks of clients, among addresses. */
const CLIENT = 'from '

/** When each name may come again. */
class Intervals {
  readonly #until = new Map<string, number>()
  readonly #intervalMs: number

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  /** Throws 429 where one of the names came within the interval. Answers how to take it back. */
  take(names: readonly string[]): () => void {
    const now = performance.now()
    for (const name of names) {
      const wait = Math.ceil(((this.#until.get(name) ?? 0) - now) / 1000)
      if (wait > 0)
        throw new HttpError(
          429,
          'faucet_limit',
          `the faucet gives to this ${name.startsWith(CLIENT) ? 'client' : 'address'} again in ${wait} s`,
          { retry_after_s: wait },
          { 'retry-after': `${wait}` },
        )
    }
    for (const name of names) {
      this.#until.delete(name)
      this.#until.set(name, now + this.#intervalMs)
    }
    for (const name of this.#until.keys()) {
      if (this.#until.size <= MAX_REMEMBERED) break
      this.#until.delete(name)
    }
    return () => {
      for (const name of names) this.#until.delete(name)
    }
  }
}

/**
 * `POST /faucet`, and `POST /credit` for CosmJS's client: coins of a development chain for whoever asks. One gift is
 * signed and sent after another.
 */
export function faucetRoutes(chain: Chain, rpc: CometRpc, options: FaucetOptions): Route[] {
  const { keyType, privateKey } = options
  const { address: from } = publicKeyOf(keyType, privateKey)
  const intervals = new Intervals(options.intervalMs)
  const amount = options.amount.map(({ denom, amount }) => ({ denom, amount }))
  let last: Promise<unknown> = Promise.resolve()

  function sign(to: string): Uint8Array {
    // The mempool's state knows the sequences of transactions that are in no block yet.
    const payer = account(chain.view('checked'), from)
    if (payer === undefined) throw new HttpError(503, 'faucet_empty', 'the faucet has no funds')
    const { denom, amount: price } = options.gasPrice
    const fee = price === 0n ? [] : [{ denom, amount: (price * GAS).toString() }]
    const send = { fromAddress: formatAddress(from), toAddress: to, amount }
    return signTx(
      {
        messages: [packAny('cosmos.bank.v1beta1.MsgSend', send)],
        fee: { amount: fee, gasLimit: GAS },
      },
      chain.lastBlock.chainId,
      [{ keyType, privateKey, accountNumber: payer.accountNumber, sequence: payer.sequence }],
    )
  }

  /** Throws 400, 429, 503. Answers the hash of the transaction. */
  async function give(address: string, client: string): Promise<string> {
    const to = formatAddress(parseEitherAddress(address))
    const giveBack = intervals.take([to, `${CLIENT}${networkOf(client)}`])
    const sent = last.catch(() => {}).then(() => broadcast(rpc, sign(to)))
    last = sent
    try {
      return await sent
    } catch (error) {
      giveBack()
      throw error
    }
  }

  const address = { type: 'string', description: 'The recipient, fornax1… or 0x….' }
  const errors = {
    429: 'The address or the client asked a short while ago.',
    503: 'The faucet has no funds.',
  }
  return [
    {
      method: 'POST',
      path: '/faucet',
      tag: 'Development',
      summary: 'Ask for coins of a development chain',
      body: objectSchema({ address }),
      answers: {
        202: {
          description: 'The mempool took the transfer.',
          schema: objectSchema({
            tx_hash: { type: 'string' },
            amount: {
              type: 'array',
              items: objectSchema({ denom: { type: 'string' }, amount: { type: 'string' } }),
            },
          }),
        },
      },
      errors,
      async run({ body, client }) {
        const tx_hash = await give((body as { address: string }).address, client)
        return { status: 202, body: { tx_hash, amount } }
      },
    },
    {
      method: 'POST',
      path: '/credit',
      tag: 'Development',
      summary: "The same for the client of CosmJS's faucet",
      description: 'Gives what `/faucet` gives, all of it, where the denomination is one of it.',
      body: objectSchema({ denom: { type: 'string' }, address }),
      answers: {
        200: {
          description: 'The mempool took the transfer.',
          schema: { type: 'string', const: 'ok' },
          media: 'text/plain',
        },
      },
      errors: { ...errors, 422: 'The faucet does not give that denomination.' },
      async run({ body, client }) {
        const { denom, address } = body as { denom: string; address: string }
        const denoms = amount.map((coin) => coin.denom)
        if (!denoms.includes(denom))
          throw new HttpError(422, 'unknown_denom', `the faucet gives ${denoms.join(', ')} only`, { denoms })
        await give(address, client)
        return { status: 200, body: 'ok' }
      },
    },
  ]
}
