import { type Address, checkAddress } from '../../core/address.ts'
import { compareBytes, fromHex, toHex } from '../../core/bytes.ts'
import { addressKey, part } from '../../core/collections.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { genesis } from '../../core/module.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import * as types from '../../proto/gen/fornax/evm/v1/evm.ts'
import type { GenesisState } from '../../proto/gen/fornax/evm/v1/genesis.ts'
import * as genesisTypes from '../../proto/gen/fornax/evm/v1/genesis.ts'
import { genesisBlock } from './block.ts'
import { hexAddress } from './environment.ts'
import { delegateOf } from './machine/delegation.ts'
import { MAX_CODE_BYTES } from './machine/machine.ts'
import { wordOf } from './machine/word.ts'
import { checkParams, defaultParams, params } from './params.ts'
import { preinstalled } from './preinstalled/contracts.ts'
import * as state from './state.ts'
import { WorldState } from './world-state.ts'

registerTypes(types, genesisTypes)

function readAddress(text: string): Address {
  if (!/^0x[0-9a-f]{40}$/.test(text))
    throw sdk.invalidRequest(`a contract's address is 0x and 40 digits of 0-9a-f, not ${text.slice(0, 100)}`)
  return checkAddress(fromHex(text.slice(2)))
}

function validateContract({ address, code, storage, creator }: types.Contract): void {
  readAddress(address)
  if (creator !== '') readAddress(creator)
  if (code.length > MAX_CODE_BYTES)
    throw sdk.invalidRequest(`the code of ${address} has ${code.length} bytes, at most ${MAX_CODE_BYTES}`)
  storage.forEach(({ slot, value }, i) => {
    if (slot.length !== 32 || value.length !== 32)
      throw sdk.invalidRequest(`slots of ${address} and their values have 32 bytes`)
    if (wordOf(value) === 0n)
      throw sdk.invalidRequest(`slot ${toHex(slot)} of ${address} is zero: it is left out`)
    if (i > 0 && compareBytes(storage[i - 1]!.slot, slot) >= 0)
      throw sdk.invalidRequest(`the slots of ${address} are not in ascending order, each once`)
  })
  if (code.length === 0 && storage.length === 0)
    throw sdk.invalidRequest(`${address} has neither code nor storage`)
}

function validate({ params: p, contracts, parent }: GenesisState): void {
  checkParams(p)
  const seen = new Set<string>()
  for (const contract of contracts) {
    validateContract(contract)
    if (seen.has(contract.address))
      throw sdk.invalidRequest(`the contract ${contract.address} is there twice`)
    seen.add(contract.address)
  }
  if (parent !== undefined && parent.hash.length !== 32)
    throw sdk.invalidRequest('the hash of the parent has 32 bytes')
}

function init(ctx: Context, g: GenesisState): void {
  state.params.set(ctx, g.params)
  const world = new WorldState(ctx)
  for (const { address: text, code, storage, creator } of g.contracts) {
    const address = readAddress(text)
    if (code.length > 0) {
      world.setCode(address, code)
      // A contract begins with 1 (EIP-161).
      if (delegateOf(world.code(address)) === undefined && world.nonce(address) === 0n)
        world.setNonce(address, 1n)
    }
    for (const { slot, value } of storage) world.setStorage(address, slot, wordOf(value))
    if (creator !== '') state.creators.set(ctx, address, readAddress(creator))
  }
  if (g.parent !== undefined) state.parent.set(ctx, g.parent)
  else genesisBlock(ctx)
}

/** Accounts that have code, or storage that is left of a code they had. */
function contractAddresses(ctx: Context): Address[] {
  const found = new Map<string, Address>()
  for (const [address] of state.codeHashes.entries(ctx)) found.set(toHex(address), address)
  for (const [[address]] of state.storage.entries(ctx)) found.set(toHex(address), address)
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, address]) => address)
}

function exportContract(ctx: Context, address: Address): types.Contract {
  const creator = state.creators.get(ctx, address)
  return {
    address: hexAddress(address),
    code: new WorldState(ctx).code(address).bytes,
    storage: [...state.storage.entries(ctx, part(addressKey, address))].map(([[, slot], value]) => ({
      slot,
      value,
    })),
    creator: creator === undefined ? '' : hexAddress(creator),
  }
}

export const evmGenesis = genesis<GenesisState>({
  type: 'fornax.evm.v1.GenesisState',
  defaults: () => ({ params: defaultParams(), contracts: preinstalled() }),
  validate,
  init,
  export: (ctx) => ({
    params: params(ctx),
    contracts: contractAddresses(ctx).map((address) => exportContract(ctx, address)),
    parent: state.parent.get(ctx),
  }),
})
