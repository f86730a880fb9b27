import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  CheckTxType,
  type Misbehavior,
  RequestFinalizeBlock,
  RequestInitChain,
  type ResponseFinalizeBlock,
} from 'cosmjs-types/tendermint/abci/types'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../../core/address.ts'
import { fromBase64, utf8 } from '../../../core/bytes.ts'
import { secp256k1Address, secp256k1PublicKey } from '../../../core/crypto/secp256k1.ts'
import type { Module } from '../../../core/module.ts'
import { nanosecondsOf, parseTimestamp, timestampOf } from '../../../core/time.ts'
import { signTx, type UnsignedTx } from '../../../core/tx/build.ts'
import { toJson } from '../../../core/wire/json.ts'
import { packAny, wireType } from '../../../core/wire/registry.ts'
import { type App, createApp } from '../../../daemon/app/app.ts'
import { Chain, type OwnTelemetry, type Reporter } from '../../../daemon/app/chain.ts'
import { type CometKey, cometKey } from '../../../daemon/comet/keys.ts'
import { Store } from '../../../daemon/store/store.ts'
import type { GenesisDocument } from '../../../genesis/document.ts'
import { modules as allModules } from '../../../modules/index.ts'
import { evmWithoutBaseFee } from '../evm/genesis.ts'
import { ColdTwin } from '../twin/cold-twin.ts'
import { type TestVote, unsignedExtendedCommit } from './extended-commit.ts'
import { type Rounds, roundsModule } from './rounds.ts'

export const CHAIN_ID = 'fornax-7'
const START_NS = 1_800_000_000_000_000_000n

/** A user of a test chain: a key made of the name, and its next sequence. */
export interface User {
  readonly name: string
  readonly privateKey: Uint8Array
  readonly address: Address
  readonly text: string
  accountNumber: bigint
  sequence: bigint
}

export function user(name: string, accountNumber = 0n): User {
  const privateKey = new Uint8Array(createHash('sha256').update(`user ${name}`).digest())
  const address = secp256k1Address(secp256k1PublicKey(privateKey))
  return { name, privateKey, address, text: formatAddress(address), accountNumber, sequence: 0n }
}

export interface ChainOptions {
  readonly users?: readonly string[]
  /** In place of the chain's own; there is no cold twin then. */
  readonly modules?: readonly Module[]
  /** A module is added that does with rounds what this says. */
  readonly rounds?: Rounds
  /** By default a twin that remembers nothing plays every block too (test/kit/twin). */
  readonly coldTwin?: boolean
  readonly path?: string
  readonly minimumGasPrices?: readonly { denom: string; atomics: bigint }[]
  readonly initialHeight?: bigint
  readonly maxGas?: bigint
  /** Validators of the genesis, with 100 FRX each; the first accounts. By default one, `validator`. */
  readonly validators?: readonly string[]
  /** Laid over the genesis file's app_state, section by section. */
  readonly appState?: Readonly<Record<string, object>>
  /** The bank's `denom_metadata`; by default none. */
  readonly metadata?: readonly object[]
  /** The whole app_state, in place of one with these validators and users. */
  readonly exported?: object
  /** Votes have extensions from the first height on: every block but the first carries an extended commit. */
  readonly voteExtensions?: boolean
  readonly reporter?: Reporter
  readonly ownTelemetry?: OwnTelemetry
  /** The whole genesis file, of an exported chain with these validators and users; its chain id is not used. */
  readonly document?: GenesisDocument
  /** Begins with the genesis of another chain, byte for byte. */
  readonly genesisOf?: TestChain
}

/** What CometBFT tells of a block besides its transactions. */
export interface BlockFields {
  /** Names of validators that voted for the last block, or did not, each with its power. */
  readonly votes?: readonly TestVote[]
  readonly misbehavior?: readonly Partial<Misbehavior>[]
  readonly proposer?: Uint8Array
  /** Nanoseconds that pass before this block besides the usual 5 s. */
  readonly afterNs?: bigint
}

const FUNDS = '1000000000000000000000000'
export const quietLog = {
  info() {},
  warn() {},
  /** A test that makes the node log an error must say so: everything else is a fault. */
  error(fields: object, message: string) {
    if (!message.startsWith('emergency halt')) console.error(message, fields)
  },
}

/** The consensus key of a validator: of its name. */
export const consensusKey = (name: string): CometKey =>
  cometKey(createHash('sha256').update(`validator ${name}`).digest())

/** Address of the consensus key of a validator of the genesis. */
export const consensusAddress = (name: string): Address => consensusKey(name).address as Address

function genesisTx(validator: User): unknown {
  const key = consensusKey(validator.name).publicKey
  const message = wireType('cosmos.staking.v1beta1.MsgCreateValidator').fromPartial({
    description: { moniker: validator.name },
    commission: {
      rate: '100000000000000000',
      maxRate: '200000000000000000',
      maxChangeRate: '10000000000000000',
    },
    minSelfDelegation: '1',
    validatorAddress: formatAddress(validator.address, VALIDATOR_PREFIX),
    pubkey: packAny('cosmos.crypto.ed25519.PubKey', { key }),
    value: { denom: 'afrx', amount: '100000000000000000000' },
  })
  const bytes = signTx(
    {
      messages: [packAny('cosmos.staking.v1beta1.MsgCreateValidator', message)],
      fee: { amount: [], gasLimit: 200000n },
    },
    CHAIN_ID,
    [{ privateKey: validator.privateKey, accountNumber: 0n, sequence: 0n }],
  )
  const raw = TxRaw.decode(bytes)
  return toJson('cosmos.tx.v1beta1.Tx', {
    body: TxBody.decode(raw.bodyBytes),
    authInfo: AuthInfo.decode(raw.authInfoBytes),
    signatures: raw.signatures,
  })
}

/** The real application on a real store in a temporary folder, driven block by block without CometBFT. */
export class TestChain {
  readonly path: string
  readonly users = new Map<string, User>()
  /** What the node has warned of, with the fields as JSON. */
  readonly warnings: string[] = []
  readonly #options: ChainOptions
  readonly #cold: ColdTwin | undefined
  app!: App
  state!: Chain
  store!: Store
  height = 0n

  private constructor(options: ChainOptions) {
    this.#options = options
    this.path = options.path ?? mkdtempSync(join(tmpdir(), 'fornax-app-'))
    const { rounds, modules, coldTwin = modules === undefined } = options
    if (coldTwin) this.#cold = new ColdTwin({ modules: 'all', ...(rounds && { rounds }) })
  }

  static async start(options: ChainOptions = {}): Promise<TestChain> {
    const chain = new TestChain(options)
    await chain.open()
    const names = [...chain.validators, ...(options.users ?? ['alice', 'bob', 'carol'])]
    for (const [i, name] of names.entries()) chain.users.set(name, user(name, BigInt(i)))
    for (const name of chain.validators) chain.user(name).sequence = 1n
    await chain.app.initChain(chain.initRequest())
    chain.height = chain.initialHeight - 1n
    return chain
  }

  get initialHeight(): bigint {
    return BigInt(this.#options.document?.initial_height ?? this.#options.initialHeight ?? 1n)
  }

  get validators(): readonly string[] {
    return this.#options.validators ?? ['validator']
  }

  user(name: string): User {
    return this.users.get(name)!
  }

  async open(): Promise<void> {
    const { rounds, modules: own = allModules } = this.#options
    const modules = rounds ? [...own, roundsModule(rounds)] : own
    const stores = modules.flatMap((m) => m.stores)
    this.store = await Store.open({ path: this.path, stores, pruning: { kind: 'nothing' } })
    this.state = new Chain({
      store: this.store,
      modules,
      version: '0.0.0-test',
      minimumGasPrices: this.#options.minimumGasPrices ?? [],
      log: {
        ...quietLog,
        warn: (fields: object, message: string) => this.warnings.push(`${message} ${JSON.stringify(fields)}`),
      },
      ...(this.#options.reporter && { reporter: this.#options.reporter }),
      ...(this.#options.ownTelemetry && { ownTelemetry: this.#options.ownTelemetry }),
    })
    this.app = createApp(this.state)
    this.height = BigInt(this.store.height)
    this.#cold?.follow(this.app)
  }

  /** Closes the store and opens it again, as a restarted node does. */
  async restart(): Promise<void> {
    await this.store.close()
    await this.open()
  }

  async stop(): Promise<void> {
    await this.#cold?.close()
    await this.store.close()
    rmSync(this.path, { recursive: true, force: true })
  }

  #appState: unknown
  /** The genesis file's app_state; the same object each time. */
  appState(): unknown {
    this.#appState ??= this.#options.genesisOf?.appState() ??
      this.#options.document?.app_state ??
      this.#options.exported ?? {
        auth: {
          params: {
            max_memo_characters: '256',
            tx_sig_limit: '7',
            tx_size_cost_per_byte: '10',
            sig_verify_cost_ed25519: '590',
            sig_verify_cost_secp256k1: '1000',
          },
          accounts: [...this.users.values()].map((u) => ({
            '@type': '/cosmos.auth.v1beta1.BaseAccount',
            address: u.text,
            account_number: u.accountNumber.toString(),
          })),
        },
        bank: {
          params: { default_send_enabled: true },
          balances: [...this.users.values()].map((u) => ({
            address: u.text,
            coins: [{ denom: 'afrx', amount: FUNDS }],
          })),
          denom_metadata: this.#options.metadata ?? [],
        },
        evm: evmWithoutBaseFee(),
        ...this.#options.appState,
        genutil: { gen_txs: this.validators.map((name) => genesisTx(this.user(name))) },
      }
    return this.#appState
  }

  initRequest(appState: unknown = this.appState()): RequestInitChain {
    return RequestInitChain.fromPartial({
      time: timestampOf(this.#startNs),
      chainId: CHAIN_ID,
      initialHeight: this.initialHeight,
      validators: (this.#options.document?.validators ?? []).map(({ pub_key, power }) => ({
        pubKey: { ed25519: fromBase64(pub_key.value) },
        power: BigInt(power),
      })),
      appStateBytes: utf8(JSON.stringify(appState)),
      consensusParams: {
        block: { maxBytes: 4_194_304n, maxGas: this.#options.maxGas ?? 100_000_000n },
        evidence: {
          maxAgeNumBlocks: 100_000n,
          maxAgeDuration: { seconds: 172_800n, nanos: 0 },
          maxBytes: 1_048_576n,
        },
        validator: { pubKeyTypes: ['ed25519'] },
        version: {},
        abci: { voteExtensionsEnableHeight: this.#options.voteExtensions ? 1n : 0n },
      },
    })
  }

  get #startNs(): bigint {
    const { document } = this.#options
    return document === undefined ? START_NS : nanosecondsOf(parseTimestamp(document.genesis_time))
  }

  #skippedNs = 0n
  /** The time of the block at `height` with the time skipped so far. */
  timeOf(height: bigint): bigint {
    return this.#startNs + (height - this.initialHeight + 1n) * 5_000_000_000n + this.#skippedNs
  }

  blockRequest(height: bigint, txs: readonly Uint8Array[], fields: BlockFields = {}): RequestFinalizeBlock {
    this.#skippedNs += fields.afterNs ?? 0n
    return RequestFinalizeBlock.fromPartial({
      txs: this.#carriesExtendedCommit(height)
        ? [unsignedExtendedCommit(fields.votes ?? []), ...txs]
        : [...txs],
      height,
      time: timestampOf(this.timeOf(height)),
      hash: createHash('sha256').update(`block ${height}`).digest(),
      proposerAddress: fields.proposer ?? new Uint8Array(20).fill(1),
      decidedLastCommit: {
        votes: (fields.votes ?? []).map(({ name, power, absent, nil }) => ({
          validator: { address: consensusAddress(name), power },
          blockIdFlag: absent
            ? BlockIDFlag.BLOCK_ID_FLAG_ABSENT
            : nil
              ? BlockIDFlag.BLOCK_ID_FLAG_NIL
              : BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
        })),
      },
      misbehavior: [...(fields.misbehavior ?? [])],
    })
  }

  #carriesExtendedCommit(height: bigint): boolean {
    return this.#options.voteExtensions === true && height > 1n && height > this.initialHeight
  }

  /** Finalizes and commits the next block. */
  block(...txs: readonly Uint8Array[]): Promise<ResponseFinalizeBlock> {
    return this.blockWith({}, ...txs)
  }

  /** The same, with votes, misbehavior and the like. */
  async blockWith(fields: BlockFields, ...txs: readonly Uint8Array[]): Promise<ResponseFinalizeBlock> {
    this.height++
    const answer = await this.app.finalizeBlock(this.blockRequest(this.height, txs, fields))
    await this.app.commit()
    if (!this.#carriesExtendedCommit(this.height)) return answer
    return { ...answer, txResults: answer.txResults.slice(1) }
  }

  check(tx: Uint8Array, type: CheckTxType = CheckTxType.NEW): ReturnType<App['checkTx']> {
    return this.app.checkTx({ tx, type })
  }

  /** Signs for one user and counts its sequence up. */
  sign(from: string, tx: Partial<UnsignedTx> & Pick<UnsignedTx, 'messages'>): Uint8Array {
    const u = this.user(from)
    const { privateKey, accountNumber, sequence } = u
    u.sequence++
    return signTx({ fee: { amount: [], gasLimit: 200_000n }, ...tx }, CHAIN_ID, [
      { privateKey, accountNumber, sequence },
    ])
  }

  send(from: string, to: string, amount: bigint | string, tx: Partial<UnsignedTx> = {}): Uint8Array {
    return this.sign(from, { messages: [this.sendMessage(from, to, amount)], ...tx })
  }

  sendMessage(from: string, to: string, amount: bigint | string): { typeUrl: string; value: Uint8Array } {
    const toAddress = (this.users.get(to) ?? user(to)).text
    return packAny('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: this.user(from).text,
      toAddress,
      amount: [{ denom: 'afrx', amount: amount.toString() }],
    })
  }

  /** Runs a query by its method path on the last committed state. */
  async query<T>(path: string, request: object = {}, height = 0n): Promise<T> {
    const method = this.state.router.methods.get(path)!
    const answer = await this.app.query({
      path,
      data: wireType(method.input).encode(wireType(method.input).fromPartial(request)).finish(),
      height,
      prove: false,
    })
    if (answer.code !== 0)
      throw Object.assign(new Error(answer.log), { code: answer.code, codespace: answer.codespace })
    return wireType(method.output).decode(answer.value) as T
  }

  async sequence(name: string): Promise<bigint> {
    const { info } = await this.query<{ info: { sequence: bigint } }>(
      '/cosmos.auth.v1beta1.Query/AccountInfo',
      { address: this.user(name).text },
    )
    return info.sequence
  }

  async balance(name: string, height = 0n): Promise<bigint> {
    const { balance } = await this.query<{ balance: { amount: string } }>(
      '/cosmos.bank.v1beta1.Query/Balance',
      { address: (this.users.get(name) ?? user(name)).text, denom: 'afrx' },
      height,
    )
    return BigInt(balance.amount)
  }
}
