import { expect } from 'chai'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { ChainError } from '../../../../core/error.ts'
import type { Any } from '../../../../core/wire/registry.ts'
import '../../../../daemon/app/extended-commit.ts'
import '../../../../modules/bank/index.ts'
import { MAX_TX_PARTS } from '../../../../daemon/services/tx-parts.ts'
import { readBlockTxs, readTx } from '../../../../daemon/services/tx-response.ts'

const raw = (messages: readonly Any[], memo = ''): Uint8Array =>
  TxRaw.encode({
    bodyBytes: TxBody.encode(TxBody.fromPartial({ messages: [...messages], memo })).finish(),
    authInfoBytes: AuthInfo.encode(AuthInfo.fromPartial({ fee: {} })).finish(),
    signatures: [],
  }).finish()

/** An extended commit of empty votes, two bytes each. */
const votes = (count: number): Any => ({
  typeUrl: '/fornax.abci.v1.ExtendedCommit',
  value: new Uint8Array(2 * count).map((_, i) => (i % 2 === 0 ? 0x1a : 0)),
})
const refusal = (bytes: Uint8Array): [string, number] => {
  try {
    readTx(bytes)
  } catch (error) {
    if (error instanceof ChainError) return [error.codespace, error.code]
    throw error
  }
  return ['', 0]
}

/** An Any as the first field of a message. */
const anyField = (any: Any): Uint8Array => TxBody.encode(TxBody.fromPartial({ messages: [any] })).finish()

describe('A transaction that is shown', () => {
  it('has no more fields than an answer has room for, wherever they are', () => {
    const many = votes(MAX_TX_PARTS)
    expect(refusal(raw([many]))).to.deep.equal(['sdk', 21])
    expect(refusal(raw([votes(MAX_TX_PARTS - 100)]))).to.deep.equal(['', 0])
    const nested = { typeUrl: '/cosmos.gov.v1.MsgSubmitProposal', value: anyField(many) }
    expect(refusal(raw([nested]))).to.deep.equal(['sdk', 21])
    const body = TxBody.fromPartial({ nonCriticalExtensionOptions: [many] })
    const beside = TxRaw.encode({
      bodyBytes: TxBody.encode(body).finish(),
      authInfoBytes: new Uint8Array(0),
      signatures: [],
    }).finish()
    expect(refusal(beside)).to.deep.equal(['sdk', 21])
  })

  it('may pay five thousand at once', () => {
    const output = {
      address: 'fornax1d0gyaepy5792swq4jeqkw88nvpjru0vtrakfff',
      coins: [{ denom: 'afrx', amount: '1' }],
    }
    const value = MsgMultiSend.encode({ inputs: [output], outputs: new Array(5_000).fill(output) }).finish()
    const { body } = readTx(raw([{ typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend', value }]))
    expect(body!.messages[0]!.value).to.deep.equal(value)
  })

  it('is shown without a body in a list for which it is too much, and leaves the others theirs', () => {
    const [one, other] = [raw([], 'one'), raw([], 'other')]
    const shown = readBlockTxs([one, raw([votes(MAX_TX_PARTS)], 'much'), other])
    expect(shown.map((tx) => tx.body!.memo)).to.deep.equal(['one', '', 'other'])
    const third = Math.floor(MAX_TX_PARTS / 3)
    const list = ['a', 'b', 'c', 'd'].map((memo) => raw([votes(third)], memo))
    expect(readBlockTxs(list).map((tx) => tx.body!.memo)).to.deep.equal(['a', 'b', '', ''])
  })

  it('is malformed where it was before', () => {
    for (const bytes of [Uint8Array.of(10, 200), Uint8Array.of(10, 2, 10, 9), raw([]).subarray(0, 1)])
      expect(refusal(bytes)).to.deep.equal(['sdk', 2])
    // What an Any holds is not read.
    expect(refusal(raw([{ typeUrl: '/x.y.Z', value: new Uint8Array(300_000) }]))).to.deep.equal(['', 0])
    expect(
      refusal(raw([{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: Uint8Array.of(10, 255) }])),
    ).to.deep.equal(['', 0])
  })
})
