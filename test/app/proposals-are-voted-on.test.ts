import { expect } from 'chai'
import { ProposalStatus as Status } from 'cosmjs-types/cosmos/gov/v1/gov'
import { formatAddress, moduleAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { brokenInvariants } from '../../daemon/app/router.ts'
import { exportGenesis } from '../../genesis/app-state.ts'
import { TestChain } from '../kit/app/chain.ts'
import { DAY_NS, eventsOf, FRX, Government, outcome, weighted } from '../kit/app/governance.ts'

const validators = ['one', 'two', 'three']
const params = {
  min_deposit: [{ denom: 'afrx', amount: '10000000000000000000' }],
  expedited_min_deposit: [{ denom: 'afrx', amount: '50000000000000000000' }],
  max_deposit_period: '172800s',
  voting_period: '172800s',
  expedited_voting_period: '86400s',
  quorum: '0.334',
  threshold: '0.5',
  expedited_threshold: '0.667',
  veto_threshold: '0.334',
  min_initial_deposit_ratio: '0',
  min_deposit_ratio: '0.01',
  proposal_cancel_ratio: '0.5',
  burn_vote_veto: true,
}

describe('a proposal', () => {
  let chain: TestChain
  let gov: Government
  const start = async (appState: Record<string, object> = {}): Promise<void> => {
    chain = await TestChain.start({ validators, appState })
    gov = new Government(chain)
    await chain.block()
  }
  const broken = (c: TestChain): string[] =>
    brokenInvariants(c.state.router.modules, c.state.view('committed'))
  beforeEach(() => start())
  afterEach(async () => {
    expect(broken(chain)).to.deep.equal([])
    await chain.stop()
  })

  const operator = (name: string): string => formatAddress(chain.user(name).address, VALIDATOR_PREFIX)
  const verdict = async (): Promise<string | undefined> =>
    eventsOf(await gov.pass(2n), 'active_proposal')[0]?.['proposal_result']

  it('passes with more than half of the votes, and its deposit comes back', async () => {
    const before = await chain.balance('alice')
    const submitted = await gov.submit('alice')
    expect(outcome(submitted)).to.equal('ok')
    expect(eventsOf(submitted, 'submit_proposal').map((e) => Object.keys(e))).to.deep.equal([
      ['proposal_id', 'proposal_proposer', 'proposal_messages', 'msg_index'],
      ['voting_period_start', 'msg_index'],
    ])
    expect(await chain.balance('alice')).to.equal(before - 10n * FRX)
    await gov.vote('one', 1n, 'yes')
    await gov.vote('two', 1n, 'yes')
    await gov.vote('three', 1n, 'no')
    expect(await gov.tally(1n)).to.include({ yesCount: `${200n * FRX}`, noCount: `${100n * FRX}` })
    expect(await verdict()).to.equal('proposal_passed')
    expect(await gov.proposal(1n)).to.deep.include({
      status: Status.PROPOSAL_STATUS_PASSED,
      failedReason: '',
    })
    expect(await chain.balance('alice')).to.equal(before)
    expect(outcome(await gov.vote('one', 1n, 'no'))).to.equal('gov/3')
  })

  it('falls below the threshold, the quorum, or by a veto that burns its deposit', async () => {
    const before = await chain.balance('alice')
    for (let id = 1n; id <= 4n; id++) await gov.submit('alice')
    await gov.vote('one', 1n, 'yes')
    await gov.vote('two', 1n, 'no')
    await gov.vote('one', 2n, 'yes')
    for (const name of validators) await gov.vote(name, 3n, 'abstain')
    await gov.vote('one', 4n, 'yes')
    await gov.vote('two', 4n, 'yes')
    await gov.voteWeighted('three', 4n, weighted({ veto: '1' }))
    await gov.vote('two', 4n, 'veto')
    const block = await gov.pass(2n)
    expect(eventsOf(block, 'active_proposal').map((e) => e['proposal_log'])).to.deep.equal(
      Array(4).fill('rejected'),
    )
    expect(eventsOf(block, 'burn')).to.have.length(1)
    expect(await chain.balance('alice')).to.equal(before - 10n * FRX)
    const { finalTallyResult, failedReason } = await gov.proposal(4n)
    expect(finalTallyResult).to.include({ yesCount: `${100n * FRX}`, noWithVetoCount: `${200n * FRX}` })
    expect(failedReason).to.equal('proposal did not get enough votes to pass')
    expect(await gov.proposals({ proposalStatus: Status.PROPOSAL_STATUS_REJECTED })).to.have.length(4)
  })

  it('is dropped where its deposit stays too small', async () => {
    const before = await chain.balance('alice')
    await gov.submit('alice', { deposit: FRX })
    await gov.submit('alice', { deposit: FRX })
    expect(outcome(await gov.vote('one', 1n, 'yes'))).to.equal('gov/3')
    const late = await gov.deposit('bob', 2n, 9n * FRX)
    expect(eventsOf(late, 'proposal_deposit').at(-1)).to.include({ voting_period_start: '2' })
    const block = await gov.pass(2n)
    expect(eventsOf(block, 'inactive_proposal')).to.deep.equal([
      { proposal_id: '1', proposal_result: 'proposal_dropped', mode: 'EndBlock' },
    ])
    expect((await gov.proposals()).map((p) => p.id)).to.deep.equal([2n])
    expect(await chain.balance('alice')).to.equal(before)
  })

  it('is cancelled by its proposer, for half of the deposits', async () => {
    const [alice, bob] = [await chain.balance('alice'), await chain.balance('bob')]
    await gov.submit('alice', { deposit: 9n * FRX + 1n })
    await gov.deposit('bob', 1n, FRX)
    await gov.vote('one', 1n, 'yes')
    expect(outcome(await gov.cancel('bob', 1n))).to.equal('gov/18')
    const cancelled = await gov.cancel('alice', 1n)
    expect(eventsOf(cancelled, 'cancel_proposal')[0]).to.include({
      sender: chain.user('alice').text,
      proposal_id: '1',
    })
    expect(await gov.proposals()).to.deep.equal([])
    expect(await chain.balance('alice')).to.equal(alice - (9n * FRX) / 2n)
    expect(await chain.balance('bob')).to.equal(bob - FRX / 2n)
    expect(outcome(await gov.cancel('alice', 1n))).to.equal('undefined/1')
  })

  it('pays the community pool where it is cancelled and that is to have it', async () => {
    await chain.stop()
    const destination = formatAddress(moduleAddress('distribution'))
    await start({
      gov: { starting_proposal_id: '1', params: { ...params, proposal_cancel_dest: destination } },
    })
    await gov.submit('alice')
    await gov.cancel('alice', 1n)
    const { pool: held } = await chain.query<{ pool: { denom: string; amount: string }[] }>(
      '/cosmos.distribution.v1beta1.Query/CommunityPool',
    )
    expect(held).to.deep.equal([{ denom: 'afrx', amount: `${5n * FRX}${'0'.repeat(18)}` }])
  })

  it('is expedited for more money and more votes, or else an ordinary one for a day more', async () => {
    expect(outcome(await gov.submit('alice', { expedited: true, deposit: 10n * FRX }))).to.equal('ok')
    expect((await gov.proposal(1n)).status).to.equal(Status.PROPOSAL_STATUS_DEPOSIT_PERIOD)
    await gov.submit('alice', { expedited: true })
    await gov.submit('alice', { expedited: true })
    for (const name of validators) await gov.vote(name, 2n, 'yes')
    await gov.vote('one', 3n, 'yes')
    await gov.vote('two', 3n, 'yes')
    await gov.vote('three', 3n, 'no')
    const block = await gov.pass(1n)
    expect(eventsOf(block, 'active_proposal').map((e) => e['proposal_result'])).to.deep.equal([
      'proposal_passed',
      'expedited_proposal_rejected',
    ])
    const regular = await gov.proposal(3n)
    expect(regular).to.include({ expedited: false, status: Status.PROPOSAL_STATUS_VOTING_PERIOD })
    expect(regular.votingEndTime!.seconds - regular.votingStartTime!.seconds).to.equal(172_800n)
    await gov.vote('one', 3n, 'yes')
    await gov.vote('two', 3n, 'yes')
    expect(eventsOf(await gov.pass(1n), 'active_proposal')[0]).to.include({
      proposal_result: 'proposal_passed',
    })
  })

  it('counts a validator for those of its delegators who did not vote', async () => {
    await gov.delegate('alice', operator('one'), 60n * FRX)
    await gov.delegate('bob', operator('one'), 40n * FRX)
    await gov.submit('carol')
    await gov.vote('one', 1n, 'no')
    expect(await gov.tally(1n)).to.include({ yesCount: '0', noCount: `${200n * FRX}` })
    await gov.voteWeighted('alice', 1n, weighted({ yes: '0.7', veto: '0.3' }))
    expect(await gov.tally(1n)).to.deep.equal({
      yesCount: `${42n * FRX}`,
      abstainCount: '0',
      noCount: `${140n * FRX}`,
      noWithVetoCount: `${18n * FRX}`,
    })
    const { votes } = await chain.query<{ votes: unknown[] }>('/cosmos.gov.v1.Query/Votes', {
      proposalId: 1n,
    })
    expect(votes).to.have.length(2)
  })

  it('survives an export and its import with its queue, deposits and votes', async () => {
    await gov.submit('alice')
    await gov.submit('bob', { deposit: FRX })
    await gov.vote('one', 1n, 'yes')
    const { modules } = chain.state.router
    const appState = exportGenesis(modules, chain.state.view('committed'))
    const again = await TestChain.start({ validators, exported: appState })
    await again.block()
    expect(broken(again)).to.deep.equal([])
    expect(exportGenesis(modules, again.state.view('committed', 1))['gov']).to.deep.equal(appState['gov'])
    const block = await again.blockWith({ afterNs: 3n * DAY_NS })
    expect(eventsOf(block, 'inactive_proposal')).to.have.length(1)
    expect(eventsOf(block, 'active_proposal')).to.have.length(1)
    await again.stop()
  })

  it('is decided alike after a restart', async () => {
    await gov.submit('alice')
    for (const name of validators) await gov.vote(name, 1n, 'yes')
    await chain.restart()
    expect(await verdict()).to.equal('proposal_passed')
  })
})
