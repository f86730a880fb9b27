import { formatAddress } from '../../core/address.ts'
import { fromHex, toHex } from '../../core/bytes.ts'
import { sdk } from '../../core/error.ts'
import { parseEitherAddress } from '../../core/hex-address.ts'
import { queries } from '../../core/module.ts'
import * as interop from '../../proto/gen/cosmos/evm/vm/v1/query.ts'
import * as query from '../../proto/gen/fornax/evm/v1/query.ts'
import { account } from '../auth/api.ts'

import { baseFee } from './base-fee.ts'
import { hexAddress } from './environment.ts'
import { wordBytes, wordOf } from './machine/word.ts'
import { params } from './params.ts'
import * as state from './state.ts'
import { EMPTY_CODE_HASH, WorldState } from './world-state.ts'

/** A word of up to 32 bytes, as Ethereum writes it. Throws sdk/18. */
function readWord(text: string): Uint8Array {
  const digits = /^0x([0-9a-fA-F]{1,64})$/.exec(text)?.[1]
  if (digits === undefined) throw sdk.invalidRequest('a key is 0x and up to 64 hexadecimal digits')
  return wordBytes(wordOf(fromHex(digits.padStart(64, '0'))))
}

export const evmQueries = [
  ...queries<query.Query>('fornax.evm.v1.Query', query, {
    Params: (ctx) => ({ params: params(ctx) }),
    Creator(ctx, { address }) {
      const at = parseEitherAddress(address)
      const creator = state.creators.get(ctx, at)
      if (creator === undefined && state.codeHashes.get(ctx, at) === undefined)
        throw sdk.notFound(`there is no contract at ${address}`)
      return {
        creator: creator === undefined ? '' : hexAddress(creator),
        creatorAccount: creator === undefined ? '' : formatAddress(creator),
      }
    },
  }),
  ...queries<interop.Query>('cosmos.evm.vm.v1.Query', interop, {
    Account(ctx, { address }) {
      const at = parseEitherAddress(address)
      const world = new WorldState(ctx)
      return {
        balance: world.balance(at).toString(),
        codeHash: `0x${toHex(world.codeHash(at) ?? EMPTY_CODE_HASH)}`,
        nonce: world.nonce(at),
      }
    },
    CosmosAccount(ctx, { address }) {
      const at = parseEitherAddress(address)
      const found = account(ctx, at)
      return {
        cosmosAddress: formatAddress(at),
        sequence: found?.sequence ?? 0n,
        accountNumber: found?.accountNumber ?? 0n,
      }
    },
    Balance: (ctx, { address }) => ({
      balance: new WorldState(ctx).balance(parseEitherAddress(address)).toString(),
    }),
    Storage: (ctx, { address, key }) => ({
      value: `0x${toHex(wordBytes(new WorldState(ctx).storage(parseEitherAddress(address), readWord(key))))}`,
    }),
    Code: (ctx, { address }) => ({ code: new WorldState(ctx).code(parseEitherAddress(address)).bytes }),
    BaseFee: (ctx) => ({ baseFee: params(ctx).noBaseFee ? '' : baseFee(ctx).toString() }),
  }),
]
