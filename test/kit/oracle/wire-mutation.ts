import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary'
import { utf8 } from '../../../core/bytes.ts'
import {
  type FieldDescriptor,
  hasMessage,
  isMessageType,
  messageDescriptor,
} from '../../../core/wire/descriptors.ts'
import { type Any, nameOfUrl } from '../../../core/wire/registry.ts'
import { pick, type Random } from '../random.ts'
import type { Dialect } from './dialect.ts'
import { addresses, blobs, decimals, integers, texts, varints } from './hostile-values.ts'

/** One occurrence of a field in an encoded message: a varint, or what has a length. */
interface Record {
  readonly n: number
  readonly value: bigint | Uint8Array
}

function recordsOf(bytes: Uint8Array): Record[] {
  const reader = new BinaryReader(bytes)
  const records: Record[] = []
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const n = tag >>> 3
    records.push({ n, value: (tag & 7) === 0 ? reader.uint64() : reader.bytes() })
  }
  return records
}

function encoded(records: readonly Record[]): Uint8Array {
  const writer = BinaryWriter.create()
  for (const { n, value } of records)
    if (typeof value === 'bigint') writer.uint32(n << 3).uint64(value)
    else writer.uint32((n << 3) | 2).bytes(value)
  return writer.finish()
}

/** Decimals that proposals carry as text have no mark in their definition. */
const isDecimalText = ({ name }: FieldDescriptor): boolean => /weight|quorum|threshold|ratio/.test(name)

/** Texts are UTF-8: whether the SDK refuses others depends on which of its generated codecs are linked. */
function hostileValue(random: Random, dialect: Dialect, field: FieldDescriptor): bigint | Uint8Array {
  const { t, scalar } = field
  if (scalar === 'cosmos.Int' || scalar === 'cosmos.Dec') return utf8(pick(random, integers))
  if (scalar?.endsWith('AddressString')) return utf8(pick(random, addresses)(dialect))
  if (t === 'string') return utf8(pick(random, isDecimalText(field) ? decimals : texts))
  if (t === 'bytes') return pick(random, blobs)
  return pick(random, varints)
}

/** The mutation of one occurrence of a field; a message's own fields have their turn most of the time. */
function hostileContent(
  random: Random,
  dialect: Dialect,
  field: FieldDescriptor,
  was: bigint | Uint8Array | undefined,
): bigint | Uint8Array {
  const content = was instanceof Uint8Array ? was : new Uint8Array(0)
  if (field.t === 'google.protobuf.Any') return mutatedAny(random, dialect, content)
  if (isMessageType(field.t)) return mutatedMessage(random, dialect, field.t, content)
  return hostileValue(random, dialect, field)
}

const urls: readonly string[] = [
  '',
  '/',
  'cosmos.crypto.ed25519.PubKey',
  '/cosmos.crypto.ed25519.PubKey',
  '/cosmos.crypto.secp256k1.PubKey',
  '/cosmos.bank.v1beta1.MsgSend',
  '/cosmos.gov.v1beta1.TextProposal',
  '/cosmos.unknown.v1.Msg',
]

function mutatedAny(random: Random, dialect: Dialect, bytes: Uint8Array): Uint8Array {
  const records = recordsOf(bytes)
  const url = records.find((r) => r.n === 1)?.value
  const name = url instanceof Uint8Array ? nameOfUrl(Buffer.from(url).toString()) : ''
  const kind = random(10)
  if (kind === 0)
    return encoded([{ n: 1, value: utf8(pick(random, urls)) }, ...records.filter((r) => r.n !== 1)])
  if (kind === 1) return encoded(records.filter((r) => r.n !== 2))
  if (!hasMessage(name)) return bytes
  return encoded(
    records.map((r) =>
      r.n === 2 && r.value instanceof Uint8Array
        ? { n: 2, value: mutatedMessage(random, dialect, name, r.value) }
        : r,
    ),
  )
}

/** The encoded message with one field, at any depth, left out, repeated, or given a hostile value. */
export function mutatedMessage(
  random: Random,
  dialect: Dialect,
  name: string,
  bytes: Uint8Array,
): Uint8Array {
  const { fields } = messageDescriptor(name)
  if (fields.length === 0) return bytes
  const field = pick(random, fields)
  const records = recordsOf(bytes)
  const held = records.filter((r) => r.n === field.n)
  const kind = random(12)
  if (kind === 0) return encoded(records.filter((r) => r.n !== field.n))
  if (kind === 1 && (field.rep || !isMessageType(field.t))) return encoded([...records, ...held])
  const chosen = held.length === 0 ? undefined : pick(random, held)
  const value = hostileContent(random, dialect, field, chosen?.value)
  // Where Go may have no number at all, an empty one panics; to the codecs of CosmJS both are the same.
  const isNoNumber = field.scalar !== undefined && value instanceof Uint8Array && value.length === 0
  if (isNoNumber) return encoded(records.filter((r) => r !== chosen))
  return encoded(
    chosen === undefined
      ? [...records, { n: field.n, value }].sort((a, b) => a.n - b.n)
      : records.map((r) => (r === chosen ? { n: r.n, value } : r)),
  )
}

export const mutatedAnyMessage = (random: Random, dialect: Dialect, { typeUrl, value }: Any): Any => ({
  typeUrl,
  value: mutatedMessage(random, dialect, nameOfUrl(typeUrl), value),
})
