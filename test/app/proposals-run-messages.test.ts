import { expect } from 'chai'
import { ProposalStatus as Status } from 'cosmjs-types/cosmos/gov/v1/gov'
import { AUTHORITY } from '../../core/authority.ts'
import { fromUtf8 } from '../../core/bytes.ts'
import type { Any } from '../../core/wire/registry.ts'
import { brokenInvariants } from '../../daemon/app/router.ts'
import { TestChain, user } from '../kit/app/chain.ts'
import { coins, eventsOf, FRX, Government, message, outcome, pay } from '../kit/app/governance.ts'

const seconds = (n: bigint) => ({ seconds: n, nanos: 0 })

describe('a proposal that passed', () => {
  let chain: TestChain
  let gov: Government
  beforeEach(async () => {
    chain = await TestChain.start()
    gov = new Government(chain)
    await chain.block()
  })
  afterEach(async () => {
    expect(brokenInvariants(chain.state.router.modules, chain.state.view('committed'))).to.deep.equal([])
    await chain.stop()
  })

  const update = (module: string, params: object): Any =>
    message(`cosmos.${module}.MsgUpdateParams`, { authority: AUTHORITY, params })

  it('runs its messages in order, and their events are the block’s', async () => {
    await chain.block(chain.send('alice', 'bob', 1n))
    const fund = message('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: chain.user('alice').text,
      toAddress: AUTHORITY,
      amount: coins(5n),
    })
    expect(outcome(await gov.deliver('alice', fund))).to.equal('ok')
    const someone = user('someone')
    const { proposal, block } = await gov.decree(pay(someone.text, 2n), pay(someone.text, 3n))
    expect(proposal.status).to.equal(Status.PROPOSAL_STATUS_PASSED)
    expect(await chain.balance('someone')).to.equal(5n)
    const paid = eventsOf(block, 'transfer').filter((e) => e['recipient'] === someone.text)
    expect(paid.map((e) => [e['amount'], e['mode']])).to.deep.equal([
      ['2afrx', 'EndBlock'],
      ['3afrx', 'EndBlock'],
    ])
    const types = block.events.map((e) => e.type)
    expect(types.lastIndexOf('transfer')).to.be.lessThan(types.indexOf('active_proposal'))
  })

  it('changes nothing where one of its messages fails, and says why', async () => {
    const someone = user('someone')
    const fund = message('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: chain.user('alice').text,
      toAddress: AUTHORITY,
      amount: coins(5n),
    })
    await gov.deliver('alice', fund)
    const { proposal, block } = await gov.decree(pay(someone.text, 2n), pay(someone.text, 4n))
    expect(proposal.status).to.equal(Status.PROPOSAL_STATUS_FAILED)
    expect(proposal.failedReason).to.match(/insufficient funds$/)
    expect(await chain.balance('someone')).to.equal(0n)
    expect(eventsOf(block, 'transfer').some((e) => e['recipient'] === someone.text)).to.equal(false)
    expect(eventsOf(block, 'active_proposal')[0]).to.deep.include({
      proposal_result: 'proposal_failed',
      proposal_log: `passed, but msg 1 (/cosmos.bank.v1beta1.MsgSend) failed on execution: ${proposal.failedReason}`,
    })
  })

  it('changes the parameters of every module', async () => {
    const auth = {
      maxMemoCharacters: 300n,
      txSigLimit: 7n,
      txSizeCostPerByte: 10n,
      sigVerifyCostEd25519: 590n,
      sigVerifyCostSecp256k1: 1000n,
    }
    const staking = {
      unbondingTime: seconds(1_000n),
      maxValidators: 50,
      maxEntries: 3,
      historicalEntries: 5,
      bondDenom: 'afrx',
      minCommissionRate: '0',
    }
    const own = { ...(await gov.params()), votingPeriod: seconds(172_801n), quorum: '0.4' }
    const { proposal } = await gov.decree(
      update('auth.v1beta1', auth),
      update('bank.v1beta1', { defaultSendEnabled: false }),
      update('staking.v1beta1', staking),
      update('gov.v1', own),
    )
    expect(proposal.failedReason).to.equal('')
    const params = async (module: string): Promise<unknown> =>
      (await chain.query<{ params: unknown }>(`/cosmos.${module}.Query/Params`)).params
    expect(await params('auth.v1beta1')).to.deep.equal(auth)
    expect(await params('bank.v1beta1')).to.deep.include({ defaultSendEnabled: false })
    expect(await params('staking.v1beta1')).to.deep.equal(staking)
    expect(await gov.params()).to.deep.equal(own)
    expect((await chain.block(chain.send('alice', 'bob', 1n))).txResults[0]).to.include({
      codespace: 'bank',
      code: 5,
    })
    expect((await gov.decree(update('bank.v1beta1', { defaultSendEnabled: true }))).proposal.status).to.equal(
      Status.PROPOSAL_STATUS_PASSED,
    )
  })

  it('changes the consensus parameters, and CometBFT is told', async () => {
    const evidence = { maxAgeNumBlocks: 5n, maxAgeDuration: seconds(60n), maxBytes: 1000n }
    const { proposal, block } = await gov.decree(
      message('cosmos.consensus.v1.MsgUpdateParams', {
        authority: AUTHORITY,
        block: { maxBytes: 100_000n, maxGas: 40_000_000n },
        evidence,
        validator: { pubKeyTypes: ['ed25519'] },
      }),
    )
    expect(proposal.failedReason).to.equal('')
    expect(block.consensusParamUpdates?.block).to.deep.equal({ maxBytes: 100_000n, maxGas: 40_000_000n })
    expect(block.consensusParamUpdates?.evidence).to.deep.equal(evidence)
    expect((await chain.block()).consensusParamUpdates).to.equal(undefined)
  })

  it('is refused by the module where it asks for what cannot be', async () => {
    const own = await gov.params()
    for (const params of [
      { ...own, quorum: '1.1' },
      { ...own, quorum: 'much' },
      { ...own, threshold: '0' },
      { ...own, expeditedThreshold: own.threshold },
      { ...own, minDeposit: [] },
      { ...own, expeditedMinDeposit: own.minDeposit },
      { ...own, expeditedVotingPeriod: own.votingPeriod! },
      { ...own, votingPeriod: seconds(0n) },
      { ...own, proposalCancelDest: 'nobody' },
      { ...own, proposalCancelRatio: '-0.1' },
    ]) {
      const { proposal } = await gov.decree(update('gov.v1', params))
      expect(proposal.status, JSON.stringify(params.quorum)).to.equal(Status.PROPOSAL_STATUS_FAILED)
    }
    expect(await gov.params()).to.deep.equal(own)
  })

  it('may make a proposal in the name of governance', async () => {
    const fund = message('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: chain.user('alice').text,
      toAddress: AUTHORITY,
      amount: coins(20n * FRX),
    })
    await gov.deliver('alice', fund)
    const inner = message('cosmos.gov.v1.MsgSubmitProposal', {
      messages: [pay(user('someone').text, 1n)],
      initialDeposit: coins(10n * FRX),
      proposer: AUTHORITY,
      title: 'of its own',
      summary: 'a proposal',
    })
    const { proposal } = await gov.decree(inner)
    expect(proposal.failedReason).to.equal('')
    await gov.vote('validator', 2n, 'yes')
    await gov.pass(2n)
    expect((await gov.proposal(2n)).status).to.equal(Status.PROPOSAL_STATUS_PASSED)
    expect(await chain.balance('someone')).to.equal(1n)
  })

  it('is seen by older wallets, which vote and pay by older messages', async () => {
    const { text } = chain.user('alice')
    const content = message('cosmos.gov.v1beta1.TextProposal', { title: 'A text', description: 'of words' })
    const submitted = await gov.deliver(
      'alice',
      message('cosmos.gov.v1beta1.MsgSubmitProposal', {
        content,
        initialDeposit: coins(9n * FRX),
        proposer: text,
      }),
    )
    expect(outcome(submitted), submitted.log).to.equal('ok')
    const old = (name: string, value: object): Any =>
      message(`cosmos.gov.v1beta1.${name}`, { proposalId: 1n, ...value })
    expect(
      outcome(await gov.deliver('alice', old('MsgDeposit', { depositor: text, amount: coins(FRX) }))),
    ).to.equal('ok')
    expect(outcome(await gov.deliver('alice', old('MsgVote', { voter: text, option: 1 })))).to.equal('ok')
    const voter = chain.user('validator').text
    const options = [
      { option: 1, weight: `${6n * 10n ** 17n}` },
      { option: 2, weight: `${4n * 10n ** 17n}` },
    ]
    expect(outcome(await gov.deliver('validator', old('MsgVoteWeighted', { voter, options })))).to.equal('ok')
    const ask = <T>(method: string, request: object): Promise<T> =>
      chain.query<T>(`/cosmos.gov.v1beta1.Query/${method}`, request)
    const { proposal } = await ask<{ proposal: { content: Any; totalDeposit: unknown } }>('Proposal', {
      proposalId: 1n,
    })
    expect(proposal.content).to.deep.equal(content)
    expect(proposal.totalDeposit).to.deep.equal(coins(10n * FRX))
    expect((await ask<{ vote: object }>('Vote', { proposalId: 1n, voter })).vote).to.deep.include({ options })
    expect((await ask<{ tally: object }>('TallyResult', { proposalId: 1n })).tally).to.include({
      yes: `${60n * FRX}`,
      abstain: `${40n * FRX}`,
    })
    const { tallyParams } = await ask<{ tallyParams: { quorum: Uint8Array } }>('Params', {
      paramsType: 'tallying',
    })
    expect(fromUtf8(tallyParams.quorum)).to.equal('334000000000000000')
    await gov.pass(2n)
    expect((await gov.proposal(1n)).status).to.equal(Status.PROPOSAL_STATUS_PASSED)
  })
})
