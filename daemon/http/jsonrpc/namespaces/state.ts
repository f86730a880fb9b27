import { checkAddress } from '../../../../core/address.ts'
import { wordBytes } from '../../../../modules/evm/api.ts'
import type { EthBlocks } from '../../../index/eth-blocks.ts'
import type { EthState } from '../../../index/eth-state.ts'
import { type BlockRef, blockRef } from '../block-ref.ts'
import { encodeData } from '../data.ts'
import { hexDigits, Malformed } from '../hex.ts'
import { type Methods, method } from '../method.ts'
import { data, type Param } from '../params.ts'
import { encodeQuantity } from '../quantity.ts'
import { requireBlock } from './blocks.ts'

const address = data(20)

/** A slot: up to 32 bytes, with or without leading zeros. */
const slot: Param<Uint8Array> = {
  parse(value) {
    const digits = hexDigits(value)
    if (digits.length > 64) throw new Malformed('storage key too long (want at most 32 bytes)')
    return wordBytes(BigInt(`0x${digits === '' ? '0' : digits}`))
  },
}

/** Accounts, at a block whose state is kept; `pending` is what the next transaction of the mempool would meet. */
export function stateMethods(blocks: EthBlocks, state: EthState): Methods {
  const at = (ref: BlockRef) =>
    ref === 'pending' || ref === 'latest' ? state.at(ref) : state.at(requireBlock(blocks, ref).header.number)
  return {
    eth_getBalance: method([address, blockRef], (_, of, ref) =>
      encodeQuantity(at(ref).balance(checkAddress(of))),
    ),
    eth_getTransactionCount: method([address, blockRef], (_, of, ref) =>
      encodeQuantity(at(ref).nonce(checkAddress(of))),
    ),
    eth_getCode: method([address, blockRef], (_, of, ref) =>
      encodeData(at(ref).code(checkAddress(of)).bytes),
    ),
    eth_getStorageAt: method([address, slot, blockRef], (_, of, key, ref) =>
      encodeData(wordBytes(at(ref).storage(checkAddress(of), key))),
    ),
  }
}
