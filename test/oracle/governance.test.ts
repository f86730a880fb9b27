import {
  inOrder,
  pay,
  setDistributionParams,
  setGovParams,
  setSlashingParams,
  setStakingParams,
  spendCommunityPool,
} from '../kit/oracle/governance.ts'
import {
  cancelProposal,
  delegate,
  deposit,
  fundCommunityPool,
  send,
  submitProposal,
  undelegate,
  vote,
  weightedVote,
} from '../kit/oracle/messages.ts'
import { advance, blocks, DAY, does, fails, SECOND, together } from '../kit/oracle/scenario.ts'
import { fourValidators, scenario } from '../kit/oracle/suite.ts'

const ENOUGH = 10_000_000n
const everybodySaysYes = (id: bigint) =>
  together(vote('val1', id, 'yes'), vote('val2', id, 'yes'), vote('val3', id, 'yes'), vote('val4', id, 'yes'))

describe('Governance is that of the Cosmos SDK', () => {
  scenario('when proposals get their deposit, or do not, or are cancelled', fourValidators, [
    does(submitProposal('alice', { deposit: 1_000_000n })),
    does(submitProposal('bob', { title: 'another', deposit: 100_000n })),
    does(deposit('carol', 1n, 3_000_001n)),
    does(deposit('alice', 1n, 100_000n)),
    fails('gov/16', deposit('alice', 1n, 99_999n)),
    fails('gov/3', vote('alice', 1n, 'yes')),
    fails('sdk/5', deposit('frank', 1n, 6_000_000n)),
    fails('undefined/1', deposit('alice', 9n, 1_000_000n)),
    does(deposit('dave', 1n, 7_000_000n)),
    does(deposit('dave', 1n, 1_000_000n)),
    does(submitProposal('erin', { title: 'soon regretted', deposit: 5_000_001n })),
    does(deposit('bob', 3n, 1_000_003n)),
    fails('gov/18', cancelProposal('bob', 3n)),
    does(cancelProposal('erin', 3n)),
    fails('undefined/1', cancelProposal('erin', 3n)),
    does(submitProposal('erin', { title: 'voted on, regretted', deposit: ENOUGH })),
    does(vote('val1', 4n, 'yes')),
    does(cancelProposal('erin', 4n)),
    advance(2n * DAY - 180n * SECOND),
    does(deposit('bob', 2n, 200_000n)),
    advance(150n * SECOND),
    fails('undefined/1', deposit('bob', 2n, 200_000n)),
    blocks(1),
  ])

  scenario('when they pass, fail, miss the quorum or are vetoed', fourValidators, [
    does(delegate('alice', 'val1', 5_000_003n)),
    does(delegate('alice', 'val4', 3_000_001n)),
    does(delegate('bob', 'val3', 7_000_001n)),
    together(
      submitProposal('alice', { title: 'passes', deposit: ENOUGH }),
      submitProposal('bob', { title: 'fails', deposit: ENOUGH + 1n }),
      submitProposal('carol', { title: 'misses the quorum', deposit: ENOUGH }),
      submitProposal('dave', { title: 'is vetoed', deposit: ENOUGH }),
      submitProposal('erin', { title: 'all abstain', deposit: ENOUGH }),
      submitProposal('erin', { title: 'nobody votes', deposit: ENOUGH }),
      submitProposal('erin', { title: 'half and half', deposit: ENOUGH }),
    ),
    everybodySaysYes(1n),
    does(vote('alice', 1n, 'no')),
    does(weightedVote('bob', 1n, { yes: '0.7', no: '0.1', abstain: '0.05', veto: '0.15' })),
    does(vote('carol', 1n, 'veto')),
    together(
      vote('val1', 2n, 'yes'),
      vote('val2', 2n, 'yes'),
      vote('val3', 2n, 'no'),
      vote('val4', 2n, 'no'),
    ),
    does(vote('val4', 2n, 'yes')),
    does(vote('val4', 2n, 'no')),
    does(vote('val1', 3n, 'yes')),
    together(
      vote('val1', 4n, 'veto'),
      vote('val3', 4n, 'veto'),
      vote('val4', 4n, 'yes'),
      vote('alice', 4n, 'veto'),
    ),
    together(vote('val1', 5n, 'abstain'), vote('val3', 5n, 'abstain'), vote('val4', 5n, 'abstain')),
    does(weightedVote('val4', 7n, { yes: '0.5', no: '0.5' })),
    fails('gov/7', weightedVote('val4', 7n, { yes: '0.5', no: '0.4' })),
    fails('gov/7', weightedVote('val4', 7n, { yes: '0.7', no: '0.4' })),
    fails('sdk/18', weightedVote('val4', 7n, {})),
    fails('gov/3', vote('val4', 99n, 'yes')),
    does(undelegate('alice', 'val1', 1_000_003n)),
    blocks(2),
    advance(2n * DAY),
    fails('gov/3', vote('val4', 1n, 'yes')),
    fails('gov/21', cancelProposal('alice', 1n)),
  ])

  scenario('when validators that voted are jailed or unbond meanwhile', fourValidators, [
    does(delegate('alice', 'val3', 5_000_003n)),
    does(submitProposal('alice', { title: 'passes', deposit: ENOUGH })),
    everybodySaysYes(1n),
    does(vote('alice', 1n, 'no')),
    blocks(20, { absent: ['val3'] }),
    blocks(5, { absent: ['val3'] }),
    does(undelegate('val1', 'val1', 9_500_000n)),
    advance(2n * DAY),
  ])

  scenario('when they are expedited', fourValidators, [
    fails('gov/16', submitProposal('alice', { expedited: true, deposit: 0n })),
    does(submitProposal('alice', { title: 'fast', expedited: true, deposit: 50_000_000n })),
    everybodySaysYes(1n),
    does(submitProposal('alice', { title: 'too fast', expedited: true, deposit: 50_000_000n })),
    together(vote('val3', 2n, 'no'), vote('val4', 2n, 'yes'), vote('val1', 2n, 'no'), vote('val2', 2n, 'no')),
    does(submitProposal('bob', { title: 'slow, then short', expedited: true, deposit: 5_000_000n })),
    does(deposit('bob', 3n, 5_000_000n)),
    advance(DAY),
    does(vote('val2', 2n, 'yes')),
    does(deposit('carol', 3n, 40_000_000n)),
    advance(DAY),
    blocks(1),
    advance(DAY),
  ])

  scenario('when they change parameters', fourValidators, [
    does(delegate('alice', 'val1', 4_000_000n)),
    does(
      submitProposal('alice', {
        title: 'new parameters',
        deposit: ENOUGH,
        messages: inOrder(
          setStakingParams({
            unbondingTime: { seconds: 259_200n, nanos: 0 },
            maxValidators: 3,
            maxEntries: 2,
          }),
          setSlashingParams({ signedBlocksWindow: 10n }),
          setDistributionParams({ communityTax: '0.5' }),
          setGovParams({ votingPeriod: { seconds: 86_401n, nanos: 0 }, quorum: '0.900000000000000000' }),
        ),
      }),
    ),
    everybodySaysYes(1n),
    advance(2n * DAY),
    blocks(3),
    does(undelegate('alice', 'val1', 1_000_000n)),
    does(undelegate('alice', 'val1', 1_000_000n)),
    fails('staking/27', undelegate('alice', 'val1', 1_000_000n)),
    does(send('dave', 'erin', 1n, 1_234_567n)),
    blocks(9, { absent: ['val3'] }),
    advance(3n * DAY),
    does(submitProposal('alice', { title: 'under the new quorum', deposit: ENOUGH })),
    together(vote('val3', 2n, 'yes'), vote('val4', 2n, 'yes')),
    advance(2n * DAY),
  ])

  scenario('when they spend, and when what they do fails', fourValidators, [
    does(fundCommunityPool('alice', 50_000_007n)),
    together(
      submitProposal('alice', {
        title: 'spends',
        deposit: ENOUGH,
        messages: spendCommunityPool('frank', 1_000_001n),
      }),
      submitProposal('bob', {
        title: 'overspends',
        deposit: ENOUGH,
        messages: spendCommunityPool('frank', 10n ** 15n),
      }),
      submitProposal('bob', {
        title: 'fails in its second part',
        deposit: ENOUGH,
        messages: inOrder(spendCommunityPool('frank', 5n), pay('frank', 10n ** 15n)),
      }),
      submitProposal('bob', { title: 'pays what it holds', deposit: ENOUGH, messages: pay('frank', 7n) }),
    ),
    does(send('carol', 'module:gov', 1_000n)),
    fails('gov/13', submitProposal('bob', { deposit: ENOUGH, messages: pay('frank', 7n, 'alice') })),
    does(submitProposal('bob', { deposit: ENOUGH, messages: setStakingParams({ maxValidators: 0 }) })),
    fails('gov/11', submitProposal('bob', { metadata: '', deposit: ENOUGH })),
    fails('gov/15', submitProposal('bob', { metadata: 'x'.repeat(256), deposit: ENOUGH })),
    fails('sdk/18', submitProposal('bob', { title: '', deposit: ENOUGH })),
    fails('gov/15', submitProposal('bob', { title: 'x'.repeat(256), deposit: ENOUGH })),
    ...[1n, 2n, 3n, 4n, 5n].map(everybodySaysYes),
    advance(2n * DAY),
    blocks(1),
  ])

  scenario(
    'when deposits burn, and cancelling has a beneficiary',
    {
      ...fourValidators,
      sections: {
        gov: {
          params: {
            burn_vote_quorum: true,
            burn_proposal_deposit_prevote: true,
            burn_vote_veto: false,
            min_initial_deposit_ratio: '0.250000000000000000',
            proposal_cancel_ratio: '0.333333333333333333',
          },
        },
      },
    },
    [
      fails('gov/16', submitProposal('alice', { title: 'too poor', deposit: 2_499_999n })),
      does(submitProposal('alice', { title: 'dies in deposit', deposit: 2_500_000n })),
      does(submitProposal('bob', { title: 'misses the quorum', deposit: ENOUGH })),
      does(submitProposal('bob', { title: 'is vetoed', deposit: ENOUGH })),
      does(submitProposal('carol', { title: 'cancelled', deposit: 4_000_001n })),
      does(deposit('dave', 4n, 1_000_000n)),
      does(cancelProposal('carol', 4n)),
      together(vote('val3', 3n, 'veto'), vote('val4', 3n, 'veto')),
      advance(2n * DAY),
      advance(2n * DAY),
    ],
  )
})
