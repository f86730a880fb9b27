import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { paramsEVM } from '@ethereumjs/evm'
import type { KZG } from '@ethereumjs/util'
import { checkAddress } from '../../../core/address.ts'
import { toHex } from '../../../core/bytes.ts'
import { keccak256 } from '../../../core/crypto/keccak.ts'
import { burnBalance } from '../../../modules/bank/api.ts'
import { machine } from '../../../modules/evm/chain-machine.ts'
import type { BlockEnvironment } from '../../../modules/evm/machine/frame.ts'
import type { Tracer } from '../../../modules/evm/machine/machine.ts'
import { wordBytes } from '../../../modules/evm/machine/word.ts'
import { EVM_CHAIN_ID } from '../../../modules/evm/params.ts'
import { applyTransaction } from '../../../modules/evm/transaction/apply.ts'
import { intrinsicGas } from '../../../modules/evm/transaction/intrinsic-gas.ts'
import { NATIVE_DENOM, WorldState } from '../../../modules/evm/world-state.ts'
import { chainState, ethereumRoot, give, hexBytes, hexNumber } from './chain-state.ts'
import { verifyProof } from './kzg.ts'
import { ACCESSED, COINBASE, type RandomCase, SENDER } from './random-programs.ts'
import { runSlowly } from './slow-way.ts'

const common = createCustomCommon({ chainId: Number(EVM_CHAIN_ID) }, Mainnet, {
  hardfork: Hardfork.Osaka,
  params: paramsEVM,
  customCrypto: { keccak256: (bytes) => keccak256(bytes), kzg: { verifyProof } as unknown as KZG },
})

const block: BlockEnvironment = {
  number: 1_000n,
  timestamp: 1_900_000_000n,
  coinbase: checkAddress(hexBytes(COINBASE)),
  prevRandao: keccak256(wordBytes(7n)),
  gasLimit: 30_000_000n,
  baseFee: 7n,
  chainId: EVM_CHAIN_ID,
}

/** Each block has a hash. */
class HashedWorld extends WorldState {
  override blockHash(number: bigint): bigint {
    return number + 2n ** 200n
  }
}

/** What a transaction comes to. */
export interface Result {
  readonly succeeded: boolean
  readonly gasUsed: number
  readonly logs: readonly string[]
  readonly root: string
}

type RawLog = readonly [address: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array]
const logText = ([address, topics, data]: RawLog): string => [address, ...topics, data].map(toHex).join(' ')

function transactionOf({ to, data, value, gasLimit, hasAccessList }: RandomCase) {
  const tx = {
    sender: checkAddress(hexBytes(SENDER)),
    nonce: 5n,
    to: to === undefined ? undefined : checkAddress(hexBytes(to)),
    data: hexBytes(data),
    value: hexNumber(value),
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 10n,
    accessList: hasAccessList
      ? [{ address: checkAddress(ACCESSED.address), slots: ACCESSED.slots.map(wordBytes) }]
      : [],
    authorizations: [],
  }
  const { intrinsic, floor } = intrinsicGas(tx)
  const least = BigInt(Math.max(intrinsic, floor))
  const given = hexNumber(gasLimit)
  return { ...tx, gasLimit: given > least ? given : least }
}

/** On the chain's machine, with its own precompiles. */
export async function resultOfOurs(test: RandomCase, tracer?: Tracer): Promise<Result> {
  const ctx = chainState(test.pre)
  const { outcome, gasUsed, logs } = applyTransaction(
    { ...transactionOf(test), gasPrice: 10n },
    {
      machine: machine(),
      world: new HashedWorld(ctx),
      block,
      ...(tracer && { tracer }),
      takeFee: (payer, amount) => burnBalance(ctx, payer, NATIVE_DENOM, amount),
      returnFee: (payer, amount) => give(ctx, payer, amount),
      collectFee: (amount) => give(ctx, block.coinbase, (amount * 3n) / 10n),
    },
  )
  return {
    succeeded: outcome.error === undefined,
    gasUsed,
    logs: logs.map(({ address, topics, data }) => logText([address, topics, data])),
    root: await ethereumRoot(ctx),
  }
}

/** On the library's machine, as it is. */
export async function resultOfLibrary(test: RandomCase): Promise<Result> {
  const ctx = chainState(test.pre)
  const world = new HashedWorld(ctx)
  const { failed, gasUsed, logs } = await runSlowly(transactionOf(test), ctx, world, block, common)
  return { succeeded: !failed, gasUsed, logs: logs.map(logText), root: await ethereumRoot(ctx) }
}
