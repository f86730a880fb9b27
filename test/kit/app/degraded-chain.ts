import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { RequestFinalizeBlock, ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import { formatAddress, VALIDATOR_PREFIX } from '../../../core/address.ts'
import { toHex } from '../../../core/bytes.ts'
import { packAny, wireType } from '../../../core/wire/registry.ts'
import { BOND_DENOM, consensusAddressOf } from '../../../modules/staking/api.ts'
import { type BlockFields, type ChainOptions, consensusAddress, consensusKey, TestChain } from './chain.ts'
import { CometSet, type Powers } from './comet-set.ts'

export const FRX = 10n ** 18n

/** The parts of an answer that CometBFT acts on. */
const decisive = ({
  appHash,
  validatorUpdates,
  consensusParamUpdates,
  txResults,
}: ResponseFinalizeBlock) => ({
  appHash: toHex(appHash),
  updates: validatorUpdates.map(({ pubKey, power }) => `${toHex(pubKey.ed25519!)} ${power}`),
  params: consensusParamUpdates,
  codes: txResults.map((r) => `${r.codespace}/${r.code} ${toHex(r.data)}`),
})

/**
 * The application with rounds that a test calls degraded, and CometBFT's part beside it: the votes of each block are
 * those of the set that its updates made.
 */
export class DegradedChain {
  readonly chain: TestChain
  readonly comet: CometSet
  readonly #degraded: Set<bigint>
  /** Users by the addresses of the consensus keys that they have, or would have. */
  readonly #names: ReadonlyMap<string, string>
  /** Blocks since the last commit, and what each came to. */
  #withheld: (readonly [RequestFinalizeBlock, ReturnType<typeof decisive>])[] = []

  private constructor(chain: TestChain, degraded: Set<bigint>) {
    this.chain = chain
    this.#degraded = degraded
    this.#names = new Map([...chain.users.keys()].map((name) => [toHex(consensusAddress(name)), name]))
    this.comet = new CometSet(new Map(chain.validators.map((v) => [toHex(consensusAddress(v)), 100n])))
  }

  /** `maxGas`: what a block's gas is from some heights on. */
  static async start(
    options: ChainOptions,
    maxGas: ReadonlyMap<bigint, bigint> = new Map(),
  ): Promise<DegradedChain> {
    const degraded = new Set<bigint>()
    return new DegradedChain(await TestChain.start({ rounds: { degraded, maxGas }, ...options }), degraded)
  }

  stop(): Promise<void> {
    return this.chain.stop()
  }

  healthy(...txs: readonly Uint8Array[]): Promise<ResponseFinalizeBlock> {
    return this.block({}, ...txs)
  }

  withheld(...txs: readonly Uint8Array[]): Promise<ResponseFinalizeBlock> {
    return this.block({ isDegraded: true }, ...txs)
  }

  /** The next block, without the votes of the validators in `absent`. */
  async block(
    {
      isDegraded = false,
      absent = [],
      ...fields
    }: Omit<BlockFields, 'votes'> & { isDegraded?: boolean; absent?: readonly string[] },
    ...txs: readonly Uint8Array[]
  ): Promise<ResponseFinalizeBlock> {
    const { chain, comet } = this
    const height = chain.height + 1n
    if (isDegraded) this.#degraded.add(height)
    const voters = height === 1n ? [] : [...comet.at(height - 1n)]
    const votes = voters.map(([id, power]) => {
      const name = this.#names.get(id)!
      return { name, power, absent: absent.includes(name) }
    })
    const request = chain.blockRequest(height, txs, { ...fields, votes })
    const answer = await this.#play(request)
    comet.apply(height, answer.validatorUpdates)
    this.#withheld = isDegraded ? [...this.#withheld, [request, decisive(answer)]] : []
    return answer
  }

  /** Ends the node and starts it again: CometBFT replays what was not committed. Throws where anything differs. */
  async crash(): Promise<void> {
    await this.chain.restart()
    for (const [request, before] of this.#withheld) {
      const again = decisive(await this.#play(request))
      if (JSON.stringify(again) !== JSON.stringify(before))
        throw new Error(`replayed block ${request.height} differs: ${JSON.stringify([before, again])}`)
    }
  }

  async #play(request: RequestFinalizeBlock): Promise<ResponseFinalizeBlock> {
    const answer = await this.chain.app.finalizeBlock(request)
    await this.chain.app.commit()
    this.chain.height = request.height
    return answer
  }

  /** The committed state's validator set. */
  async bonded(): Promise<Powers> {
    const { validators } = await this.chain.query<{ validators: Validator[] }>(
      '/cosmos.staking.v1beta1.Query/Validators',
      { status: 'BOND_STATUS_BONDED' },
    )
    return new Map(validators.map((v) => [toHex(consensusAddressOf(v)), BigInt(v.tokens) / FRX]))
  }

  /** A signed transaction of `who` with one message of the staking module's or another's full name. */
  sign(who: string, name: string, value: object): Uint8Array {
    const message = packAny(`cosmos.${name}`, wireType(`cosmos.${name}`).fromPartial(value))
    return this.chain.sign(who, { messages: [message], fee: { amount: [], gasLimit: 2_000_000n } })
  }

  delegate(who: string, validator: string, amount: bigint): Uint8Array {
    return this.sign(who, 'staking.v1beta1.MsgDelegate', this.#stake(who, validator, amount))
  }

  undelegate(who: string, validator: string, amount: bigint): Uint8Array {
    return this.sign(who, 'staking.v1beta1.MsgUndelegate', this.#stake(who, validator, amount))
  }

  unjail(who: string): Uint8Array {
    return this.sign(who, 'slashing.v1beta1.MsgUnjail', { validatorAddr: this.operator(who) })
  }

  createValidator(who: string, amount: bigint, key = who): Uint8Array {
    return this.sign(who, 'staking.v1beta1.MsgCreateValidator', {
      description: { moniker: who },
      commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
      minSelfDelegation: '1',
      validatorAddress: this.operator(who),
      pubkey: packAny('cosmos.crypto.ed25519.PubKey', { key: consensusKey(key).publicKey }),
      value: { denom: BOND_DENOM, amount: amount.toString() },
    })
  }

  operator(who: string): string {
    return formatAddress(this.chain.user(who).address, VALIDATOR_PREFIX)
  }

  #stake(who: string, validator: string, amount: bigint): object {
    return {
      delegatorAddress: this.chain.user(who).text,
      validatorAddress: this.operator(validator),
      amount: { denom: BOND_DENOM, amount: amount.toString() },
    }
  }
}
