import { type Address, checkAddress } from '../../../core/address.ts'
import { equalBytes, NO_BYTES } from '../../../core/bytes.ts'
import { type AccountOverride, type Call, wordBytes } from '../../../modules/evm/api.ts'
import type { BlockOverride } from '../../evm-calls/messages.ts'
import { decodeData } from './data.ts'
import { Malformed } from './hex.ts'
import { data, listOf, objectOf, optional, type Param, quantity } from './params.ts'

const address = data(20)
const word = data(32)
const amount = quantity(256)
const MAX_ACCESS_LIST = 1000
const MAX_OVERRIDES = 1000
const NOBODY = checkAddress(new Uint8Array(20))

const fields = objectOf({
  from: optional(address),
  to: optional(address),
  gas: optional(quantity(64)),
  gasPrice: optional(amount),
  maxFeePerGas: optional(amount),
  maxPriorityFeePerGas: optional(amount),
  value: optional(amount),
  data: optional(data()),
  input: optional(data()),
  chainId: optional(quantity(64)),
  accessList: optional(
    listOf(objectOf({ address, storageKeys: listOf(word, MAX_ACCESS_LIST) }), MAX_ACCESS_LIST),
  ),
})

/** What a call says of itself; what it leaves out depends on the node and the block. */
export interface CallObject extends Omit<Call, 'gas' | 'gasPrice'> {
  readonly gas: bigint | undefined
  readonly gasPrice: bigint | undefined
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
}

/** A transaction that nobody signed. */
export const callObject: Param<CallObject> = {
  parse(value) {
    const call = fields.parse(value)
    if (call.gasPrice !== undefined && (call.maxFeePerGas ?? call.maxPriorityFeePerGas) !== undefined)
      throw new Malformed('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified')
    if (call.data !== undefined && call.input !== undefined && !equalBytes(call.data, call.input))
      throw new Malformed(
        'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
      )
    return {
      from: call.from === undefined ? NOBODY : checkAddress(call.from),
      to: call.to === undefined ? undefined : checkAddress(call.to),
      gas: call.gas,
      gasPrice: call.gasPrice,
      maxFeePerGas: call.maxFeePerGas,
      maxPriorityFeePerGas: call.maxPriorityFeePerGas,
      value: call.value ?? 0n,
      data: call.input ?? call.data ?? NO_BYTES,
      accessList: (call.accessList ?? []).map((entry) => ({
        address: checkAddress(entry.address),
        slots: entry.storageKeys,
      })),
      authorizations: [],
    }
  },
}

/** What the call pays for a gas on top of a base fee; nothing where it says nothing of it. */
export function gasPriceOf(call: CallObject, baseFee: bigint): bigint {
  if (call.gasPrice !== undefined) return call.gasPrice
  if (call.maxFeePerGas === undefined && call.maxPriorityFeePerGas === undefined) return 0n
  const tip = call.maxPriorityFeePerGas ?? 0n
  const most = call.maxFeePerGas ?? baseFee + tip
  const price = baseFee + tip
  return price < most ? price : most
}

const slots: Param<readonly (readonly [Uint8Array, Uint8Array])[]> = {
  parse(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed('non-object')
    const entries = Object.entries(value)
    if (entries.length > MAX_OVERRIDES) throw new Malformed(`more than ${MAX_OVERRIDES} slots`)
    return entries.map(([slot, held]) => [decodeData(slot, 32), padded(decodeData(held))] as const)
  },
}

function padded(value: Uint8Array): Uint8Array {
  if (value.length > 32) throw new Malformed('more than 32 bytes')
  return value.length === 32 ? value : wordBytes(BigInt(`0x0${Buffer.from(value).toString('hex')}`))
}

const account = objectOf({
  balance: optional(amount),
  nonce: optional(quantity(64)),
  code: optional(data()),
  state: optional(slots),
  stateDiff: optional(slots),
})

/** What accounts are to be in place of what they are, by address. */
export const stateOverrides: Param<readonly AccountOverride[]> = {
  isOptional: true,
  parse(value) {
    if (value === undefined || value === null) return []
    if (typeof value !== 'object' || Array.isArray(value)) throw new Malformed('non-object')
    const entries = Object.entries(value)
    if (entries.length > MAX_OVERRIDES) throw new Malformed(`more than ${MAX_OVERRIDES} accounts`)
    return entries.map(([name, held]) => {
      const of: Address = checkAddress(decodeData(name, 20))
      const { balance, nonce, code, state, stateDiff } = account.parse(held)
      if (state !== undefined && stateDiff !== undefined)
        throw new Malformed(`account ${name} has both 'state' and 'stateDiff'`)
      const storage = state ?? stateDiff
      return {
        address: of,
        ...(balance !== undefined && { balance }),
        ...(nonce !== undefined && { nonce }),
        ...(code !== undefined && { code }),
        ...(storage !== undefined && { storage, keepsOtherSlots: stateDiff !== undefined }),
      }
    })
  },
}

const block = objectOf({
  number: optional(quantity(64)),
  time: optional(quantity(64)),
  feeRecipient: optional(address),
  prevRandao: optional(word),
  gasLimit: optional(quantity(53)),
  baseFeePerGas: optional(amount),
})

/** What the block is told to be. */
export const blockOverrides: Param<BlockOverride> = {
  isOptional: true,
  parse(value) {
    if (value === undefined || value === null) return {}
    const { number, time, feeRecipient, prevRandao, gasLimit, baseFeePerGas } = block.parse(value)
    return {
      ...(number !== undefined && { number }),
      ...(time !== undefined && { timestamp: time }),
      ...(feeRecipient !== undefined && { coinbase: feeRecipient }),
      ...(prevRandao !== undefined && { prevRandao }),
      ...(gasLimit !== undefined && { gasLimit }),
      ...(baseFeePerGas !== undefined && { baseFee: baseFeePerGas }),
    }
  },
}
