import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../../core/address.ts'
import { sha256, toHex, utf8 } from '../../../core/bytes.ts'
import { type Block, Context, type Misbehavior, type Mode, type Vote } from '../../../core/context.ts'
import { ED25519_URL } from '../../../core/crypto/public-key.ts'
import { gasMeter } from '../../../core/gas.ts'
import { type Event, Journal } from '../../../core/journal.ts'
import { listenersOf, type Module } from '../../../core/module.ts'
import { wireType } from '../../../core/wire/registry.ts'
import { Classifier } from '../../../daemon/classifier/classifier.ts'
import { ownModelHash, ownModels } from '../../../daemon/classifier/model-files.ts'
import { ensureModuleAccount } from '../../../modules/auth/api.ts'
import { modules } from '../../../modules/index.ts'
import * as slashing from '../../../modules/slashing/api.ts'
import * as staking from '../../../modules/staking/api.ts'
import { quietLog } from '../app/chain.ts'
import { type Member, Rotation } from '../soak/rotation.ts'
import { MemoryState } from '../store/memory-state.ts'

const CHAIN_ID = 'fornax-7'
const START_NS = 1_800_000_000_000_000_000n
const SLOT_NS = 5_000_000_000n
const NO_BYTES = new Uint8Array(0)

const moduleOf = (name: string): Module => modules.find((module) => module.name === name)!
/** The SDK's downtime looks back on 10,000 blocks: no play is so long. */
const judges = ['classifier', 'evidence', 'agents'].map(moduleOf)
const stakers = moduleOf('staking')

const listeners = listenersOf(modules)
const executing = (journal: Journal, block: Block, mode: Mode): Context =>
  new Context(journal, block, mode, gasMeter(), listeners)

const classifier = new Classifier({ folders: [ownModels], log: quietLog })

const nameOf = (i: number): string => `validator ${i}`
const pubKeyOf = (i: number): Uint8Array => sha256(utf8(nameOf(i)))
const operatorAt = (i: number): Address => sha256(utf8(`operator ${i}`)).subarray(0, 20) as Address
const consensusAt = (i: number): Address => sha256(pubKeyOf(i)).subarray(0, 20) as Address

/** Names of one validator. */
export interface Validator {
  readonly index: number
  readonly operator: Address
  readonly operatorText: string
  readonly address: Address
  readonly id: string
}

const known: Validator[] = []
export function validatorAt(index: number): Validator {
  known[index] ??= {
    index,
    operator: operatorAt(index),
    operatorText: formatAddress(operatorAt(index), VALIDATOR_PREFIX),
    address: consensusAt(index),
    id: toHex(consensusAt(index)),
  }
  return known[index]
}

const handler = (module: string, method: string): ((ctx: Context, message: unknown) => unknown) =>
  moduleOf(module).messages.find((m) => m.method === method)!.handler.run

const createValidator = handler('staking', 'CreateValidator')
const unjail = handler('slashing', 'Unjail')
const submitTelemetry = handler('classifier', 'SubmitMetrics')

/** What CometBFT tells of a block. */
export interface BlockFields {
  readonly proposer: Address
  readonly votes: readonly Vote[]
  readonly misbehavior?: readonly Misbehavior[]
}

function blockAt(height: bigint, fields?: BlockFields): Block {
  return {
    chainId: CHAIN_ID,
    height,
    timeNs: timeAt(height),
    hash: NO_BYTES,
    appHash: NO_BYTES,
    nextValidatorsHash: NO_BYTES,
    proposer: fields?.proposer ?? (NO_BYTES as Address),
    votes: fields?.votes ?? [],
    misbehavior: fields?.misbehavior ?? [],
  }
}

export const timeAt = (height: bigint): bigint => START_NS + height * SLOT_NS

const coin = (power: bigint) => ({ denom: 'afrx', amount: `${power * 10n ** 18n}` })

function genesisOf({ name, genesis }: Module, powers: readonly bigint[]): unknown {
  const state = genesis!.defaults() as Record<string, object>
  if (name === 'bank')
    return {
      ...state,
      balances: powers.map((power, i) => ({
        address: formatAddress(operatorAt(i)),
        coins: [coin(power)],
      })),
    }
  if (name === 'staking') return { ...state, params: { ...state['params'], maxValidators: 240 } }
  if (name === 'classifier') return { ...state, model: { sha256: ownModelHash()!, activationHeight: 0n } }
  return state
}

const genesisValidator = (i: number, power: bigint) =>
  wireType('cosmos.staking.v1beta1.MsgCreateValidator').fromPartial({
    description: { moniker: nameOf(i) },
    commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
    minSelfDelegation: '1',
    validatorAddress: formatAddress(operatorAt(i), VALIDATOR_PREFIX),
    pubkey: { typeUrl: ED25519_URL, value: PubKey.encode({ key: pubKeyOf(i) }).finish() },
    value: coin(power),
  })

/** What a block came to. */
export interface Outcome {
  readonly degraded: boolean
  readonly events: readonly Event[]
}

/**
 * The chain's own modules on a journal, from a genesis with these powers: what the judges do in each block, the model's
 * scores, and CometBFT's sets and turns. Nothing is signed, hashed or stored, so that a block costs a millisecond.
 */
export class Network {
  readonly rotation: Rotation
  height: bigint
  readonly #journal: Journal
  #ctx: Context
  /** Reports on the states of the last two heights, the older one first: votes carry it when the newer one is made. */
  #reports: readonly [Uint8Array, Uint8Array]

  private constructor(
    journal: Journal,
    rotation: Rotation,
    height: bigint,
    reports: readonly [Uint8Array, Uint8Array],
  ) {
    this.#journal = journal
    this.rotation = rotation
    this.height = height
    this.#ctx = executing(journal, blockAt(height), 'block')
    this.#reports = reports
  }

  static async begin(powers: readonly bigint[]): Promise<Network> {
    const journal = new Journal(new MemoryState())
    const ctx = executing(journal, blockAt(0n), 'genesis')
    for (const module of modules)
      if (module.genesis !== undefined) module.genesis.init(ctx, genesisOf(module, powers) as never)
    for (const { accounts } of modules)
      for (const [name, permissions] of Object.entries(accounts)) ensureModuleAccount(ctx, name, permissions)
    for (const [i, power] of powers.entries()) createValidator(ctx, genesisValidator(i, power))
    const members = stakers.validatorUpdates!(ctx).map(
      ({ pubKey, power }): Member => ({ address: sha256(pubKey.ed25519!).subarray(0, 20), power }),
    )
    journal.takeEvents()
    const report = await classifier.report(ctx)
    return new Network(journal, new Rotation(members), 0n, [report, report])
  }

  /** Another network that goes on from here; this one stays as it is, and must. */
  fork(): Network {
    return new Network(new Journal(this.#journal), this.rotation.copy(), this.height, this.#reports)
  }

  /** The state after the last block. */
  get ctx(): Context {
    return this.#ctx
  }

  /** What an honest validator reports with the vote on the last block. */
  get report(): Uint8Array {
    return this.#reports[0]
  }

  async block(fields: BlockFields): Promise<Outcome> {
    this.height++
    this.#ctx = executing(this.#journal, blockAt(this.height, fields), 'block')
    for (const module of judges) await module.beginBlock?.(this.#ctx)
    return this.#finish()
  }

  async #finish(): Promise<Outcome> {
    const ctx = this.#ctx
    for (const module of judges) await module.endBlock?.(ctx)
    await stakers.endBlock!(ctx)
    const degraded = judges.some((module) => module.degraded?.(ctx) !== undefined)
    this.rotation.apply(this.height, degraded ? [] : stakers.validatorUpdates!(ctx))
    this.#reports = [this.#reports[1], await classifier.report(ctx)]
    return { degraded, events: this.#journal.takeEvents() }
  }

  /** What a validator tells of its host, from now on. */
  tell({ operatorText }: Validator, telemetry: object): void {
    const body = utf8(JSON.stringify({ node: operatorText, ...telemetry }))
    submitTelemetry(this.#ctx, {
      validator: operatorText,
      body,
      timestampMs: timeAt(this.height) / 1_000_000n,
    })
  }

  /** Brings a validator back whose time in jail is up. */
  bringBack({ operator, operatorText }: Validator): boolean {
    const v = staking.validator(this.#ctx, operator)
    const info = slashing.signingInfo(this.#ctx, operator)
    if (!v?.jailed || info === undefined || info.tombstoned) return false
    if (info.jailedUntil.seconds >= this.#ctx.timeNs / 1_000_000_000n) return false
    unjail(this.#ctx, { validatorAddr: operatorText })
    return true
  }
}
