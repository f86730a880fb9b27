import { expect } from 'chai'
import { abciEvents } from '../../../../daemon/app/events.ts'

const indexed = (...events: Parameters<typeof abciEvents>): string[] =>
  abciEvents(...events).flatMap(({ type, attributes }) =>
    attributes.filter(({ index }) => index).map(({ key }) => `${type}.${key}`),
  )

describe('events for CometBFT', () => {
  it('are indexed by what wallets and explorers look for', () => {
    const events = [
      {
        type: 'tx',
        attributes: [
          ['fee', '1afrx'],
          ['fee_payer', 'a'],
        ],
      },
      { type: 'tx', attributes: [['acc_seq', 'a/0']] },
      {
        type: 'message',
        attributes: [
          ['action', 'm'],
          ['sender', 'a'],
          ['module', 'bank'],
          ['msg_index', '0'],
        ],
      },
      {
        type: 'coin_spent',
        attributes: [
          ['spender', 'a'],
          ['amount', '1afrx'],
          ['msg_index', '0'],
        ],
      },
      {
        type: 'coin_received',
        attributes: [
          ['receiver', 'b'],
          ['amount', '1afrx'],
          ['msg_index', '0'],
        ],
      },
      {
        type: 'transfer',
        attributes: [
          ['recipient', 'b'],
          ['sender', 'a'],
          ['amount', '1afrx'],
        ],
      },
      {
        type: 'delegate',
        attributes: [
          ['validator', 'v'],
          ['amount', '1afrx'],
        ],
      },
    ] as const
    expect(indexed(events)).to.deep.equal([
      'tx.fee',
      'tx.fee_payer',
      'tx.acc_seq',
      'message.action',
      'message.sender',
      'message.module',
      'coin_spent.spender',
      'coin_received.receiver',
      'transfer.recipient',
      'transfer.sender',
      'transfer.amount',
      'delegate.validator',
      'delegate.amount',
    ])
  })

  it('carry what is not indexed all the same', () => {
    const events = [{ type: 'tx', attributes: [['signature', 's']] }] as const
    expect(abciEvents(events, 'EndBlock')).to.deep.equal([
      {
        type: 'tx',
        attributes: [
          { key: 'signature', value: 's', index: false },
          { key: 'mode', value: 'EndBlock', index: false },
        ],
      },
    ])
  })
})
