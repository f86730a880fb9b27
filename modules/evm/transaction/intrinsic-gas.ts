import type { EthereumTx } from './ethereum-tx.ts'

const TX_GAS = 21_000
const CREATION_GAS = 32_000
const TOKENS_OF_BYTE = 4
const TOKEN_GAS = 4
const TOKEN_FLOOR_GAS = 10
const INIT_CODE_WORD_GAS = 2
const ACCESS_ADDRESS_GAS = 2400
const ACCESS_SLOT_GAS = 1900
/** Paid for each authorisation; half of it comes back where the account was there. */
export const AUTHORIZATION_GAS = 25_000

type Priced = Pick<EthereumTx, 'to' | 'data' | 'accessList' | 'authorizations'>

/** A zero byte is one token, any other four (EIP-7623). */
function tokens(data: Uint8Array): number {
  let zeros = 0
  for (const byte of data) if (byte === 0) zeros++
  return zeros + TOKENS_OF_BYTE * (data.length - zeros)
}

/** Gas that a transaction takes before its first instruction, and the least that it takes in all (EIP-7623). */
export function intrinsicGas(tx: Priced): { readonly intrinsic: number; readonly floor: number } {
  const dataTokens = tokens(tx.data)
  const creation =
    tx.to === undefined ? CREATION_GAS + INIT_CODE_WORD_GAS * Math.floor((tx.data.length + 31) / 32) : 0
  const slots = tx.accessList.reduce((sum, entry) => sum + entry.slots.length, 0)
  const listed = ACCESS_ADDRESS_GAS * tx.accessList.length + ACCESS_SLOT_GAS * slots
  return {
    intrinsic:
      TX_GAS + TOKEN_GAS * dataTokens + creation + listed + AUTHORIZATION_GAS * tx.authorizations.length,
    floor: TX_GAS + TOKEN_FLOOR_GAS * dataTokens,
  }
}
