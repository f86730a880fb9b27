import { type Address, checkAddress } from '../../core/address.ts'
import { type Block, Context } from '../../core/context.ts'
import { Journal } from '../../core/journal.ts'
import type { Store } from '../../daemon/store/store.ts'
import { HISTORY_ADDRESS, historySlot } from '../../modules/evm/history-contract.ts'
import { delegationTo } from '../../modules/evm/machine/delegation.ts'
import { wordBytes } from '../../modules/evm/machine/word.ts'
import { WorldState } from '../../modules/evm/world-state.ts'
import { give } from '../../test/kit/evm/chain-state.ts'
import { openStore } from '../../test/kit/store/store.ts'
import { ACCOUNTS, BIG_CONTRACTS, callees, DELEGATING, MANY, programs } from './programs.ts'

export const addressOf = (number: number): Address => checkAddress(wordBytes(BigInt(number)).slice(12))
/** Who calls the programs. */
export const SENDER = addressOf(0xabcdef)
/** Where the programs are. */
export const PROGRAMS = 0x10000
const HEIGHT = 1_000

/** Values of this store are on disk alone until they are read. */
export const openState = (path: string): Promise<Store> =>
  openStore(path, { stores: ['acc', 'bank', 'evm'], pruning: { kind: 'everything' } })

export const contextOn = (store: Store): Context =>
  new Context(new Journal(store.latest), { height: BigInt(HEIGHT) } as Block, 'deliver')

/** Puts all that programs call and look at into a store. */
export async function buildState(path: string): Promise<void> {
  const store = await openState(path)
  const ctx = contextOn(store)
  const world = new WorldState(ctx)
  give(ctx, SENDER, 10n ** 24n)
  for (const { address, code } of Object.values(callees)) world.setCode(addressOf(address), code)
  for (const [i, { code }] of programs.entries()) {
    const address = addressOf(PROGRAMS + i)
    give(ctx, address, 10n ** 18n)
    world.setNonce(address, 1n)
    world.setCode(address, code)
    if (/^(SLOAD|SSTORE)/.test(programs[i]!.name))
      for (let slot = 0; slot < MANY; slot++) world.setStorage(address, wordBytes(BigInt(slot)), 1n)
  }
  for (let number = HEIGHT - 128; number < HEIGHT; number++)
    world.setStorage(HISTORY_ADDRESS, wordBytes(historySlot(BigInt(number))), 2n ** 255n)
  for (let i = 0; i < MANY; i++) {
    const code = new Uint8Array(24_576).fill(0x5b)
    // PUSH4 of its number, POP, STOP.
    code.set([0x63, ...wordBytes(BigInt(i)).slice(28), 0x50, 0x00])
    world.setCode(addressOf(BIG_CONTRACTS + i), code)
    give(ctx, addressOf(ACCOUNTS + i), 1n)
    world.setNonce(addressOf(ACCOUNTS + i), 1n)
    world.setCode(addressOf(DELEGATING + i), delegationTo(addressOf(BIG_CONTRACTS + i)))
  }
  store.stage(HEIGHT, ctx.journal.writes())
  await store.commit()
  await store.close()
}
