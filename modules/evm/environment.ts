import { type Address, checkAddress } from '../../core/address.ts'
import { toHex } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { keccak256 } from '../../core/crypto/keccak.ts'
import { operatorOf, validatorByConsensusAddress } from '../staking/api.ts'
import { baseFee } from './base-fee.ts'
import type { BlockEnvironment } from './machine/frame.ts'
import { EVM_CHAIN_ID, params } from './params.ts'
import * as state from './state.ts'

const NOBODY = checkAddress(new Uint8Array(20))
const NO_HASH = new Uint8Array(32)
const NANOSECONDS = 1_000_000_000n

/** The proposer's operator account. */
export function coinbaseOf(ctx: Context): Address {
  if (ctx.block.proposer.length === 0) return NOBODY
  const proposer = validatorByConsensusAddress(ctx, ctx.block.proposer)
  return proposer === undefined ? NOBODY : operatorOf(proposer)
}

export const parentHash = (ctx: Context): Uint8Array => state.parent.get(ctx)?.hash ?? NO_HASH

/** What programs are told of the block: the one that is executed, or the next where none is. */
export function environmentOf(ctx: Context): BlockEnvironment {
  const current = ctx.mode === 'deliver' || ctx.mode === 'block' ? state.current.get(ctx) : undefined
  return {
    number: ctx.height,
    timestamp: ctx.timeNs / NANOSECONDS,
    coinbase: current === undefined ? NOBODY : checkAddress(current.coinbase),
    prevRandao: keccak256(parentHash(ctx)),
    gasLimit: current?.gasLimit ?? params(ctx).blockGasLimit,
    baseFee: baseFee(ctx),
    chainId: EVM_CHAIN_ID,
  }
}

/** An address as Ethereum writes it, without the checksum's capitals. */
export const hexAddress = (address: Uint8Array): string => `0x${toHex(address)}`
