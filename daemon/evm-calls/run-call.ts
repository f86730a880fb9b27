import { type Address, checkAddress } from '../../core/address.ts'
import { fromLatin1, toLatin1 } from '../../core/bytes.ts'
import { Context } from '../../core/context.ts'
import { Journal } from '../../core/journal.ts'
import type { StateReader } from '../../core/state-reader.ts'
import {
  type Applied,
  type BlockEnvironment,
  type Call,
  CallRefused,
  EVM_CHAIN_ID,
  estimateGas,
  intrinsicGas,
  override,
  simulate,
} from '../../modules/evm/api.ts'
import type { EthBlocks } from '../index/eth-blocks.ts'
import type { CallRequest, CallResult } from './messages.ts'

const NOBODY = new Uint8Array(0) as Address
const NO_HASH = new Uint8Array(32)

/** Where a call reads: the blocks, and the state behind each. */
export interface CallSource {
  readonly blocks: EthBlocks
  readonly at: (height: number) => StateReader
}

/** Runs a call. Throws CallRefused, or what reading the state throws. */
export function runCall({ blocks, at }: CallSource, request: CallRequest): CallResult {
  const { kind, number, call, overrides } = request
  const found = blocks.block(number)
  if (found === undefined) throw new CallRefused('header not found')
  const environment = environmentOf(found.header, request)
  const state = at(Number(number))
  const attempt = (one: Call): Applied => {
    const ctx = contextOn(state, number, environment.timestamp)
    override(ctx, overrides)
    return simulate(ctx, environment, one)
  }
  if (kind === 'estimate') return estimate(call, attempt)
  const applied = attempt(call)
  return kind === 'call' ? resultOf(applied) : listAccess(call, applied, attempt)
}

function environmentOf(
  header: {
    readonly number: bigint
    readonly timestamp: bigint
    readonly beneficiary: Uint8Array
    readonly prevRandao: Uint8Array
    readonly gasLimit: bigint
    readonly baseFeePerGas: bigint
  },
  { block }: CallRequest,
): BlockEnvironment {
  return {
    number: block.number ?? header.number,
    timestamp: block.timestamp ?? header.timestamp,
    coinbase: checkAddress(block.coinbase ?? header.beneficiary),
    prevRandao: block.prevRandao ?? header.prevRandao,
    gasLimit: block.gasLimit ?? header.gasLimit,
    baseFee: block.baseFee ?? header.baseFeePerGas,
    chainId: EVM_CHAIN_ID,
  }
}

const contextOn = (state: StateReader, height: bigint, timestamp: bigint): Context =>
  new Context(
    new Journal(state),
    {
      chainId: '',
      height,
      timeNs: timestamp * 1_000_000_000n,
      hash: NO_HASH,
      appHash: NO_HASH,
      nextValidatorsHash: NO_HASH,
      proposer: NOBODY,
      votes: [],
      misbehavior: [],
    },
    'query',
  )

const resultOf = ({ outcome, gasUsed }: Applied): CallResult => ({
  gasUsed: BigInt(gasUsed),
  output: outcome.output,
  ...(outcome.error !== undefined && { error: outcome.error }),
})

function estimate(call: Call, attempt: (call: Call) => Applied): CallResult {
  const { intrinsic } = intrinsicGas(call)
  const { gas, failed } = estimateGas(call.gas, BigInt(intrinsic), (tried) =>
    attempt({ ...call, gas: tried }),
  )
  if (failed === undefined) return { gasUsed: gas!, output: new Uint8Array(0) }
  return { gasUsed: call.gas, output: failed.output, error: failed.error! }
}

/** The addresses and slots that a call meets, until naming them changes nothing any more. */
function listAccess(call: Call, first: Applied, attempt: (call: Call) => Applied): CallResult {
  let applied = first
  let list = accessListOf(call, applied)
  for (let rounds = 0; rounds < 8; rounds++) {
    const next = attempt({ ...call, accessList: list })
    const nextList = accessListOf(call, next)
    const isSame = slotCount(nextList) === slotCount(list) && nextList.length === list.length
    applied = next
    list = nextList
    if (isSame) break
  }
  return { ...resultOf(applied), accessList: list }
}

type Entries = { readonly address: Address; readonly slots: readonly Uint8Array[] }[]

const slotCount = (list: Entries): number => list.reduce((sum, { slots }) => sum + slots.length, 0)

/** Without those that are warm in any case, unless they have slots. */
function accessListOf(call: Call, { substate, warmFromStart }: Applied): Entries {
  const { addresses, slots } = substate.accessed
  const bySlots = new Map<string, Uint8Array[]>()
  for (const key of slots) {
    const address = key.slice(0, 20)
    const known = bySlots.get(address) ?? []
    known.push(fromLatin1(key.slice(20)))
    bySlots.set(address, known)
  }
  const free = new Set(warmFromStart)
  free.add(toLatin1(call.from))
  if (call.to !== undefined) free.add(toLatin1(call.to))
  return [...addresses]
    .filter((address) => bySlots.has(address) || !free.has(address))
    .map((address) => ({ address: checkAddress(fromLatin1(address)), slots: bySlots.get(address) ?? [] }))
}
