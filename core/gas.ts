import { sdk } from './error.ts'

/** Counts gas up to a limit. What is consumed stays consumed when a checkpoint reverts. */
export interface GasMeter {
  readonly limit: bigint
  readonly consumed: bigint
  /** Throws sdk/11 `out of gas` when the limit is passed; the excess counts as consumed. */
  consume(amount: bigint | number, what: string): void
}

const UNLIMITED = 0xffff_ffff_ffff_ffffn

export function gasMeter(limit: bigint = UNLIMITED): GasMeter {
  // A number, since every store access counts here: exact up to 2^53, where the meter stops whatever the limit.
  let consumed = 0
  const most = limit < BigInt(Number.MAX_SAFE_INTEGER) ? Number(limit) : Number.MAX_SAFE_INTEGER
  return {
    limit,
    get consumed() {
      return BigInt(consumed)
    },
    consume(amount, what) {
      consumed = Math.min(consumed + Number(amount), Number.MAX_SAFE_INTEGER)
      if (consumed > most || consumed === Number.MAX_SAFE_INTEGER)
        throw sdk.outOfGas(`out of gas in location: ${what}; gasWanted: ${limit}, gasUsed: ${consumed}`)
    },
  }
}

/** Store access, in the SDK's amounts (store/types `KVGasConfig`). */
export const STORE_GAS = {
  has: 1000,
  delete: 1000,
  readFlat: 1000,
  readPerByte: 3,
  writeFlat: 2000,
  writePerByte: 30,
  iterateNext: 30,
} as const
