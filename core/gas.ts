import { sdk } from './error.ts'

/** Counts gas up to a limit. What is consumed stays consumed when a checkpoint reverts. */
export interface GasMeter {
  readonly limit: bigint
  readonly consumed: bigint
  /** Throws sdk/11 `out of gas` when the limit is passed; the excess counts as consumed. */
  consume(amount: bigint, what: string): void
}

const UNLIMITED = 0xffff_ffff_ffff_ffffn

export function gasMeter(limit: bigint = UNLIMITED): GasMeter {
  let consumed = 0n
  return {
    limit,
    get consumed() {
      return consumed
    },
    consume(amount, what) {
      consumed += amount
      if (consumed > limit)
        throw sdk.outOfGas(`out of gas in location: ${what}; gasWanted: ${limit}, gasUsed: ${consumed}`)
    },
  }
}

/** Store access, in the SDK's amounts (store/types `KVGasConfig`). */
export const STORE_GAS = {
  has: 1000n,
  delete: 1000n,
  readFlat: 1000n,
  readPerByte: 3n,
  writeFlat: 2000n,
  writePerByte: 30n,
  iterateNext: 30n,
} as const
