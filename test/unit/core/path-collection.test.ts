import { expect } from 'chai'
import fc from 'fast-check'
import { fromUtf8 } from '../../../core/bytes.ts'
import { collections, textValue } from '../../../core/collections.ts'
import { Context } from '../../../core/context.ts'
import { Journal } from '../../../core/journal.ts'
import { MemoryState } from '../../kit/store/memory-state.ts'

let stores = 0
const declare = () => collections(`paths ${stores++}`)

describe('paths of ICS-24', () => {
  it('are what other chains prove, with their parts in place', () => {
    const channels = declare().paths('channelEnds/ports/{}/channels/{}', textValue)
    expect(fromUtf8(channels.path(['transfer', 'channel-7']))).to.equal(
      'channelEnds/ports/transfer/channels/channel-7',
    )
    for (const part of ['', 'a/b', '\ud800'])
      expect(() => channels.path([part, 'channel-7'])).to.throw('has no slash')
    expect(() => channels.path(['transfer'] as never)).to.throw('has 2 parts, not 1')
    expect(() => [...channels.entries(context(), ['transfer', 'channel-7'])]).to.throw('lead to no others')
  })

  it('share a store without meeting, and are walked in the order of their bytes', () => {
    const s = declare()
    const clients = s.paths('clients/{}/clientState', textValue)
    const states = s.paths('clients/{}/consensusStates/{}', textValue)
    const times = s.paths('clients/{}/consensusStates/{}/processedTime', textValue)
    const ctx = context()
    clients.set(ctx, ['07-tendermint-1'], 'a client')
    for (const height of ['1-9', '1-10']) {
      states.set(ctx, ['07-tendermint-1', height], `a state at ${height}`)
      times.set(ctx, ['07-tendermint-1', height], `a time at ${height}`)
    }
    states.set(ctx, ['07-tendermint-10', '1-9'], 'a state of another')
    expect([...states.entries(ctx, ['07-tendermint-1'])]).to.deep.equal([
      [['07-tendermint-1', '1-10'], 'a state at 1-10'],
      [['07-tendermint-1', '1-9'], 'a state at 1-9'],
    ])
    expect([...states.entries(ctx)]).to.have.length(3)
    expect([...times.entries(ctx)]).to.have.length(2)
    expect([...clients.entries(ctx)]).to.deep.equal([[['07-tendermint-1'], 'a client']])
    times.delete(ctx, ['07-tendermint-1', '1-9'])
    expect(times.get(ctx, ['07-tendermint-1', '1-9'])).to.equal(undefined)
    expect(states.has(ctx, ['07-tendermint-1', '1-9'])).to.equal(true)
  })

  it('come back from the store as they went in', () => {
    const part = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('/'))
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(part, part), { selector: (p) => p.join('/') }), (all) => {
        const pairs = declare().paths('a/{}/b/{}', textValue)
        const ctx = context()
        for (const parts of all) pairs.set(ctx, parts, parts.join())
        expect([...pairs.entries(ctx)].map(([parts]) => parts)).to.have.deep.members(all)
        for (const parts of all) expect(pairs.get(ctx, parts)).to.equal(parts.join())
      }),
    )
  })

  it('are claimed: no other path of the store, and no prefix byte, can be one of them', () => {
    const s = declare()
    s.paths('clients/{}/clientState', textValue)
    expect(() => s.paths('clients/{}/clientState', textValue)).to.throw('is taken')
    expect(() => s.paths('{}/x/clientState', textValue)).to.throw('is taken')
    expect(() => s.item('c'.charCodeAt(0), textValue)).to.throw('prefix 99 is taken')
    s.paths('é/{}', textValue)
    expect(() => s.item(0xc3, textValue)).to.throw('prefix 195 is taken')
    s.item(0x01, textValue)
    expect(() => s.paths('{}/other', textValue)).to.throw('is taken')
    for (const bad of ['clients//x', 'clients/a{}', ''])
      expect(() => s.paths(bad, textValue)).to.throw('no template')
  })
})

const context = (): Context => new Context(new Journal(new MemoryState()), { height: 1n } as never, 'block')
