import { type GasMeter, gasMeter } from '../../core/gas.ts'

/** Gas that a query may use: it runs on the thread that decides blocks. The dearest takes some 50 ms of it. */
export const QUERY_GAS = 10_000_000n

/**
 * Factors of gas where a query takes longer for it than a transaction does: each entry of a walk is decoded
 * and answered, and a read of a past state goes down a tree on disk.
 */
const WALK = 10
const PAST = 10

/** Counts what a query reads, of the latest state or of a past one. */
export function queryMeter(isLatest: boolean, limit: bigint = QUERY_GAS): GasMeter {
  const meter = gasMeter(limit)
  return {
    limit,
    get consumed() {
      return meter.consumed
    },
    consume(amount, what) {
      const factor = what === 'IterNextFlat' ? WALK : isLatest ? 1 : PAST
      meter.consume(Number(amount) * factor, what)
    },
  }
}
