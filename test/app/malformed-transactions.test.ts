import { expect } from 'chai'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { formatAddress } from '../../core/address.ts'
import { concatBytes } from '../../core/bytes.ts'
import { packAny } from '../../core/wire/registry.ts'
import { TestChain, user } from '../kit/app/chain.ts'

/** A varint field (wire type 0) of any number. */
function field(number: number, value = 1): Uint8Array {
  const bytes: number[] = []
  for (let n = number * 8; ; n = Math.floor(n / 128)) {
    if (n < 128) {
      bytes.push(n)
      break
    }
    bytes.push((n % 128) | 128)
  }
  return Uint8Array.from([...bytes, value])
}

describe('a malformed transaction', () => {
  let chain: TestChain
  let good: Uint8Array
  before(async () => {
    chain = await TestChain.start({ minimumGasPrices: [{ denom: 'afrx', atomics: 10n ** 18n }] })
    await chain.block()
    good = chain.send('alice', 'bob', 1n, {
      fee: { amount: [{ denom: 'afrx', amount: '200000' }], gasLimit: 200_000n },
    })
  })
  after(() => chain.stop())

  const refuses = (name: string, make: () => Uint8Array, code: number): void => {
    it(`${name} is refused with ${code}`, () => {
      expect(chain.check(make())).to.include({ code, codespace: 'sdk' })
    })
  }
  const raw = (): TxRaw => TxRaw.decode(good)
  const withBody = (change: (b: TxBody) => TxBody): Uint8Array =>
    TxRaw.encode({
      ...raw(),
      bodyBytes: TxBody.encode(change(TxBody.decode(raw().bodyBytes))).finish(),
    }).finish()
  const withAuth = (change: (a: AuthInfo) => AuthInfo): Uint8Array =>
    TxRaw.encode({
      ...raw(),
      authInfoBytes: AuthInfo.encode(change(AuthInfo.decode(raw().authInfoBytes))).finish(),
    }).finish()

  refuses('of no bytes', () => new Uint8Array(0), 18)
  refuses('of random bytes', () => Uint8Array.of(1, 2, 3), 2)
  refuses('cut short', () => good.subarray(0, good.length - 3), 2)
  refuses('with an unknown field in TxRaw', () => concatBytes(good, field(9)), 2)
  refuses(
    'with an unknown critical field in its body',
    () => TxRaw.encode({ ...raw(), bodyBytes: concatBytes(raw().bodyBytes, field(50)) }).finish(),
    2,
  )
  refuses(
    'with an unknown non-critical field in its body, which the signature does not cover',
    () => TxRaw.encode({ ...raw(), bodyBytes: concatBytes(raw().bodyBytes, field(1024)) }).finish(),
    4,
  )
  refuses(
    'with an unknown field in its auth info',
    () => TxRaw.encode({ ...raw(), authInfoBytes: concatBytes(raw().authInfoBytes, field(1024)) }).finish(),
    2,
  )
  refuses(
    'whose TxRaw fields are out of order (ADR-027)',
    () => {
      const { bodyBytes, authInfoBytes, signatures } = raw()
      const body = TxRaw.encode({ bodyBytes, authInfoBytes: new Uint8Array(0), signatures: [] }).finish()
      const auth = TxRaw.encode({ bodyBytes: new Uint8Array(0), authInfoBytes, signatures }).finish()
      return concatBytes(auth, body)
    },
    2,
  )
  refuses(
    'with a message of an unknown type',
    () =>
      withBody((b) => ({
        ...b,
        messages: [{ typeUrl: '/cosmos.nobody.v1.MsgNothing', value: new Uint8Array(0) }],
      })),
    2,
  )
  refuses(
    'with something that is no message',
    () =>
      withBody((b) => ({
        ...b,
        messages: [{ typeUrl: '/cosmos.bank.v1beta1.Input', value: new Uint8Array(0) }],
      })),
    2,
  )
  refuses('without messages', () => withBody((b) => ({ ...b, messages: [] })), 18)
  refuses('with extension options', () => withBody((b) => ({ ...b, extensionOptions: [b.messages[0]!] })), 31)
  refuses('past its timeout height', () => withBody((b) => ({ ...b, timeoutHeight: 1n })), 30)
  refuses('with a memo of 257 bytes', () => withBody((b) => ({ ...b, memo: 'x'.repeat(257) })), 12)
  refuses('without signatures', () => TxRaw.encode({ ...raw(), signatures: [] }).finish(), 15)
  refuses(
    'with a signature too many',
    () => TxRaw.encode({ ...raw(), signatures: [...raw().signatures, new Uint8Array(64)] }).finish(),
    4,
  )
  refuses('with an unordered body', () => withBody((b) => ({ ...b, unordered: true })), 37)
  refuses('without fee', () => withAuth(({ signerInfos }) => AuthInfo.fromPartial({ signerInfos })), 18)
  refuses('without gas', () => withAuth((a) => ({ ...a, fee: { ...a.fee!, gasLimit: 0n } })), 11)
  refuses(
    'with more gas than a block has',
    () => withAuth((a) => ({ ...a, fee: { ...a.fee!, gasLimit: 100_000_001n } })),
    41,
  )
  refuses(
    'with more gas than an int64 holds',
    () => withAuth((a) => ({ ...a, fee: { ...a.fee!, gasLimit: 2n ** 63n } })),
    18,
  )
  refuses(
    'with a fee below the minimum',
    () => withAuth((a) => ({ ...a, fee: { ...a.fee!, amount: [{ denom: 'afrx', amount: '199999' }] } })),
    13,
  )
  refuses(
    'with a negative fee',
    () => withAuth((a) => ({ ...a, fee: { ...a.fee!, amount: [{ denom: 'afrx', amount: '-1' }] } })),
    13,
  )
  refuses(
    'with a fee granter',
    () => withAuth((a) => ({ ...a, fee: { ...a.fee!, granter: chain.user('bob').text } })),
    18,
  )
  refuses(
    'with a fee that is not there',
    () =>
      withAuth((a) => ({ ...a, fee: { ...a.fee!, amount: [{ denom: 'afrx', amount: '9'.repeat(40) }] } })),
    5,
  )
  refuses(
    'with the key of another',
    () => {
      const other = chain.send('bob', 'alice', 1n)
      chain.user('bob').sequence--
      const { signerInfos } = AuthInfo.decode(TxRaw.decode(other).authInfoBytes)
      return withAuth((a) => ({ ...a, signerInfos }))
    },
    8,
  )
  const sendsOf = (count: number, from: (i: number) => string) =>
    Array.from({ length: count }, (_, i) =>
      packAny('cosmos.bank.v1beta1.MsgSend', {
        fromAddress: from(i),
        toAddress: user('bob').text,
        amount: [],
      }),
    )
  const multiSend = (addresses: readonly string[]) =>
    packAny('cosmos.bank.v1beta1.MsgMultiSend', {
      inputs: addresses.map((address) => ({ address, coins: [] })),
      outputs: [],
    })
  refuses(
    'of 24,000 inputs, whose signers took seconds to collect before any fee',
    () =>
      withBody((b) => ({
        ...b,
        messages: [
          multiSend(Array.from({ length: 24_000 }, (_, i) => formatAddress(Uint8Array.of(i >> 8, i & 255)))),
        ],
      })),
    14,
  )
  refuses(
    'of 65 inputs from one account',
    () =>
      withBody((b) => ({
        ...b,
        messages: [multiSend(Array.from({ length: 65 }, () => user('alice').text))],
      })),
    14,
  )
  refuses(
    'of 65 signers',
    () => withBody((b) => ({ ...b, messages: sendsOf(65, (i) => user(`signer ${i}`).text) })),
    14,
  )
  refuses(
    'of 64 signers, one of whom signed',
    () => withBody((b) => ({ ...b, messages: sendsOf(64, (i) => user(`signer ${i}`).text) })),
    4,
  )
  refuses(
    'of 1,001 messages',
    () => withBody((b) => ({ ...b, messages: sendsOf(1_001, () => user('alice').text) })),
    2,
  )
  refuses(
    'of nested Anys a thousand deep',
    () => {
      let any: { typeUrl: string; value: Uint8Array } = {
        typeUrl: '/google.protobuf.Any',
        value: new Uint8Array(0),
      }
      for (let i = 0; i < 1000; i++) {
        const url = Buffer.from(any.typeUrl)
        any = {
          typeUrl: '/google.protobuf.Any',
          value: concatBytes(
            Uint8Array.of(10, url.length),
            url,
            Uint8Array.of(18, ...length(any.value.length)),
            any.value,
          ),
        }
      }
      return withBody((b) => ({ ...b, messages: [any] }))
    },
    2,
  )
})

function length(n: number): number[] {
  const out: number[] = []
  let rest = n
  for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest % 128) | 128)
  return [...out, rest]
}
