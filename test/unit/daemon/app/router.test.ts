import { expect } from 'chai'
import { ValidatorUpdate } from 'cosmjs-types/tendermint/abci/types'
import type { Context } from '../../../../core/context.ts'
import { defineModule, type Module } from '../../../../core/module.ts'
import { createRouter } from '../../../../daemon/app/router.ts'
import { modules } from '../../../../modules/index.ts'

const voteExtension = { join: () => Uint8Array.of(1), split: () => undefined }
const update = ValidatorUpdate.fromPartial({ power: 7n })
const another = (declared: Partial<Module>): Module => defineModule({ name: 'another', ...declared })
const named = (name: string): Module => modules.find((module) => module.name === name)!

describe('The modules of a chain', () => {
  it('have one form of vote extensions among them', () => {
    expect(createRouter(modules).voteExtension).to.equal(named('classifier').voteExtension)
    expect(createRouter([another({ voteExtension })]).voteExtension).to.equal(voteExtension)
    const { split } = createRouter([another({})]).voteExtension
    expect([split(new Uint8Array(0)), split(Uint8Array.of(1))]).to.deep.equal([
      { report: new Uint8Array(0), telemetry: new Uint8Array(0) },
      undefined,
    ])
    expect(() => createRouter([...modules, another({ voteExtension })])).to.throw(
      'voteExtension is declared by classifier and by another',
    )
  })

  it('have one that says who validates', () => {
    const ctx = {} as Context
    const declared = another({ validatorUpdates: () => [update] })
    expect(createRouter(modules).validatorUpdates).to.equal(named('staking').validatorUpdates)
    expect(createRouter([declared]).validatorUpdates(ctx)).to.deep.equal([update])
    expect(createRouter([another({})]).validatorUpdates(ctx)).to.deep.equal([])
    expect(() => createRouter([declared, ...modules])).to.throw(
      'validatorUpdates is declared by another and by staking',
    )
  })

  it('have names, messages, queries and stores of their own', () => {
    const { messages, queries, stores } = named('bank')
    for (const [declared, twice] of [
      [{ name: 'bank' }, 'module bank'],
      [{ messages }, '/cosmos.bank.v1beta1.MsgSend'],
      [{ queries }, '/cosmos.bank.v1beta1.Query/Balance'],
      [{ stores }, 'store bank'],
    ] as const)
      expect(() => createRouter([...modules, another(declared)])).to.throw(`${twice} is declared twice`)
  })
})
