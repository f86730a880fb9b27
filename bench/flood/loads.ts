import { type Dialect, type Sender, senders, signedSends } from '../transfers/accounts.ts'

/** Transactions that CheckTx must refuse, in turns. */
export const INVALID = 'a wrong signature, a sequence far ahead, a sender that does not exist'

const AHEAD = 1_000_000

/** As many sends, of which a node is to take none; no two are alike. */
export function invalidSends(
  from: readonly Sender[],
  count: number,
  dialect: Dialect,
  firstNumber: number,
): Uint8Array[] {
  const third = Math.ceil(count / 3)
  const wrongSignature = signedSends(from, third, dialect, firstNumber)
  // The signature is what a transaction ends with.
  for (const tx of wrongSignature) tx[tx.length - 1]! ^= 1
  const ahead = signedSends(from, third, dialect, firstNumber, { firstSequence: AHEAD })
  const strangers = senders(2 * from.length, dialect.prefix).slice(from.length)
  const unfunded = signedSends(strangers, third, dialect, firstNumber + from.length)
  return wrongSignature.flatMap((tx, i) => [tx, ahead[i]!, unfunded[i]!]).slice(0, count)
}
