import * as txTypes from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type Address, checkAddress, decodeAddress, parseAddress, VALIDATOR_PREFIX } from '../address.ts'
import { sha256, toLatin1 } from '../bytes.ts'
import { ChainError, rethrowExhaustion, sdk } from '../error.ts'
import { camelName, isTransactionMessage, messageDescriptor } from '../wire/descriptors.ts'
import { type Any, hasWireType, nameOfUrl, registerTypes, unpackAny } from '../wire/registry.ts'
import { readScalars } from '../wire/scalars.ts'
import { rejectUnknownFields } from '../wire/unknown-fields.ts'

registerTypes(txTypes)

/** Messages of a transaction. The SDK has no limit: what is refused here is in no block. */
export const MAX_MESSAGES = 1_000
/** Accounts that one message names as its signers, and signers of a transaction, whatever `tx_sig_limit` says. */
export const MAX_SIGNERS = 64

/** One message of a transaction, decoded. */
export interface TxMessage {
  readonly typeUrl: string
  readonly value: unknown
}

/** A transaction, decoded once and kept between CheckTx and FinalizeBlock. */
export interface DecodedTx {
  readonly bytes: Uint8Array
  /** sha256 of the bytes. */
  readonly hash: Uint8Array
  readonly bodyBytes: Uint8Array
  readonly authInfoBytes: Uint8Array
  readonly signatures: readonly Uint8Array[]
  readonly body: TxBody
  readonly authInfo: AuthInfo
  readonly messages: readonly TxMessage[]
  /** Every account that has to sign: the messages' signers in order, then the fee payer where it is another. */
  readonly signers: readonly Address[]
  readonly feePayer: Address
}

/** TxRaw holds its fields in ascending order with minimal lengths (ADR-027), so that a hash has one transaction. */
function rejectNonCanonicalRaw(bytes: Uint8Array): void {
  let at = 0
  let previous = 0
  while (at < bytes.length) {
    const tag = bytes[at++]!
    const number = tag >> 3
    if ((tag & 7) !== 2 || tag > 127) throw sdk.txDecode('TxRaw has only bytes fields')
    if (number < previous || (number === previous && number !== 3))
      throw sdk.txDecode(`txRaw must follow ADR-027, got tagNum ${number} after tagNum ${previous}`)
    previous = number
    let length = 0
    let scale = 1
    let byte: number | undefined
    do {
      byte = bytes[at++]
      if (byte === undefined || scale > 0x1000_0000) throw sdk.txDecode('invalid length')
      length += (byte & 127) * scale
      scale *= 128
    } while (byte > 127)
    if (byte === 0 && scale > 128) throw sdk.txDecode('length prefix varint is not as short as possible')
    at += length
    if (at > bytes.length) throw sdk.txDecode('unexpected end of message')
  }
}

/** The accounts that a message's definition names as its signers. Throws what `decodeAddress` throws, and sdk/14. */
export function signersOf(message: TxMessage): Address[] {
  const out: Address[] = []
  collectSigners(nameOfUrl(message.typeUrl), message.value as Record<string, unknown>, out)
  return out
}

function collectSigners(name: string, value: Record<string, unknown>, out: Address[]): void {
  const descriptor = messageDescriptor(name)
  for (const signer of descriptor.signers ?? []) {
    const field = descriptor.fields.find((f) => f.name === signer)!
    const held = value[camelName(signer)]
    for (const item of (field.rep ? (held ?? []) : [held]) as unknown[]) {
      // Asked before an address is read: a message of a megabyte may name tens of thousands.
      if (out.length >= MAX_SIGNERS) throw tooManySigners()
      if (typeof item === 'string')
        out.push(
          field.scalar === 'cosmos.ValidatorAddressString'
            ? decodeAddress(item, VALIDATOR_PREFIX)
            : decodeAddress(item),
        )
      else if (item instanceof Uint8Array) out.push(checkAddress(item))
      else if (item !== undefined) collectSigners(field.t, item as Record<string, unknown>, out)
    }
  }
}

const tooManySigners = (): ChainError => sdk.tooManySignatures(`more than ${MAX_SIGNERS} signers`)

/** Throws sdk/2 where no message goes by a type URL. */
export function requireMessageType(typeUrl: string): void {
  if (!isTransactionMessage(nameOfUrl(typeUrl)) || !hasWireType(nameOfUrl(typeUrl)))
    throw sdk.txDecode(`unable to resolve type URL ${typeUrl.slice(0, 200)}`)
}

/** The message in an Any. Throws sdk/2, sdk/34. */
export function unpackMessage(any: Any): TxMessage {
  const { typeUrl } = any
  requireMessageType(typeUrl)
  const value = unpackAny(any)
  readScalars(nameOfUrl(typeUrl), value)
  return { typeUrl, value }
}

/** Decodes and checks the form of a transaction; says nothing of state. Throws sdk/2 and the codes of its parts. */
export function decodeTx(bytes: Uint8Array): DecodedTx {
  rejectNonCanonicalRaw(bytes)
  rejectUnknownFields('cosmos.tx.v1beta1.TxRaw', bytes, false)
  try {
    const raw = TxRaw.decode(bytes)
    rejectUnknownFields('cosmos.tx.v1beta1.TxBody', raw.bodyBytes, true)
    const body = TxBody.decode(raw.bodyBytes)
    rejectUnknownFields('cosmos.tx.v1beta1.AuthInfo', raw.authInfoBytes, false)
    const authInfo = AuthInfo.decode(raw.authInfoBytes)
    if (authInfo.fee !== undefined) readScalars('cosmos.tx.v1beta1.Fee', authInfo.fee)
    if (body.messages.length > MAX_MESSAGES)
      throw sdk.txDecode(`${body.messages.length} messages, at most ${MAX_MESSAGES}`)
    const messages = body.messages.map(unpackMessage)
    const { signers, feePayer } = signersOfTx(messages, authInfo.fee?.payer ?? '')
    return {
      bytes,
      hash: sha256(bytes),
      bodyBytes: raw.bodyBytes,
      authInfoBytes: raw.authInfoBytes,
      signatures: raw.signatures,
      body,
      authInfo,
      messages,
      signers,
      feePayer,
    }
  } catch (error) {
    rethrowExhaustion(error)
    if (error instanceof ChainError) throw error
    throw sdk.txDecode(error instanceof Error ? error.message : 'malformed')
  }
}

/** Each signer once: those of the messages in their order, and the fee's payer, who is the first one where none is named. */
function signersOfTx(
  messages: readonly TxMessage[],
  payer: string,
): { readonly signers: readonly Address[]; readonly feePayer: Address } {
  const signers = new Map<string, Address>()
  const add = (signer: Address): void => {
    signers.set(toLatin1(signer), signer)
    if (signers.size > MAX_SIGNERS) throw tooManySigners()
  }
  for (const message of messages) for (const signer of signersOf(message)) add(signer)
  const feePayer = payer === '' ? signers.values().next().value : parseAddress(payer)
  if (feePayer === undefined) throw sdk.invalidRequest('must contain at least one message')
  add(feePayer)
  return { signers: [...signers.values()], feePayer }
}
