import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary'
import type { RequestInsertTx, RequestReapTxs, ResponseInsertTx, ResponseReapTxs } from './handler.ts'

/** Calls `field` with each field's number and wire type; where it returns false the field is skipped. */
function readFields(bytes: Uint8Array, field: (number: number, reader: BinaryReader) => boolean): void {
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    if (!field(number, reader)) reader.skipType(wireType)
  }
}

/** Wire forms of InsertTx and ReapTxs (CometBFT 0.39, proto/tendermint/abci/types.proto). */
export const requestInsertTx = {
  decode(bytes: Uint8Array): RequestInsertTx {
    const request: RequestInsertTx = { tx: new Uint8Array(0) }
    readFields(bytes, (number, reader) => {
      if (number !== 1) return false
      request.tx = reader.bytes()
      return true
    })
    return request
  },
}

export const responseInsertTx = {
  encode(response: ResponseInsertTx): BinaryWriter {
    const writer = BinaryWriter.create()
    if (response.code !== 0) writer.uint32(8).uint32(response.code)
    return writer
  },
}

export const requestReapTxs = {
  decode(bytes: Uint8Array): RequestReapTxs {
    const request: RequestReapTxs = { maxBytes: 0n, maxGas: 0n }
    readFields(bytes, (number, reader) => {
      if (number === 1) request.maxBytes = reader.uint64()
      else if (number === 2) request.maxGas = reader.uint64()
      else return false
      return true
    })
    return request
  },
}

export const responseReapTxs = {
  encode(response: ResponseReapTxs): BinaryWriter {
    const writer = BinaryWriter.create()
    for (const tx of response.txs) writer.uint32(10).bytes(tx)
    return writer
  },
}
