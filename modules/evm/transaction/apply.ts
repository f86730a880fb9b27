import type { Address } from '../../../core/address.ts'
import { fromLatin1, NO_BYTES, toLatin1 } from '../../../core/bytes.ts'
import { createAddress } from '../machine/contract-address.ts'
import { delegateOf, delegationTo } from '../machine/delegation.ts'
import type { BlockEnvironment, Execution, Message, Outcome } from '../machine/frame.ts'
import type { Machine, Tracer } from '../machine/machine.ts'
import { type Log, Substate } from '../machine/substate.ts'
import { isDead, type World } from '../machine/world.ts'
import { authorityOf } from './decode.ts'
import type { AccessListEntry, Authorization } from './ethereum-tx.ts'
import { intrinsicGas } from './intrinsic-gas.ts'

/** Of the gas used, at most one in so many is given back (EIP-3529). */
const REFUND_QUOTIENT = 5
const EXISTING_AUTHORITY_REFUND = 12_500
const MAX_NONCE = 2n ** 64n - 1n
const NOBODY = new Uint8Array(20)

/** What of a transaction is executed; calls and estimates have one that nobody signed. */
export interface Executable {
  readonly sender: Address
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly to: Address | undefined
  readonly value: bigint
  readonly data: Uint8Array
  /** What it pays for a gas. */
  readonly gasPrice: bigint
  readonly accessList: readonly AccessListEntry[]
  readonly authorizations: readonly Authorization[]
}

/** What a transaction came to. */
export interface Applied {
  readonly outcome: Outcome
  /** Gas that is charged. */
  readonly gasUsed: number
  readonly logs: readonly Log[]
  /** Where the contract is that it created, or tried to. */
  readonly contract: Address | undefined
  readonly substate: Substate
  /** Addresses that were warm before the first instruction, as Latin-1. */
  readonly warmFromStart: readonly string[]
}

export interface ApplyOptions {
  readonly machine: Machine
  readonly world: World
  readonly block: BlockEnvironment
  /** Who gets what the gas cost. */
  readonly collectFee: (amount: bigint) => void
  readonly takeFee: (payer: Address, amount: bigint) => void
  readonly returnFee: (payer: Address, amount: bigint) => void
  /** Whether calldata has a floor of gas (EIP-7623), as since Prague; by default so. */
  readonly hasFloor?: boolean
  readonly tracer?: Tracer
}

/**
 * Executes a transaction that may stand in the block: its sender has the nonce, the gas limit covers what is intrinsic, and
 * there are coins for gas and value. A throw is a fault of the program's.
 */
export function applyTransaction(tx: Executable, options: ApplyOptions): Applied {
  const { machine, world, block, tracer } = options
  const { intrinsic, floor } = intrinsicGas(tx)
  const gasLimit = Number(tx.gasLimit)
  const substate = new Substate()
  warmUp(substate, tx, options)
  options.takeFee(tx.sender, tx.gasLimit * tx.gasPrice)
  world.setNonce(tx.sender, tx.nonce + 1n)
  for (const authorization of tx.authorizations) authorize(world, substate, authorization, block.chainId)
  const execution: Execution = {
    world,
    block,
    substate,
    transaction: { origin: tx.sender, gasPrice: tx.gasPrice },
  }
  const message = messageOf(tx, gasLimit - intrinsic)
  substate.touch(message.to)
  if (tx.to !== undefined) {
    const delegate = delegateOf(world.code(tx.to))
    if (delegate !== undefined) substate.touch(delegate)
  }
  const outcome = machine.run(execution, message, tracer)
  let gasUsed = gasLimit - outcome.gasLeft
  gasUsed -= Math.min(substate.refund, Math.floor(gasUsed / REFUND_QUOTIENT))
  if (options.hasFloor !== false) gasUsed = Math.max(gasUsed, floor)
  options.returnFee(tx.sender, BigInt(gasLimit - gasUsed) * tx.gasPrice)
  options.collectFee(BigInt(gasUsed) * tx.gasPrice)
  for (const address of substate.destroyed.values()) world.remove(address)
  return {
    outcome,
    gasUsed,
    logs: substate.logs,
    contract: tx.to === undefined ? message.to : undefined,
    substate,
    warmFromStart: [...machine.precompileAddresses, toLatin1(block.coinbase)],
  }
}

function warmUp(substate: Substate, tx: Executable, { machine, block }: ApplyOptions): void {
  for (const address of machine.precompileAddresses) substate.touch(fromLatin1(address))
  substate.touch(block.coinbase)
  substate.touch(tx.sender)
  for (const { address, slots } of tx.accessList) {
    substate.touch(address)
    for (const slot of slots) substate.touchSlot(address, slot)
  }
}

function messageOf(tx: Executable, gas: number): Message {
  const to = tx.to ?? createAddress(tx.sender, tx.nonce)
  return {
    kind: tx.to === undefined ? 'create' : 'call',
    depth: 0,
    caller: tx.sender,
    to,
    codeAddress: to,
    value: tx.value,
    ...(tx.to === undefined ? { data: NO_BYTES, initCode: tx.data } : { data: tx.data }),
    gas,
    isStatic: false,
  }
}

/** Has an account delegate its code, or no longer (EIP-7702). A word that does not hold is passed over. */
function authorize(world: World, substate: Substate, word: Authorization, chainId: bigint): void {
  const { nonce, address } = word
  if ((word.chainId !== 0n && word.chainId !== chainId) || nonce >= MAX_NONCE) return
  const authority = authorityOf(word)
  if (authority === undefined) return
  substate.touch(authority)
  const code = world.code(authority)
  if (code.bytes.length > 0 && delegateOf(code) === undefined) return
  if (world.nonce(authority) !== nonce) return
  if (!isDead(world, authority)) substate.refund += EXISTING_AUTHORITY_REFUND
  world.setCode(authority, toLatin1(address) === toLatin1(NOBODY) ? NO_BYTES : delegationTo(address))
  world.setNonce(authority, nonce + 1n)
}
