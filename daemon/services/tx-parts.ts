import { AuthInfo, TxBody, type TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { sdk } from '../../core/error.ts'
import { fieldsOf, hasMessage, isMessageType } from '../../core/wire/descriptors.ts'
import { nameOfUrl } from '../../core/wire/registry.ts'

/**
 * Fields of the transactions in one answer. A megabyte has no more that say anything: of empty ones it holds half a million,
 * each of which becomes some 50 bytes of JSON.
 */
export const MAX_TX_PARTS = 100_000
const MAX_DEPTH = 100
const ANY = 'google.protobuf.Any'

/** Counts the fields of what one answer shows. */
export class TxParts {
  #left = MAX_TX_PARTS

  /** Throws sdk/21 where that are more than the answer has left. What is malformed is counted up to there. */
  take({ bodyBytes, authInfoBytes }: TxRaw): void {
    const left = this.#left
    try {
      this.#count(nameOfUrl(TxBody.typeUrl), bodyBytes)
      this.#count(nameOfUrl(AuthInfo.typeUrl), authInfoBytes)
    } catch (error) {
      this.#left = left
      throw error
    }
  }

  #count(name: string, bytes: Uint8Array, depth = 0): void {
    if (depth > MAX_DEPTH) return
    const fields = fieldsOf(name)
    let typeUrl = ''
    let value: Uint8Array | undefined
    let at = 0
    const varint = (): number => {
      let number = 0
      for (let scale = 1; at < bytes.length; scale *= 128) {
        const byte = bytes[at++]!
        number += (byte & 127) * scale
        if (byte < 128) return number
      }
      return number
    }
    while (at < bytes.length) {
      const tag = varint()
      const wire = tag % 8
      this.#take(1)
      if (wire === 0) varint()
      else if (wire === 1) at += 8
      else if (wire === 5) at += 4
      else if (wire === 2) {
        const length = varint()
        const content = bytes.subarray(at, at + length)
        at += length
        const field = fields.get(Math.floor(tag / 8))
        if (name === ANY && field?.name === 'type_url') typeUrl = Buffer.from(content).toString('utf8')
        else if (name === ANY) value = content
        else if (field !== undefined && isMessageType(field.t)) this.#count(field.t, content, depth + 1)
        else if (field?.rep && !['string', 'bytes'].includes(field.t)) this.#take(content.length)
      } else return
    }
    if (value !== undefined && hasMessage(nameOfUrl(typeUrl)))
      this.#count(nameOfUrl(typeUrl), value, depth + 1)
  }

  #take(parts: number): void {
    this.#left -= parts
    if (this.#left < 0) throw sdk.txTooLarge(`an answer shows transactions of ${MAX_TX_PARTS} fields at most`)
  }
}
