import { expect } from 'chai'
import type { Context } from '../../core/context.ts'
import type { Module } from '../../core/module.ts'
import { simulate } from '../../daemon/app/simulate.ts'
import { balanceOf } from '../../modules/bank/api.ts'
import { modules } from '../../modules/index.ts'
import { TestChain } from '../kit/app/chain.ts'

/** The chain's modules, with a MsgSend that does this where it is simulated. */
const whenSimulated = (run: (ctx: Context) => Promise<object>): readonly Module[] =>
  modules.map((module) => ({
    ...module,
    messages: module.messages.map((message) =>
      message.input === 'cosmos.bank.v1beta1.MsgSend'
        ? {
            ...message,
            handler: {
              ...message.handler,
              run: (ctx: Context, value: unknown) =>
                ctx.mode === 'simulate' ? run(ctx) : message.handler.run(ctx, value),
            },
          }
        : message,
    ),
  }))

describe('A simulation', () => {
  for (const [what, degraded] of [
    ['committed', []],
    ['withheld', [2n, 3n]],
  ] as const)
    it(`sees nothing of blocks that are ${what} while it waits`, async () => {
      const seen: bigint[] = []
      let chain: TestChain
      chain = await TestChain.start({
        modules: whenSimulated(async (ctx) => {
          const of = (name: string) => balanceOf(ctx, chain.user(name).address, 'afrx')
          seen.push(of('carol'))
          await chain.block(chain.send('bob', 'carol', 5n))
          await chain.block(chain.send('bob', 'carol', 5n))
          seen.push(of('carol'))
          return {}
        }),
        rounds: { degraded: new Set<bigint>(degraded) },
      })
      try {
        await chain.block()
        const { error } = await simulate(chain.state, chain.send('alice', 'bob', 1n))
        expect(error).to.equal(undefined)
        expect(seen[1]).to.equal(seen[0])
        expect(chain.store.height).to.equal(degraded.length === 0 ? 3 : 1)
        const now = balanceOf(chain.state.view('working'), chain.user('carol').address, 'afrx')
        expect(now - seen[0]!).to.equal(10n)
      } finally {
        await chain.stop()
      }
    })
})
