import { createBlock } from '@ethereumjs/block'
import type { Common, StateManagerInterface } from '@ethereumjs/common'
import { createEVM, type EVMOpts } from '@ethereumjs/evm'
import { createTx } from '@ethereumjs/tx'
import {
  Account,
  bigIntToBytes,
  bytesToHex,
  KECCAK256_NULL,
  KECCAK256_RLP,
  Address as LibraryAddress,
} from '@ethereumjs/util'
import { createVM, runTx } from '@ethereumjs/vm'
import { type Address, checkAddress } from '../../../core/address.ts'
import { NO_BYTES, toHex } from '../../../core/bytes.ts'
import type { Context } from '../../../core/context.ts'
import { burnBalance } from '../../../modules/bank/api.ts'
import type { BlockEnvironment } from '../../../modules/evm/machine/frame.ts'
import { wordBytes, wordOf } from '../../../modules/evm/machine/word.ts'
import type { World } from '../../../modules/evm/machine/world.ts'
import type { EthereumTx } from '../../../modules/evm/transaction/ethereum-tx.ts'
import { NATIVE_DENOM } from '../../../modules/evm/world-state.ts'
import { give } from './chain-state.ts'

/** Told where an account has storage, for EIP-7610; the library only compares it with the root of none. */
const SOME_ROOT = new Uint8Array(32).fill(1)

const unpadded = (value: bigint): Uint8Array => (value === 0n ? NO_BYTES : bigIntToBytes(value))
const from = (address: LibraryAddress): Address => checkAddress(address.bytes)

/** The library's interface to a state, over the chain's own. */
class ChainStateManager {
  readonly #ctx: Context
  readonly #world: World
  readonly #originals = new Map<string, Uint8Array>()

  constructor(ctx: Context, world: World) {
    this.#ctx = ctx
    this.#world = world
  }

  readonly originalStorageCache = {
    get: async (address: LibraryAddress, key: Uint8Array): Promise<Uint8Array> => {
      const id = `${address}/${toHex(key)}`
      const known = this.#originals.get(id) ?? (await this.getStorage(address, key))
      this.#originals.set(id, known)
      return known
    },
    clear: (): void => this.#originals.clear(),
  }

  async getAccount(address: LibraryAddress): Promise<Account | undefined> {
    const at = from(address)
    const [nonce, balance, codeHash] = [
      this.#world.nonce(at),
      this.#world.balance(at),
      this.#world.codeHash(at),
    ]
    const hasStorage = this.#world.hasStorage(at)
    if (nonce === 0n && balance === 0n && codeHash === undefined && !hasStorage) return undefined
    return new Account(nonce, balance, hasStorage ? SOME_ROOT : KECCAK256_RLP, codeHash ?? KECCAK256_NULL)
  }

  async putAccount(address: LibraryAddress, account?: Account): Promise<void> {
    if (account === undefined) return this.deleteAccount(address)
    const at = from(address)
    const before = this.#world.balance(at)
    if (account.balance > before) give(this.#ctx, at, account.balance - before)
    else if (account.balance < before) burnBalance(this.#ctx, at, NATIVE_DENOM, before - account.balance)
    if (account.nonce !== this.#world.nonce(at)) this.#world.setNonce(at, account.nonce)
  }

  async deleteAccount(address: LibraryAddress): Promise<void> {
    this.#world.remove(from(address))
  }

  async modifyAccountFields(
    address: LibraryAddress,
    fields: Partial<Pick<Account, 'nonce' | 'balance'>>,
  ): Promise<void> {
    const account = (await this.getAccount(address)) ?? new Account()
    if (fields.nonce !== undefined) account.nonce = fields.nonce
    if (fields.balance !== undefined) account.balance = fields.balance
    await this.putAccount(address, account)
  }

  async putCode(address: LibraryAddress, code: Uint8Array): Promise<void> {
    this.#world.setCode(from(address), code)
  }

  async getCode(address: LibraryAddress): Promise<Uint8Array> {
    return this.#world.code(from(address)).bytes
  }

  async getCodeSize(address: LibraryAddress): Promise<number> {
    return (await this.getCode(address)).length
  }

  async getStorage(address: LibraryAddress, key: Uint8Array): Promise<Uint8Array> {
    return unpadded(this.#world.storage(from(address), key))
  }

  async putStorage(address: LibraryAddress, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#world.setStorage(from(address), key, wordOf(value))
  }

  /** Nothing is created where there is storage. */
  async clearStorage(): Promise<void> {}

  async checkpoint(): Promise<void> {
    this.#world.checkpoint()
  }

  async commit(): Promise<void> {
    this.#world.commit()
  }

  async revert(): Promise<void> {
    this.#world.revert()
  }

  async getStateRoot(): Promise<Uint8Array> {
    return SOME_ROOT
  }

  async setStateRoot(): Promise<void> {}

  async hasStateRoot(): Promise<boolean> {
    return true
  }

  clearCaches(): void {
    this.#originals.clear()
  }

  shallowCopy(): this {
    return this
  }
}

export interface SlowResult {
  readonly gasUsed: number
  readonly failed: boolean
  readonly logs: readonly (readonly [Uint8Array, readonly Uint8Array[], Uint8Array])[]
}

type SlowTx = Omit<EthereumTx, 'bytes' | 'hash' | 'type' | 'v' | 'r' | 's'>

/** Runs a transaction by the library's own machine, as it is, on the chain's own state. */
export async function runSlowly(
  tx: SlowTx,
  ctx: Context,
  world: World,
  env: BlockEnvironment,
  common: Common,
  options: Partial<EVMOpts> = {},
): Promise<SlowResult> {
  const stateManager = new ChainStateManager(ctx, world) as unknown as StateManagerInterface
  const blockchain = {
    getBlock: async (number: number) => ({ hash: () => wordBytes(world.blockHash(BigInt(number))) }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  }
  const evm = await createEVM({ ...options, common, stateManager, blockchain } as unknown as EVMOpts)
  const vm = await createVM({ common, stateManager, evm } as unknown as Parameters<typeof createVM>[0])
  const type = tx.authorizations.length > 0 ? 4 : tx.maxFeePerGas !== tx.maxPriorityFeePerGas ? 2 : 1
  const prices =
    type === 1
      ? { gasPrice: tx.maxFeePerGas }
      : { maxFeePerGas: tx.maxFeePerGas, maxPriorityFeePerGas: tx.maxPriorityFeePerGas }
  const made = createTx(
    {
      type,
      chainId: env.chainId,
      nonce: tx.nonce,
      gasLimit: tx.gasLimit,
      ...(tx.to && { to: new LibraryAddress(tx.to) }),
      value: tx.value,
      data: tx.data,
      accessList: tx.accessList.map(({ address, slots }) => ({
        address: bytesToHex(address),
        storageKeys: slots.map((slot) => bytesToHex(slot)),
      })),
      ...(type === 4 && { authorizationList: tx.authorizations.map(authorizationJson) }),
      ...prices,
    },
    { common, freeze: false },
  )
  const signed = Object.assign(made, {
    getSenderAddress: () => new LibraryAddress(tx.sender),
    isSigned: () => true,
  })
  const block = createBlock(
    {
      header: {
        number: env.number,
        timestamp: env.timestamp,
        coinbase: new LibraryAddress(env.coinbase),
        mixHash: env.prevRandao,
        gasLimit: env.gasLimit,
        baseFeePerGas: env.baseFee,
      },
    },
    { common, skipConsensusFormatValidation: true },
  )
  const result = await runTx(vm, { tx: signed, block, skipHardForkValidation: true })
  return {
    gasUsed: Number(result.totalGasSpent),
    failed: result.execResult.exceptionError !== undefined,
    logs: result.execResult.logs ?? [],
  }
}

const hex = (value: bigint): `0x${string}` => `0x${value.toString(16)}`

const authorizationJson = ({
  chainId,
  address,
  nonce,
  yParity,
  r,
  s,
}: EthereumTx['authorizations'][number]) => ({
  chainId: hex(chainId),
  address: bytesToHex(address),
  nonce: hex(nonce),
  yParity: hex(BigInt(yParity)),
  r: hex(r),
  s: hex(s),
})
