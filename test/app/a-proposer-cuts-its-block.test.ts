import { expect } from 'chai'
import {
  RequestPrepareProposal,
  RequestProcessProposal,
  ResponseProcessProposal_ProposalStatus as Status,
} from 'cosmjs-types/tendermint/abci/types'
import { countedGas } from '../../daemon/app/block-budget.ts'
import { prepareProposal } from '../../daemon/app/propose.ts'
import { TestChain } from '../kit/app/chain.ts'

describe('a proposer with a budget', () => {
  const GAS = 100_000n
  let txs: Uint8Array[]
  const each = countedGas(GAS)
  let chain: TestChain
  const proposed = (gas?: number, { from = 0, recheckGas = 0 } = {}): number[] =>
    prepareProposal(
      chain.state,
      RequestPrepareProposal.fromPartial({ height: 2n, maxTxBytes: 1_000_000n, txs: txs.slice(from) }),
      gas === undefined ? undefined : { gas, recheckGas },
    ).txs.map((tx) => txs.findIndex((known) => Buffer.compare(known, tx) === 0))

  before(async () => {
    chain = await TestChain.start({ users: ['alice', 'bob'], maxGas: -1n })
    await chain.block()
    txs = Array.from({ length: 10 }, (_, i) =>
      chain.send('alice', 'bob', 1n, { fee: { amount: [], gasLimit: i === 3 ? 10n * GAS : GAS } }),
    )
  })
  after(() => chain.stop())

  it('takes the mempool as it comes until the budget is used up', () => {
    expect(proposed()).to.have.length(10)
    expect(proposed(2 * each)).to.deep.equal([0, 1])
    expect(proposed(3 * each)).to.deep.equal([0, 1, 2])
  })

  it('passes over nothing: what does not fit is the first of the next block', () => {
    expect(proposed(4 * each)).to.deep.equal([0, 1, 2])
    expect(proposed(each, { from: 3 })).to.deep.equal([3])
  })

  it('takes more where what is left would take as long to check again', () => {
    expect(proposed(each, { recheckGas: each / 4 })).to.deep.equal([0, 1])
    expect(proposed(each, { recheckGas: each })).to.deep.equal([0, 1, 2, 3])
    expect(proposed(each, { recheckGas: 100 * each })).to.have.length(10)
  })

  it('accepts blocks of others that hold more', async () => {
    const request = RequestProcessProposal.fromPartial({ height: 2n, txs })
    expect((await chain.app.processProposal(request)).status).to.equal(Status.ACCEPT)
  })
})
