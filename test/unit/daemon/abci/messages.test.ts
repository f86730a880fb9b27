import { expect } from 'chai'
import {
  type CheckTxType,
  Request,
  RequestCheckTx,
  Response,
  ResponseCheckTx,
} from 'cosmjs-types/tendermint/abci/types'
import fc from 'fast-check'
import { decodeCheckTx, encodeCheckTx } from '../../../../daemon/abci/check-tx-codec.ts'
import { ProtocolError } from '../../../../daemon/abci/errors.ts'
import { frameResponse, readRequest } from '../../../../daemon/abci/messages.ts'
import { methods } from '../../../../daemon/abci/methods.ts'
import { frame } from '../../../kit/abci/client.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('abci messages', () => {
  it('decode a CheckTx request as the generated codec does', () => {
    const tx = fc.uint8Array({ maxLength: 400 })
    fc.assert(
      fc.property(
        tx,
        fc.constantFrom<CheckTxType>(0, 1, 7 as CheckTxType),
        fc.uint8Array({ maxLength: 3 }),
        (tx, type, junk) => {
          const body = Buffer.concat([RequestCheckTx.encode({ tx, type }).finish(), junk])
          let expected: RequestCheckTx | undefined
          try {
            expected = RequestCheckTx.decode(body)
          } catch {
            expect(() => decodeCheckTx(body)).to.throw()
            return
          }
          expect(decodeCheckTx(body)).to.deep.equal(expected)
        },
      ),
    )
  })

  it('hand the application its own copy of a transaction', () => {
    const body = RequestCheckTx.encode({ tx: new Uint8Array([1, 2, 3]), type: 0 }).finish()
    const { tx } = decodeCheckTx(body)
    body.fill(9)
    expect(hex(tx)).to.equal('010203')
  })

  it('encode a CheckTx response as the generated codec does', () => {
    const amount = fc.oneof(
      fc.bigInt({ min: 0n, max: 300n }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    )
    const text = fc.oneof(fc.constant(''), fc.string({ maxLength: 8 }))
    fc.assert(
      fc.property(
        fc.nat(0xffffffff),
        text,
        text,
        amount,
        amount,
        (code, log, codespace, gasWanted, gasUsed) => {
          const response = ResponseCheckTx.fromPartial({ code, log, codespace, gasWanted, gasUsed })
          expect(hex(encodeCheckTx(response))).to.equal(hex(ResponseCheckTx.encode(response).finish()))
        },
      ),
    )
  })

  it('frame a response as the generated codec does', () => {
    for (const size of [0, 1, 120, 127, 128, 20_000]) {
      const key = new Uint8Array(size).fill(7)
      const response = Response.fromPartial({ loadSnapshotChunk: { chunk: key } })
      const method = methods.get(14)
      const body = method?.encode({ chunk: key }) ?? new Uint8Array(0)
      expect(hex(frameResponse(15, body))).to.equal(hex(frame(Response.encode(response).finish())))
    }
  })

  it('have the field numbers of CometBFT', () => {
    for (const method of methods.values()) {
      if (method.requestField > 20) continue
      const name = method.name.charAt(0).toLowerCase() + method.name.slice(1)
      const request = Request.decode(new Uint8Array([...tag(method.requestField), 0]))
      expect(Object.keys(request).filter((key) => request[key as keyof Request] !== undefined)).to.deep.equal(
        [name],
      )
      const response = Response.decode(new Uint8Array([...tag(method.responseField), 0]))
      expect(
        Object.keys(response).filter((key) => response[key as keyof Response] !== undefined),
      ).to.deep.equal([name])
    }
  })

  it('that are not one known request are refused', () => {
    const refused: [string, number[]][] = [
      ['a request without a value', []],
      ['not one length-delimited field', [0x40, 1]],
      ['not one length-delimited field', [0x42]],
      ['request field 8 does not end where its frame does', [0x42, 3, 0x0a, 0]],
      ['request field 8 does not end where its frame does', [0x42, 0, 0x12, 0]],
      ['request field 4 is of no ABCI call known here', [0x22, 0]],
      ['request field 23 is of no ABCI call known here', [0xba, 1, 0]],
      ['request field 3 does not decode', [0x1a, 2, 0x0a, 9]],
    ]
    for (const [reason, bytes] of refused) {
      expect(() => readRequest(new Uint8Array(bytes)), reason).to.throw(ProtocolError, reason)
    }
  })
})

function tag(field: number): number[] {
  const value = field * 8 + 2
  return value < 128 ? [value] : [(value % 128) + 128, Math.floor(value / 128)]
}
