import { expect } from 'chai'
import { utf8 } from '../../../../../core/bytes.ts'
import { StoreError } from '../../../../../daemon/store/store-error.ts'
import { KeySlab } from '../../../../../daemon/store/tree/key-slab.ts'

function refuses(run: () => unknown, message: RegExp): void {
  expect(run).to.throw(StoreError, message).with.property('code', 'inconsistent')
}

describe('a slab of keys', () => {
  it('gives a released slot to a key of the same size class', () => {
    const keys = new KeySlab()
    const first = keys.allocate(utf8('bank'))
    const long = keys.allocate(new Uint8Array(300).fill(7))
    keys.release(first)
    expect(keys.allocate(new Uint8Array(20))).to.not.equal(first)
    expect(keys.allocate(utf8('gov'))).to.equal(first)
    expect(keys.read(first)).to.deep.equal(utf8('gov'))
    expect(keys.read(long)).to.deep.equal(new Uint8Array(300).fill(7))
  })

  it('refuses a key that is released twice', () => {
    const keys = new KeySlab()
    const slot = keys.allocate(new Uint8Array(0x1234))
    keys.release(slot)
    refuses(() => keys.release(slot), /is released, but is not in use/)
  })

  it('refuses slots that it has not given out', () => {
    const keys = new KeySlab()
    const slot = keys.allocate(utf8('bank'))
    keys.buffer.fill(0xff, (slot + 1) * 8)
    for (const foreign of [0, slot + 1, 1 << 20]) refuses(() => keys.release(foreign), /is not in use/)
  })

  it('refuses to give out a slot that was written to after its release', () => {
    const keys = new KeySlab()
    const slot = keys.allocate(utf8('bank'))
    keys.release(slot)
    keys.buffer[slot * 8] = 4
    refuses(() => keys.allocate(utf8('gov')), /was written to after it was released/)
  })
})
