import { expect } from 'chai'
import fc from 'fast-check'
import protobuf from 'protobufjs'
import { camelName, type FieldDescriptor } from '../../core/wire/descriptors.ts'
import * as agents from '../../proto/gen/fornax/agents/v1/agents.ts'
import * as classifier from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import * as genesis from '../../proto/gen/fornax/classifier/v1/genesis.ts'
import { fornaxDescriptors } from '../../proto/gen/fornax.ts'
import type { MessageType } from '../../proto/message-type.ts'

const { messages } = JSON.parse(fornaxDescriptors) as {
  messages: Record<string, { fields: FieldDescriptor[] }>
}

/** protobufjs' own encoder of our definitions. */
function peer(): protobuf.Root {
  const root = new protobuf.Root()
  for (const [name, { fields }] of Object.entries(messages)) {
    const at = name.lastIndexOf('.')
    const type = new protobuf.Type(name.slice(at + 1))
    for (const { n, name: field, t, rep } of fields)
      type.add(
        new protobuf.Field(camelName(field), n, t, rep ? 'repeated' : 'optional', undefined, {
          packed: scalars[t] !== undefined && t !== 'bytes' && t !== 'string',
        }),
      )
    root.define(name.slice(0, at)).add(type)
  }
  return root
}

const scalars: Record<string, fc.Arbitrary<unknown>> = {
  uint32: fc.nat(0xffffffff),
  int32: fc.integer(),
  sint32: fc.integer(),
  uint64: fc.bigInt(0n, 2n ** 64n - 1n),
  fixed64: fc.bigInt(0n, 2n ** 64n - 1n),
  int64: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  bool: fc.boolean(),
  string: fc.string({ unit: 'grapheme' }),
  bytes: fc.uint8Array({ maxLength: 40 }),
}

function message(name: string): fc.Arbitrary<object> {
  const fields = messages[name]!.fields.map(({ name: field, t, rep }) => {
    const value = scalars[t] ?? message(t)
    return [camelName(field), rep ? fc.array(value, { maxLength: 3 }) : value] as const
  })
  return fc.record(Object.fromEntries(fields))
}

const forPeer = (value: unknown): unknown =>
  typeof value === 'bigint'
    ? value.toString()
    : Array.isArray(value)
      ? value.map(forPeer)
      : typeof value === 'object' && !(value instanceof Uint8Array)
        ? Object.fromEntries(Object.entries(value!).map(([k, v]) => [k, forPeer(v)]))
        : value

const types: Record<string, MessageType<object>> = Object.fromEntries(
  [agents, classifier, genesis].flatMap((file) =>
    Object.values(file).map((type) => [type.typeUrl.slice(1), type]),
  ),
) as never

describe('Messages of our own', () => {
  const root = peer()
  for (const [name, type] of Object.entries(types))
    it(`are on the wire what protobufjs makes of ${name}, and come back`, () => {
      fc.assert(
        fc.property(message(name), (value) => {
          const bytes = type.encode(value).finish()
          const theirs = root.lookupType(name)
          const again = theirs.decode(bytes)
          expect(Buffer.from(theirs.encode(again).finish()).toString('hex')).to.equal(
            Buffer.from(bytes).toString('hex'),
          )
          expect(
            type.decode(theirs.encode(theirs.fromObject(forPeer(value) as object)).finish()),
          ).to.deep.equal(type.fromPartial(value))
          expect(type.decode(bytes)).to.deep.equal(type.fromPartial(value))
        }),
        { numRuns: 50, seed: 5 },
      )
    })

  it('are refused where their bytes are cut or of another type', () => {
    const bytes = agents.Ban.encode(
      agents.Ban.fromPartial({ node: 'a', features: [1, 300], marks: [{ mark: { chainId: 'x' } }] }),
    ).finish()
    for (const cut of [1, 4, 5, 7, bytes.length - 1])
      expect(() => agents.Ban.decode(bytes.subarray(0, cut)), `${cut}`).to.throw()
    expect(() => agents.Ban.decode(Uint8Array.of(0x08, 1))).to.throw('wire type')
    expect(() => agents.Ban.decode(Uint8Array.of(0x32, 0x7f, 1))).to.throw()
  })

  it('pass over fields that they do not know', () => {
    expect(agents.Standing.decode(Uint8Array.of(0x10, 3, 0xf8, 1, 9))).to.deep.equal({
      horizonUntil: 0n,
      hits: 3,
      jails: [],
      undisputedUntil: 0n,
      toldReason: '',
      jailedUntil: 0n,
    })
  })
})
