import {
  createValidator,
  delegate,
  depositRewards,
  editValidator,
  fundCommunityPool,
  redelegate,
  send,
  setWithdrawAddress,
  undelegate,
  withdraw,
  withdrawCommission,
} from '../kit/oracle/messages.ts'
import { advance, blocks, DAY, does, fails, together } from '../kit/oracle/scenario.ts'
import { fourValidators, needs, scenario } from '../kit/oracle/suite.ts'

describe('Rewards are those of the Cosmos SDK to the last digit', () => {
  needs('staking', 'distribution', 'slashing')

  scenario('when fees come in and are withdrawn in odd order', fourValidators, [
    does(delegate('alice', 'val1', 3_333_333n)),
    does(delegate('bob', 'val1', 7n)),
    does(send('alice', 'bob', 1n, 1_000_007n)),
    blocks(1),
    does(withdraw('bob', 'val1')),
    does(delegate('carol', 'val1', 11_111_111n)),
    does(send('carol', 'bob', 1n, 13n)),
    blocks(2, { absent: ['val3'] }),
    together(
      withdraw('alice', 'val1'),
      withdraw('alice', 'val1'),
      withdrawCommission('val1'),
      withdraw('carol', 'val1'),
    ),
    fails('distribution/7', withdrawCommission('val2')),
    does(withdrawCommission('val4')),
    does(withdraw('val4', 'val4')),
    fails('staking/19', withdraw('alice', 'val2')),
    fails('staking/3', withdraw('alice', 'bob')),
    does(send('dave', 'bob', 1n, 999_999_999n)),
    blocks(1, { absent: ['val1', 'val2'] }),
    does(delegate('alice', 'val1', 1n)),
    does(delegate('bob', 'val2', 1_000_001n)),
    does(send('dave', 'bob', 1n, 1n)),
    does(send('dave', 'bob', 1n, 2n)),
    does(send('dave', 'bob', 1n, 3n, 77_777n)),
    does(withdraw('bob', 'val2')),
    does(send('dave', 'bob', 1n, 0n, 5n)),
    blocks(2),
    together(
      send('erin', 'bob', 1n, 333_333n),
      undelegate('alice', 'val1', 3_000_000n),
      redelegate('carol', 'val1', 'val3', 5_000_003n),
      send('erin', 'bob', 1n, 333_334n),
    ),
    blocks(2),
    does(withdraw('val1', 'val1')),
    does(undelegate('alice', 'val1', 333_334n)),
    does(withdraw('carol', 'val3')),
    does(withdraw('carol', 'val1')),
    does(withdraw('bob', 'val1')),
    does(undelegate('bob', 'val1', 7n)),
    fails('staking/19', withdraw('bob', 'val1')),
  ])

  scenario('when rewards go elsewhere, and gifts come in', fourValidators, [
    does(delegate('alice', 'val2', 2_000_000n)),
    does(setWithdrawAddress('alice', 'frank')),
    fails('sdk/4', setWithdrawAddress('bob', 'module:distribution')),
    does(setWithdrawAddress('bob', 'module:gov')),
    does(send('bob', 'carol', 1n, 77_777_777n)),
    blocks(2),
    does(withdraw('alice', 'val2')),
    does(setWithdrawAddress('alice', 'alice')),
    does(fundCommunityPool('carol', 123_456_789n)),
    fails('sdk/5', fundCommunityPool('frank', 123_456_789n)),
    fails('sdk/10', fundCommunityPool('carol', 0n)),
    does(depositRewards('dave', 'val2', 1_000_003n)),
    fails('sdk/5', depositRewards('frank', 'val2', 60_000_000n)),
    fails('staking/3', depositRewards('dave', 'erin', 6_000_000n)),
    does(setWithdrawAddress('val2', 'erin')),
    does(withdraw('val2', 'val2')),
    does(withdraw('alice', 'val2')),
    does(editValidator('val2', { moniker: 'second' })),
    blocks(1),
    does(undelegate('alice', 'val2', 2_000_000n)),
    fails('sdk/4', send('carol', 'module:distribution', 1n)),
    does(send('carol', 'module:gov', 1n)),
  ])

  scenario(
    'when withdrawal addresses are fixed and the community takes much',
    {
      ...fourValidators,
      sections: {
        distribution: { params: { community_tax: '0.123456789012345678', withdraw_addr_enabled: false } },
      },
    },
    [
      fails('distribution/8', setWithdrawAddress('alice', 'frank')),
      does(send('alice', 'bob', 1n, 98_765_432_123n)),
      blocks(3),
      does(withdrawCommission('val3')),
    ],
  )

  scenario('when a validator leaves with rewards unclaimed', fourValidators, [
    does(createValidator('erin', { tokens: 5_000_001n, rate: '0.07' })),
    does(delegate('alice', 'erin', 2_500_003n)),
    blocks(2),
    does(send('bob', 'carol', 1n, 9_999_991n)),
    blocks(2),
    does(undelegate('erin', 'erin', 5_000_001n)),
    does(send('bob', 'carol', 1n, 9_999_991n)),
    blocks(2),
    does(redelegate('alice', 'erin', 'val1', 1_500_000n)),
    does(undelegate('alice', 'erin', 1_000_003n)),
    advance(21n * DAY),
    blocks(2),
    does(createValidator('erin', { tokens: 5_000_001n, key: 'erin anew' })),
    does(send('bob', 'carol', 1n, 9_999_991n)),
    blocks(2),
    does(withdraw('erin', 'erin')),
  ])
})
