import { QueryAccountInfoRequest, QueryAccountInfoResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { CheckTxType, RequestQuery } from 'cosmjs-types/tendermint/abci/types'
import { formatAddress, VALIDATOR_PREFIX } from '../../../core/address.ts'
import { parsePublicKey } from '../../../core/crypto/public-key.ts'
import { ChainError } from '../../../core/error.ts'
import { packAny } from '../../../core/wire/registry.ts'
import { simulate } from '../../../daemon/app/simulate.ts'
import { user } from '../app/chain.ts'
import { Consensus } from '../oracle/consensus.ts'
import { type FornaxSubject, startFornax } from '../oracle/fornax.ts'
import { type ChainDescription, initRequest } from '../oracle/genesis.ts'
import { type Operation, send } from '../oracle/messages.ts'
import { pick, type Random, randomness } from '../random.ts'
import { type Cast, randomOperation } from '../simulation/operations.ts'
import { hostileTransaction, lookalikeOf, publicKeyOf } from './hostile-transactions.ts'
import { multisig, multisigTransaction } from './multisigs.ts'

const FUNDS = 1_000_000_000_000n
const people = Array.from({ length: 60 }, (_, i) => `person ${i}`)
const cast: Cast = {
  stalwarts: ['anchor', 'bedrock'],
  validators: ['val1', 'val2', 'val3', 'cand1', 'cand2'],
  people,
}
const description: ChainDescription = {
  validators: {
    anchor: { tokens: 400_000_000n, rate: '0.05' },
    bedrock: { tokens: 300_000_007n, rate: '0' },
    val1: { tokens: 10_000_000n, rate: '0.1' },
    val2: { tokens: 20_000_003n, rate: '0.3', maxRate: '0.9', maxChangeRate: '0.2' },
    val3: { tokens: 30_999_999n, rate: '0.333333333333333333' },
  },
  accounts: Object.fromEntries([...people, 'cand1', 'cand2'].map((name) => [name, FUNDS])),
  candidates: ['cand1', 'cand2'],
  sections: { staking: { params: { max_validators: 5, max_entries: 4, unbonding_time: '600s' } } },
}
const multisigs = Array.from({ length: 6 }, (_, i) => multisig(i))
const modules = ['bank', 'bank', 'staking', 'distribution', 'slashing', 'gov']

/** A chain of hostile transactions, whose cold twin must answer each block alike. */
export class HostileChain {
  readonly #fornax: FornaxSubject
  readonly #consensus: Consensus
  readonly #random: Random
  /** Results by codespace and code. */
  readonly codes = new Map<string, number>()

  private constructor(fornax: FornaxSubject, consensus: Consensus, seed: number) {
    this.#fornax = fornax
    this.#consensus = consensus
    this.#random = randomness(seed)
  }

  static async start(seed: number): Promise<HostileChain> {
    const fornax = await startFornax()
    const { validators } = await fornax.initChain(initRequest(fornax, description))
    return new HostileChain(fornax, new Consensus(validators), seed)
  }

  stop(): Promise<void> {
    return this.#fornax.stop()
  }

  /** Plays a block of up to `count` transactions, of which no two have a signer, and answers how many there were. */
  async block(count: number): Promise<number> {
    const operations = new Map<string, Operation>()
    for (let i = 0; i < count; i++) {
      const next = this.#operation()
      operations.set(next.signer, next)
    }
    const txs: Uint8Array[] = []
    for (const operation of operations.values())
      txs.push(hostileTransaction(this.#random, operation, await this.#account(user(operation.signer).text)))
    const shared = pick(this.#random, multisigs)
    txs.push(multisigTransaction(this.#random, shared, await this.#account(shared.address)))
    // Some stand in it twice.
    if (this.#random(4) === 0) txs.push(pick(this.#random, txs))
    await this.#warm(txs)
    const request = this.#consensus.next({ txs, afterNs: BigInt(1 + this.#random(60)) * 1_000_000_000n })
    const answer = await this.#fornax.finalizeBlock(request)
    await this.#fornax.commit()
    this.#consensus.decided(request, answer.validatorUpdates)
    for (const { code, codespace } of answer.txResults) {
      const key = code === 0 ? 'ok' : `${codespace}/${code}`
      this.codes.set(key, (this.codes.get(key) ?? 0) + 1)
    }
    await this.#recheck(txs)
    return txs.length
  }

  #operation(): Operation {
    const random = this.#random
    if (random(12) > 0) return randomOperation(random, cast, this.#consensus.height, modules)
    const to = pick(random, [...people, ...cast.validators])
    const operation = send(pick(random, people), to, 1n)
    const { typeUrl } = operation.messages('fornax')[0]!
    const toAddress = random(3) === 0 ? pick(random, multisigs).address : formatAddress(lookalikeOf(to))
    const fromAddress = user(operation.signer).text
    return {
      ...operation,
      messages: () => [
        packAny(typeUrl.slice(1), { fromAddress, toAddress, amount: [{ denom: 'stake', amount: '9' }] }),
      ],
    }
  }

  async #account(address: string): Promise<{ accountNumber: bigint; sequence: bigint }> {
    const data = QueryAccountInfoRequest.encode({ address }).finish()
    const path = '/cosmos.auth.v1beta1.Query/AccountInfo'
    const { info } = QueryAccountInfoResponse.decode(
      (await this.#fornax.query(RequestQuery.fromPartial({ path, data }))).value,
    )
    return { accountNumber: info?.accountNumber ?? 0n, sequence: info?.sequence ?? 0n }
  }

  /** What a node does beside blocks, and one that was away has not done: it must not show. */
  async #warm(txs: readonly Uint8Array[]): Promise<void> {
    const random = this.#random
    const { app } = this.#fornax
    for (const tx of txs) {
      if (random(2) === 0) app.checkTx({ tx, type: CheckTxType.NEW })
      if (random(8) === 0) await this.#simulate(tx)
    }
    for (let i = 0; i < 4; i++) {
      const name = pick(random, [...people, ...cast.validators])
      formatAddress(user(name).address, random(2) === 0 ? VALIDATOR_PREFIX : 'fornax')
      formatAddress(lookalikeOf(name))
      parsePublicKey(publicKeyOf(name))
    }
  }

  async #simulate(tx: Uint8Array): Promise<void> {
    try {
      await simulate(this.#fornax.state, tx)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
    }
  }

  async #recheck(txs: readonly Uint8Array[]): Promise<void> {
    const { app } = this.#fornax
    for (const tx of txs) if (this.#random(3) === 0) app.checkTx({ tx, type: CheckTxType.RECHECK })
  }
}
