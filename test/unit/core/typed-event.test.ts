import { expect } from 'chai'
import { type Block, Context } from '../../../core/context.ts'
import { Journal } from '../../../core/journal.ts'
import { emitTyped } from '../../../core/typed-event.ts'
import { EventConsensusRound, EventPenalty } from '../../../proto/gen/fornax/agents/v1/events.ts'
import { EventModelNamed } from '../../../proto/gen/fornax/classifier/v1/events.ts'
import { MemoryState } from '../../kit/store/memory-state.ts'

describe('typed events', () => {
  const journal = new Journal(new MemoryState())
  const ctx = new Context(journal, {} as Block, 'block')

  it('have the message’s full name, and its fields as JSON in the order of their names', () => {
    const powers = { disagreeingPower: 2n, zenithPower: 4n, totalPower: 5n }
    const round = { agreeing: 2, zenithSize: 4, degraded: true, disagreeing: ['a', 'b'], ...powers }
    emitTyped(ctx, EventConsensusRound, round)
    expect(journal.takeEvents()).to.deep.equal([
      {
        type: 'fornax.agents.v1.EventConsensusRound',
        attributes: [
          ['agreeing', '2'],
          ['degraded', 'true'],
          ['disagreeing', '["a","b"]'],
          ['disagreeing_power', '"2"'],
          ['total_power', '"5"'],
          ['zenith_power', '"4"'],
          ['zenith_size', '4'],
        ],
      },
    ])
  })

  it('write defaults out, 64-bit numbers as text and bytes in base64', () => {
    emitTyped(ctx, EventPenalty, EventPenalty.fromPartial({ node: 'a' }))
    emitTyped(ctx, EventModelNamed, { sha256: Uint8Array.of(1, 2, 3), activationHeight: 2n ** 60n })
    const [penalty, model] = journal.takeEvents().map(({ attributes }) => Object.fromEntries(attributes))
    expect(penalty).to.deep.equal({
      node: '"a"',
      penalty: '""',
      reason: '""',
      score: '0',
      trigger_ban: 'false',
    })
    expect(model).to.deep.equal({ sha256: '"AQID"', activation_height: '"1152921504606846976"' })
  })

  it('are not made where nobody would see them', () => {
    emitTyped(new Context(journal, {} as Block, 'check'), EventPenalty, EventPenalty.fromPartial({}))
    expect(journal.takeEvents()).to.deep.equal([])
  })
})
