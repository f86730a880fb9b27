import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import type { ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import { formatAddress, VALIDATOR_PREFIX } from '../../../core/address.ts'
import { toHex } from '../../../core/bytes.ts'
import type { Any } from '../../../core/wire/registry.ts'
import type { Ban } from '../../../proto/gen/fornax/agents/v1/agents.ts'
import { Rotation } from '../soak/rotation.ts'
import { consensusAddress } from './chain.ts'
import { message } from './governance.ts'
import { newValidator } from './new-validator.ts'
import { type Conduct, ScoredChain, section } from './scored-chain.ts'

export const range = (count: number, prefix = 'v'): string[] =>
  Array.from({ length: count }, (_, i) => prefix + i)

/** Staking's genesis section with other parameters. */
export const stakingWith = (params: object) => {
  const staking = section('staking')
  return { ...staking, params: { ...(staking['params'] as object), ...params } }
}

interface Start {
  readonly validators: readonly string[]
  readonly users?: readonly string[]
  readonly appState?: Record<string, object>
}

/** A scored chain, and what has come of it: rounds withheld, and penalties. */
export class WatchedChain {
  readonly net: ScoredChain
  readonly #rotation: Rotation
  readonly #penalties = new Map<string, Set<string>>()
  /** Validators of the genesis in the order of places on the roster, in which those of equal power propose. */
  readonly ranked: readonly string[]
  degraded = 0

  private constructor(net: ScoredChain) {
    this.net = net
    const ids = new Map(net.chain.validators.map((name) => [name, toHex(consensusAddress(name))]))
    this.ranked = [...ids.keys()].sort((a, b) => (ids.get(a)! < ids.get(b)! ? -1 : 1))
    this.#rotation = new Rotation(
      net.chain.validators.map((name) => ({ address: consensusAddress(name), power: 100n })),
    )
  }

  static async start({ users = [], ...options }: Start): Promise<WatchedChain> {
    return new WatchedChain(await ScoredChain.start({ users, coldTwin: false, ...options }))
  }

  stop(): Promise<void> {
    return this.net.stop()
  }

  /** Whose turn the next block is, as CometBFT has it; to be asked once a block. */
  turn(): string {
    const [{ address }] = this.#rotation.proposer(this.net.chain.height + 1n, () => false)
    return [...this.net.chain.users.keys()].find((n) => toHex(consensusAddress(n)) === toHex(address))!
  }

  async block(conduct: Conduct = {}, ...txs: readonly Uint8Array[]): Promise<ResponseFinalizeBlock> {
    const { chain } = this.net
    const answer = await this.net.block(conduct, ...txs)
    for (const { code, log } of answer.txResults) if (code !== 0) throw new Error(log)
    this.#rotation.apply(chain.height, answer.validatorUpdates)
    if (BigInt(chain.state.store.height) < chain.height) this.degraded++
    for (const { type, attributes } of answer.events) {
      const of = (key: string): string => attributes.find((a) => a.key === key)?.value ?? ''
      if (type !== 'fornax.agents.v1.EventPenalty') continue
      const node: string = JSON.parse(of('node'))
      const told = this.#penalties.get(node) ?? new Set<string>()
      this.#penalties.set(node, told.add(`${JSON.parse(of('penalty'))} ${JSON.parse(of('reason'))}`))
    }
    return answer
  }

  async blocks(count: number, conduct: (i: number) => Conduct = () => ({})): Promise<void> {
    for (let i = 0; i < count; i++) await this.block(conduct(i))
  }

  operator(name: string): string {
    return formatAddress(this.net.chain.user(name).address, VALIDATOR_PREFIX)
  }

  /** What was decided on a validator, each once. */
  penalties(name: string): string[] {
    return [...(this.#penalties.get(this.operator(name)) ?? [])]
  }

  async validator(name: string): Promise<Validator> {
    const request = { validatorAddr: this.operator(name) }
    return (
      await this.net.chain.query<{ validator: Validator }>('/cosmos.staking.v1beta1.Query/Validator', request)
    ).validator
  }

  /** What has become of a validator, in words. */
  async fate(name: string): Promise<string> {
    const { bans } = await this.net.chain.query<{ bans: Ban[] }>('/fornax.agents.v1.Query/Bans')
    const ban = bans.find(({ node }) => node === this.operator(name))
    const { jailed, tokens } = await this.validator(name)
    const standing = ban ? `banned for ${ban.reason}` : jailed ? 'jailed' : 'free'
    return `${standing}, ${Number(BigInt(tokens) / 10n ** 12n) / 1e6} FRX`
  }

  account(name: string): string {
    return this.net.chain.user(name).text
  }

  /** Puts afrx of a validator's own account into its stake, or takes them out. */
  stake(kind: 'MsgDelegate' | 'MsgUndelegate', name: string, amount: bigint): Uint8Array {
    const value = {
      delegatorAddress: this.account(name),
      validatorAddress: this.operator(name),
      amount: { denom: 'afrx', amount: `${amount}` },
    }
    return this.#sign(name, message(`cosmos.staking.v1beta1.${kind}`, value))
  }

  /** A user becomes a validator with this stake in afrx, and the consensus key of a name. */
  create(name: string, amount: bigint, key = name): Uint8Array {
    return this.#sign(name, newValidator(name, amount, key))
  }

  /** With so little gas that a block holds one of each of a hundred validators. */
  #sign(who: string, message: Any): Uint8Array {
    return this.net.chain.sign(who, { messages: [message], fee: { amount: [], gasLimit: 400_000n } })
  }
}
