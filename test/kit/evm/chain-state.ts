import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { type Address, checkAddress } from '../../../core/address.ts'
import { fromHex, toHex } from '../../../core/bytes.ts'
import { type Block, Context } from '../../../core/context.ts'
import { keccak256 } from '../../../core/crypto/keccak.ts'
import { Journal } from '../../../core/journal.ts'
import type { StateReader } from '../../../core/state-reader.ts'
import * as auth from '../../../modules/auth/state.ts'
import { balanceOf, setBalance, supplyOf } from '../../../modules/bank/api.ts'
import * as bank from '../../../modules/bank/state.ts'
import { wordBytes, wordOf } from '../../../modules/evm/machine/word.ts'
import * as evm from '../../../modules/evm/state.ts'
import { NATIVE_DENOM, WorldState } from '../../../modules/evm/world-state.ts'

/** An account of Ethereum's state tests, in hexadecimal. */
export interface PreAccount {
  readonly balance: string
  readonly nonce: string
  readonly code: string
  readonly storage: Readonly<Record<string, string>>
}

/** Hexadecimal as the tests write it: an odd number of digits, or none, is a number. */
export function hexBytes(hex: string): Uint8Array {
  const digits = hex.replace(/^0x/, '')
  return fromHex(digits.length % 2 === 0 ? digits : `0${digits}`)
}

export const hexNumber = (hex: string): bigint => BigInt(hex === '' || hex === '0x' ? 0 : hex)

const NOTHING: StateReader = {
  get: () => undefined,
  has: () => false,
  entries: () => [][Symbol.iterator](),
  rank: () => 0,
  keyAt: () => undefined,
}

/** A state with these accounts, in the chain's own modules. */
export function chainState(pre: Readonly<Record<string, PreAccount>>): Context {
  const ctx = new Context(new Journal(NOTHING), { height: 1n } as Block, 'deliver')
  const world = new WorldState(ctx)
  for (const [name, { balance, nonce, code, storage }] of Object.entries(pre)) {
    const address = checkAddress(hexBytes(name))
    give(ctx, address, hexNumber(balance))
    if (hexNumber(nonce) > 0n) world.setNonce(address, hexNumber(nonce))
    world.setCode(address, hexBytes(code))
    for (const [slot, value] of Object.entries(storage))
      world.setStorage(address, wordBytes(hexNumber(slot)), hexNumber(value))
  }
  return ctx
}

/** Makes coins. */
export function give(ctx: Context, to: Address, amount: bigint): void {
  const held = balanceOf(ctx, to, NATIVE_DENOM)
  setBalance(ctx, to, NATIVE_DENOM, held, held + amount)
  if (amount !== 0n) bank.supply.set(ctx, NATIVE_DENOM, supplyOf(ctx, NATIVE_DENOM) + amount)
}

/** Addresses of all accounts that programs see, with their slots. */
function accountsOf(ctx: Context): Map<string, [slot: Uint8Array, value: bigint][]> {
  const found = new Map<string, [Uint8Array, bigint][]>()
  const at = (address: Uint8Array): [Uint8Array, bigint][] => {
    const slots = found.get(toHex(address)) ?? []
    found.set(toHex(address), slots)
    return slots
  }
  for (const [address] of auth.accounts.entries(ctx)) at(address)
  for (const [[address]] of bank.balances.entries(ctx)) at(address)
  for (const [address] of evm.codeHashes.entries(ctx)) at(address)
  for (const [[address, slot], value] of evm.storage.entries(ctx)) at(address).push([slot, wordOf(value)])
  return found
}

const minimal = (value: bigint): Uint8Array =>
  value === 0n ? new Uint8Array(0) : hexBytes(`0x${value.toString(16)}`)

/** The root that Ethereum's state would have, by another project's trie. */
export async function ethereumRoot(ctx: Context): Promise<string> {
  const world = new WorldState(ctx)
  const trie = await createMPT({ useKeyHashing: true })
  for (const [name, slots] of accountsOf(ctx)) {
    const address = checkAddress(fromHex(name))
    const [nonce, balance, codeHash] = [world.nonce(address), world.balance(address), world.codeHash(address)]
    if (nonce === 0n && balance === 0n && codeHash === undefined) continue
    const storage = await createMPT({ useKeyHashing: true })
    for (const [slot, value] of slots) await storage.put(slot, RLP.encode(minimal(value)))
    await trie.put(
      address,
      RLP.encode([
        minimal(nonce),
        minimal(balance),
        storage.root(),
        codeHash ?? keccak256(new Uint8Array(0)),
      ]),
    )
  }
  return `0x${toHex(trie.root())}`
}
