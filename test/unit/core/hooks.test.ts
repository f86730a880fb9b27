import { expect } from 'chai'
import { type Block, Context, type Listeners } from '../../../core/context.ts'
import { gasMeter } from '../../../core/gas.ts'
import { notifierOf } from '../../../core/hooks.ts'
import { Journal } from '../../../core/journal.ts'
import { defineModule, listenersOf } from '../../../core/module.ts'
import { MemoryState } from '../../kit/store/memory-state.ts'

interface DoorHooks {
  readonly afterOpened?: (ctx: Context, who: string, width: number) => void
  readonly afterClosed?: (ctx: Context) => void
}

const notify = notifierOf<DoorHooks>('door')
const inChain = (listeners: Listeners): Context =>
  new Context(new Journal(new MemoryState()), { height: 7n } as Block, 'block', gasMeter(), listeners)

describe('Hooks', () => {
  let heard: string[]
  const listener = (name: string): DoorHooks => ({
    afterOpened: (ctx, who, width) => heard.push(`${name}: ${who} ${width} at ${ctx.height}`),
  })
  const chainOf = (...listeners: readonly DoorHooks[]): Listeners =>
    listenersOf([defineModule({ name: 'door', listeners }), defineModule({ name: 'window' })])

  beforeEach(() => {
    heard = []
  })

  it('are called in the order in which the module was made with them', () => {
    const ctx = inChain(chainOf(listener('second'), {}, listener('first')))
    notify('afterOpened', ctx, 'bob', 3)
    notify('afterClosed', ctx)
    expect(heard).to.deep.equal(['second: bob 3 at 7', 'first: bob 3 at 7'])
  })

  it('are of one chain, and stay with an execution on another meter and at another height', () => {
    notify('afterOpened', inChain(chainOf(listener('one'))).withGas(gasMeter(5n)), 'bob', 1)
    notify('afterOpened', inChain(chainOf(listener('other'))).atHeight(9n), 'eve', 2)
    notify('afterOpened', inChain(chainOf()), 'nobody', 0)
    expect(heard).to.deep.equal(['one: bob 1 at 7', 'other: eve 2 at 9'])
  })

  it('are not left out silently where a context knows no listeners', () => {
    expect(() => notify('afterClosed', inChain({}))).to.throw('nobody said who listens to door')
  })
})
