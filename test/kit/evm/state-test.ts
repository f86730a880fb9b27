import { type Common, createCustomCommon, type Hardfork, Mainnet } from '@ethereumjs/common'
import { getActivePrecompiles, NobleBLS, NobleBN254, paramsEVM } from '@ethereumjs/evm'
import { RLP } from '@ethereumjs/rlp'
import { checkAddress } from '../../../core/address.ts'
import { toHex } from '../../../core/bytes.ts'
import type { Context } from '../../../core/context.ts'
import { keccak256 } from '../../../core/crypto/keccak.ts'
import { burnBalance } from '../../../modules/bank/api.ts'
import type { BlockEnvironment } from '../../../modules/evm/machine/frame.ts'
import { instructionSet } from '../../../modules/evm/machine/instruction-set.ts'
import { libraryPrecompiles } from '../../../modules/evm/machine/library-precompiles.ts'
import { Machine } from '../../../modules/evm/machine/machine.ts'
import { wordBytes } from '../../../modules/evm/machine/word.ts'
import { applyTransaction } from '../../../modules/evm/transaction/apply.ts'
import { type EthereumTx, effectiveGasPrice } from '../../../modules/evm/transaction/ethereum-tx.ts'
import { intrinsicGas } from '../../../modules/evm/transaction/intrinsic-gas.ts'
import { NATIVE_DENOM, WorldState } from '../../../modules/evm/world-state.ts'
import { chainState, ethereumRoot, give, hexBytes, hexNumber, type PreAccount } from './chain-state.ts'
import { runSlowly } from './slow-way.ts'

export interface StateTest {
  readonly env: Readonly<Record<string, string>>
  readonly pre: Readonly<Record<string, PreAccount>>
  readonly transaction: TestTransaction
  readonly post: Readonly<Record<string, readonly Expected[]>>
}

interface TestTransaction {
  readonly sender: string
  readonly nonce: string
  readonly to: string
  readonly data: readonly string[]
  readonly gasLimit: readonly string[]
  readonly value: readonly string[]
  readonly gasPrice?: string
  readonly maxFeePerGas?: string
  readonly maxPriorityFeePerGas?: string
  readonly maxFeePerBlobGas?: string
  readonly accessLists?: readonly (
    | readonly { readonly address: string; readonly storageKeys: readonly string[] }[]
    | null
  )[]
}

type TestedTx = Omit<EthereumTx, 'bytes' | 'hash' | 'type' | 'v' | 'r' | 's'>

/** The transaction that the indexes name. Its own bytes are of no use: most are signed without a chain id. */
function transactionOf(x: TestTransaction, { data, gas, value }: Expected['indexes']): TestedTx {
  const price = hexNumber(x.gasPrice ?? x.maxFeePerGas ?? '0x0')
  return {
    sender: checkAddress(hexBytes(x.sender)),
    nonce: hexNumber(x.nonce),
    to: x.to === '' ? undefined : checkAddress(hexBytes(x.to)),
    data: hexBytes(x.data[data]!),
    gasLimit: hexNumber(x.gasLimit[gas]!),
    value: hexNumber(x.value[value]!),
    maxFeePerGas: price,
    maxPriorityFeePerGas: x.maxPriorityFeePerGas === undefined ? price : hexNumber(x.maxPriorityFeePerGas),
    accessList: (x.accessLists?.[data] ?? []).map(({ address, storageKeys }) => ({
      address: checkAddress(hexBytes(address)),
      slots: storageKeys.map((slot) => wordBytes(hexNumber(slot))),
    })),
    authorizations: [],
  }
}

/** What a test expects of one of its transactions. */
export interface Expected {
  readonly hash: string
  readonly logs: string
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number }
  readonly expectException?: string
}

/** The chain that Ethereum's tests are of. */
const TEST_CHAIN = 1n

interface Rules {
  readonly common: Common
  readonly machine: Machine
}

function rulesOf(hardfork: Hardfork): Rules {
  const common = createCustomCommon({ chainId: Number(TEST_CHAIN) }, Mainnet, {
    hardfork,
    params: paramsEVM,
    customCrypto: { keccak256: (bytes) => keccak256(bytes) },
  })
  const evm = { _bn254: new NobleBN254(), _bls: new NobleBLS(), common, DEBUG: false }
  const precompiles = libraryPrecompiles(getActivePrecompiles(common), common, evm)
  return { common, machine: new Machine(instructionSet(common), precompiles) }
}

const rules = new Map<Hardfork, Rules>()

function rulesFor(hardfork: Hardfork): Rules {
  const known = rules.get(hardfork) ?? rulesOf(hardfork)
  rules.set(hardfork, known)
  return known
}

/** A test's block number n hashes to keccak256 of its decimal digits. */
class TestWorld extends WorldState {
  override blockHash(number: bigint): bigint {
    return hexNumber(`0x${toHex(keccak256(Buffer.from(number.toString())))}`)
  }
}

function environmentOf(env: StateTest['env']): BlockEnvironment {
  const number = (name: string): bigint => hexNumber(env[name] ?? '0x0')
  return {
    number: number('currentNumber'),
    timestamp: number('currentTimestamp'),
    coinbase: checkAddress(hexBytes(env['currentCoinbase']!)),
    prevRandao: wordBytes(number('currentRandom')),
    gasLimit: number('currentGasLimit'),
    baseFee: number('currentBaseFee'),
    chainId: TEST_CHAIN,
  }
}

export interface StateTestResult {
  readonly root: string
  readonly logs: string
}

/** Why the transaction is refused before it is executed; nothing where it is not. */
export function refusalOf(tx: TestedTx, ctx: Context, block: BlockEnvironment): string | undefined {
  const world = new WorldState(ctx)
  if (world.nonce(tx.sender) !== tx.nonce) return 'nonce'
  if (tx.nonce === 2n ** 64n - 1n) return 'nonce is the last'
  if (tx.maxPriorityFeePerGas > tx.maxFeePerGas) return 'tip above fee'
  if (tx.maxFeePerGas < block.baseFee) return 'fee below the base fee'
  if (world.balance(tx.sender) < tx.gasLimit * tx.maxFeePerGas + tx.value) return 'funds'
  if (Number(tx.gasLimit) < intrinsicGas(tx).intrinsic) return 'intrinsic gas'
  if (tx.gasLimit > block.gasLimit) return 'block gas'
  if (tx.to === undefined && tx.data.length > 49_152) return 'init code'
  if (world.code(tx.sender).bytes.length > 0) return 'sender has code'
  return undefined
}

export type Way = 'fast' | 'slow'

/** By our own machine. */
function runFast(tx: TestedTx, ctx: Context, block: BlockEnvironment, hardfork: Hardfork): EncodedLog[] {
  const gasPrice = effectiveGasPrice(tx, block.baseFee)
  const { logs } = applyTransaction(
    { ...tx, gasPrice },
    {
      machine: rulesFor(hardfork).machine,
      world: new TestWorld(ctx),
      block,
      hasFloor: false,
      takeFee: (payer, amount) => {
        if (amount > 0n) burnBalance(ctx, payer, NATIVE_DENOM, amount)
      },
      returnFee: (payer, amount) => give(ctx, payer, amount),
      collectFee: (amount) => give(ctx, block.coinbase, amount - (amount * block.baseFee) / (gasPrice || 1n)),
    },
  )
  return logs.map(({ address, topics, data }) => [address, [...topics], data])
}

type EncodedLog = [Uint8Array, Uint8Array[], Uint8Array]

/** Runs one transaction of a test on the chain's own state; answers why it is refused where it is. */
export async function runStateTest(
  test: StateTest,
  expected: Expected,
  hardfork: Hardfork,
  way: Way,
): Promise<StateTestResult | string> {
  const ctx = chainState(test.pre)
  const block = environmentOf(test.env)
  const tx = transactionOf(test.transaction, expected.indexes)
  const refusal = refusalOf(tx, ctx, block)
  if (refusal !== undefined) return refusal
  const logs =
    way === 'fast'
      ? runFast(tx, ctx, block, hardfork)
      : (await runSlowly(tx, ctx, new TestWorld(ctx), block, rulesFor(hardfork).common)).logs
  return { root: await ethereumRoot(ctx), logs: `0x${toHex(keccak256(RLP.encode(logs as EncodedLog[])))}` }
}
