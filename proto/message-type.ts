import protobuf from 'protobufjs/minimal.js'

type Writer = protobuf.Writer
type Reader = protobuf.Reader

/** A message's codec in the form of cosmjs-types: camel case, bigint for 64 bits, bytes that are the message's own. */
export interface MessageType<T> {
  readonly typeUrl: string
  encode(message: T): { finish(): Uint8Array }
  /** Throws where the bytes are malformed. Unknown fields are passed over. */
  decode(bytes: Uint8Array): T
  /** A message with defaults for what `partial` leaves out. */
  fromPartial(partial: object): T
}

type Scalar = keyof typeof scalars
type Nested = Pick<MessageType<unknown>, 'decode' | 'fromPartial'> & {
  encode(message: never): { finish(): Uint8Array }
  /** Of our own codecs: writes the message's fields behind those of another. */
  encodeTo?(message: never, writer: Writer): void
}
type Mark = 'repeated' | 'required'
/** Number, name, a scalar or the type of a message; a message that is `required` is there where the wire has none. */
type Field = readonly [number: number, name: string, type: Scalar | (() => Nested), mark?: Mark]

interface Kind {
  readonly wire: 0 | 1 | 2
  readonly zero: () => unknown
  readonly isZero: (value: never) => boolean
  readonly write: (writer: Writer, value: never) => void
  readonly read: (reader: Reader) => unknown
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER)

interface Halves {
  readonly low: number
  readonly high: number
}

/** A 64-bit number as protobufjs takes it. */
const halves = (value: bigint): protobuf.Long | number => {
  if (value >= 0n && value <= SAFE) return Number(value)
  const [low, high] = [Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n))]
  return { low, high, unsigned: true } as protobuf.Long
}
const unsigned = (value: unknown): bigint =>
  (BigInt((value as Halves).high >>> 0) << 32n) | BigInt((value as Halves).low >>> 0)
const signed = (value: unknown): bigint => BigInt.asIntN(64, unsigned(value))

const kind = <T>(
  wire: Kind['wire'],
  zero: () => T,
  isZero: (value: T) => boolean,
  write: (writer: Writer, value: T) => void,
  read: (reader: Reader) => T,
): Kind => ({ wire, zero, isZero, write, read })

const number = (write: (w: Writer, value: number) => void, read: (r: Reader) => number): Kind =>
  kind(
    0,
    () => 0,
    (v) => v === 0,
    write,
    read,
  )
const bigint = (wire: 0 | 1, write: (w: Writer, v: bigint) => void, read: (r: Reader) => bigint): Kind =>
  kind(
    wire,
    () => 0n,
    (v) => v === 0n,
    write,
    read,
  )

const scalars = {
  uint32: number(
    (w, v) => w.uint32(v),
    (r) => r.uint32(),
  ),
  int32: number(
    (w, v) => w.int32(v),
    (r) => r.int32(),
  ),
  sint32: number(
    (w, v) => w.sint32(v),
    (r) => r.sint32(),
  ),
  uint64: bigint(
    0,
    (w, v) => w.uint64(halves(v)),
    (r) => unsigned(r.uint64()),
  ),
  int64: bigint(
    0,
    (w, v) => w.int64(halves(v)),
    (r) => signed(r.int64()),
  ),
  fixed64: bigint(
    1,
    (w, v) => w.fixed64(halves(v)),
    (r) => unsigned(r.fixed64()),
  ),
  bool: kind(
    0,
    () => false,
    (v) => !v,
    (w, v) => w.bool(v),
    (r) => r.bool(),
  ),
  string: kind(
    2,
    () => '',
    (v) => v === '',
    (w, v) => w.string(v),
    (r) => r.string(),
  ),
  bytes: kind(
    2,
    () => new Uint8Array(0),
    (v) => v.length === 0,
    (w, v) => w.bytes(v),
    // The reader's bytes may be a view of its input.
    (r) => new Uint8Array(r.bytes()),
  ),
} satisfies Record<string, Kind>

/** The codec of a message, from its table of fields in ascending order. For generated code. */
export function messageType<T>(name: string, fields: readonly Field[]): MessageType<T> {
  const byNumber = new Map(fields.map((field) => [field[0], field]))
  const start = (): Record<string, unknown> => {
    const message: Record<string, unknown> = {}
    for (const [, key, type, mark] of fields)
      if (mark === 'repeated') message[key] = []
      else if (typeof type === 'string') message[key] = scalars[type].zero()
      else if (mark === 'required') message[key] = type().fromPartial({})
    return message
  }
  const encodeTo = (message: T, writer: Writer): void => {
    for (const field of fields) writeField(writer, field, (message as Record<string, unknown>)[field[1]])
  }
  return {
    typeUrl: `/${name}`,
    encode(message) {
      const writer = protobuf.Writer.create()
      encodeTo(message, writer)
      return { finish: () => new Uint8Array(writer.finish()) }
    },
    ...{ encodeTo },
    decode(bytes) {
      const message = start()
      const reader = protobuf.Reader.create(bytes)
      while (reader.pos < reader.len) {
        const tag = reader.uint32()
        const field = byNumber.get(tag >>> 3)
        if (field === undefined) reader.skipType(tag & 7)
        else readField(reader, field, tag & 7, message)
      }
      return message as T
    },
    fromPartial(partial) {
      const message = start()
      for (const [, key, type, mark] of fields) {
        const value = (partial as Record<string, unknown>)[key]
        if (value === undefined || value === null) continue
        if (typeof type === 'string') message[key] = mark === 'repeated' ? [...(value as unknown[])] : value
        else if (mark === 'repeated')
          message[key] = (value as object[]).map((item) => type().fromPartial(item))
        else message[key] = type().fromPartial(value)
      }
      return message as T
    },
  }
}

function writeField(writer: Writer, [number, , type, mark]: Field, value: unknown): void {
  if (typeof type !== 'string') {
    const items = mark === 'repeated' ? (value as unknown[]) : value === undefined ? [] : [value]
    const nested = type()
    for (const item of items) {
      writer.uint32((number << 3) | 2)
      if (nested.encodeTo === undefined) writer.bytes(nested.encode(item as never).finish())
      else {
        writer.fork()
        nested.encodeTo(item as never, writer)
        writer.ldelim()
      }
    }
    return
  }
  const { wire, isZero, write } = scalars[type] as Kind
  if (mark !== 'repeated') {
    if (isZero(value as never)) return
    write(writer.uint32((number << 3) | wire), value as never)
    return
  }
  const items = value as never[]
  if (items.length === 0) return
  if (wire === 2) for (const item of items) write(writer.uint32((number << 3) | 2), item)
  else {
    writer.uint32((number << 3) | 2).fork()
    for (const item of items) write(writer, item)
    writer.ldelim()
  }
}

function readField(
  reader: Reader,
  [number, key, type, mark]: Field,
  wire: number,
  message: Record<string, unknown>,
): void {
  const expected = typeof type === 'string' ? scalars[type].wire : 2
  const packed = mark === 'repeated' && expected !== 2 && wire === 2
  if (wire !== expected && !packed) throw new Error(`field ${number} has wire type ${wire}`)
  if (packed) {
    const end = reader.uint32() + reader.pos
    if (end > reader.len) throw new RangeError('index out of range')
    const items = message[key] as unknown[]
    while (reader.pos < end) items.push(scalars[type as Scalar].read(reader))
    return
  }
  const value = typeof type === 'string' ? scalars[type].read(reader) : type().decode(reader.bytes())
  if (mark === 'repeated') (message[key] as unknown[]).push(value)
  else message[key] = value
}
