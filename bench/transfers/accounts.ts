import { createHash } from 'node:crypto'
import { bech32 } from '@scure/base'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { secp256k1Address, secp256k1PublicKey } from '../../core/crypto/secp256k1.ts'
import { signTx } from '../../core/tx/build.ts'

/** The differences between chains that a load must know to fit both. */
export interface Dialect {
  readonly prefix: string
  readonly denom: string
  readonly chainId: string
}

export interface Sender {
  readonly privateKey: Uint8Array
  readonly address: string
}

export function senders(count: number, prefix: string): Sender[] {
  return Array.from({ length: count }, (_, i) => {
    const privateKey = new Uint8Array(createHash('sha256').update(`bench account ${i}`).digest())
    const address = secp256k1Address(secp256k1PublicKey(privateKey))
    return { privateKey, address: bech32.encode(prefix, bech32.toWords(address)) }
  })
}

/** Address of the i-th account that only receives. */
export function idleAddress(i: number, prefix: string): string {
  const bytes = createHash('sha256').update(`idle account ${i}`).digest().subarray(0, 20)
  return bech32.encode(prefix, bech32.toWords(bytes))
}

const OUTPUTS = 5000

/** MultiSends that make `count` idle accounts, 5,000 in each. */
export function fillingTransactions(
  from: Sender,
  accountNumber: number,
  count: number,
  { prefix, denom, chainId }: Dialect,
): Uint8Array[] {
  const out: Uint8Array[] = []
  for (let begin = 0; begin < count; begin += OUTPUTS) {
    const size = Math.min(OUTPUTS, count - begin)
    const coins = (amount: number): { denom: string; amount: string }[] => [{ denom, amount: String(amount) }]
    const value = MsgMultiSend.encode({
      inputs: [{ address: from.address, coins: coins(size) }],
      outputs: Array.from({ length: size }, (_, i) => ({
        address: idleAddress(begin + i, prefix),
        coins: coins(1),
      })),
    }).finish()
    const message = { typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend', value }
    const key = {
      privateKey: from.privateKey,
      accountNumber: BigInt(accountNumber),
      sequence: BigInt(out.length),
    }
    out.push(signTx({ messages: [message], fee: { amount: [], gasLimit: 10_000_000_000n } }, chainId, [key]))
  }
  return out
}

const TX_BYTES = 300

/**
 * `count` signed bank sends of about 300 bytes, round by round over all senders, so that an account's sequences are
 * a whole round apart. Account numbers are the senders' indices plus `firstNumber`. They go to `idle` accounts, or where
 * there are none, to the senders themselves.
 */
export function signedSends(
  from: readonly Sender[],
  count: number,
  { prefix, denom, chainId }: Dialect,
  firstNumber: number,
  { idle = 0, firstSequence = 0 }: { readonly idle?: number; readonly firstSequence?: number } = {},
): Uint8Array[] {
  const out: Uint8Array[] = []
  let memo = ''
  for (let i = 0; i < count; i++) {
    const n = i % from.length
    const sender = from[n]!
    const message = {
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: MsgSend.encode({
        fromAddress: sender.address,
        toAddress:
          idle > 0 ? idleAddress((i * 7919) % idle, prefix) : from[(n * 7 + 1) % from.length]!.address,
        amount: [{ denom, amount: '1' }],
      }).finish(),
    }
    const key = {
      privateKey: sender.privateKey,
      accountNumber: BigInt(firstNumber + n),
      sequence: BigInt(firstSequence + Math.floor(i / from.length)),
    }
    const sign = (): Uint8Array =>
      signTx({ messages: [message], fee: { amount: [], gasLimit: 200_000n }, memo }, chainId, [key])
    let tx = sign()
    if (memo === '' && tx.length < TX_BYTES) {
      memo = 'x'.repeat(Math.max(1, TX_BYTES - tx.length - 2))
      tx = sign()
    }
    out.push(tx)
  }
  return out
}
