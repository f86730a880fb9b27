import { expect } from 'chai'
import fc from 'fast-check'
import { ProtocolError } from '../../../../daemon/abci/errors.ts'
import { FrameReader } from '../../../../daemon/abci/frames.ts'
import { frame } from '../../../kit/abci/client.ts'

function readAll(reader: FrameReader): Uint8Array[] {
  const frames: Uint8Array[] = []
  for (;;) {
    const next = reader.next()
    if (next === undefined) return frames
    frames.push(next)
  }
}

describe('abci frames', () => {
  it('come out the same however the stream is split', () => {
    const bodies = fc.array(
      fc.oneof(fc.uint8Array({ maxLength: 5 }), fc.uint8Array({ minLength: 100, maxLength: 400 })),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(bodies, fc.array(fc.nat(3000)), fc.boolean(), (frames, cuts, readEachTime) => {
        const stream = Buffer.concat(frames.map(frame))
        const edges = [0, ...cuts.map((cut) => Math.min(cut, stream.length)), stream.length].sort(
          (a, b) => a - b,
        )
        const reader = new FrameReader(1000)
        const out: Uint8Array[] = []
        for (let i = 1; i < edges.length; i++) {
          reader.push(stream.subarray(edges[i - 1], edges[i]))
          if (readEachTime) out.push(...readAll(reader))
        }
        out.push(...readAll(reader))
        expect(out.map((b) => Buffer.from(b).toString('hex'))).to.deep.equal(
          frames.map((b) => Buffer.from(b).toString('hex')),
        )
        expect(reader.bufferedBytes).to.equal(0)
      }),
    )
  })

  it('of a megabyte come out of single bytes and of 64 KiB chunks', () => {
    const body = new Uint8Array(1 << 20).map((_, i) => i % 251)
    const stream = frame(body)
    const reader = new FrameReader(1 << 20)
    for (let at = 0; at < 4; at++) {
      reader.push(stream.subarray(at, at + 1))
      expect(reader.next()).to.equal(undefined)
    }
    for (let at = 4; at < stream.length; at += 65536) {
      expect(reader.next()).to.equal(undefined)
      reader.push(stream.subarray(at, at + 65536))
    }
    expect(Buffer.compare(reader.next() ?? new Uint8Array(0), body)).to.equal(0)
  })

  it('over the limit are refused at their prefix', () => {
    const reader = new FrameReader(300)
    reader.push(new Uint8Array([0xac, 0x02]))
    expect(reader.next()).to.equal(undefined)
    const over = new FrameReader(300)
    over.push(new Uint8Array([0xad, 0x02]))
    expect(() => over.next()).to.throw(ProtocolError, 'a frame of 301 bytes is over the limit of 300 bytes')
  })

  it('with a length that is no varint are refused', () => {
    const reader = new FrameReader(300)
    reader.push(new Uint8Array([0x80, 0x80, 0x80]))
    expect(reader.next()).to.equal(undefined)
    reader.push(new Uint8Array([0x80, 0x80]))
    expect(() => reader.next()).to.throw(ProtocolError, 'not a varint')
  })
})
