import { account, operatorAddress } from '../kit/oracle/cast.ts'
import {
  fundCommunityPool,
  send,
  setWithdrawAddress,
  undelegate,
  unjail,
  withdraw,
  withdrawCommission,
} from '../kit/oracle/messages.ts'
import {
  coin,
  failsWhenPassed,
  notAccounts,
  notIntegers,
  notOperators,
  refuses,
  unknownOperator,
  type Valid,
  wrongSigners,
} from '../kit/oracle/refusals.ts'
import { advance, blocks, does, fails, SECOND } from '../kit/oracle/scenario.ts'
import { fourValidators, scenario } from '../kit/oracle/suite.ts'

const ONE = 10n ** 18n

const valid = (name: string, signer = 'alice'): Valid => ({
  signer,
  name: `distribution.v1beta1.${name}`,
  value: (d) => ({
    authority: account(d, signer),
    depositor: account(d, signer),
    delegatorAddress: account(d, signer),
    withdrawAddress: account(d, 'bob'),
    recipient: account(d, 'bob'),
    validatorAddress: operatorAddress(d, 'val1'),
    amount: [coin(1000n)],
  }),
})

/** The amount of a list of coins, which hold something each. */
const lists = {
  'sdk/10': [
    ...['0', '-1', `${-(2n ** 255n)}`].map((amount) => ({ amount: [coin(amount)] })),
    ...['', 'x', '1stake', 'sta ke', 'x'.repeat(129)].map((denom) => ({ amount: [coin(1n, denom)] })),
    { amount: [coin(1n), coin(1n)] },
    { amount: [coin(1n), coin(1n, 'photon')] },
    { amount: [coin(1n, 'photon'), coin(0n)] },
  ],
  'sdk/5': [
    { amount: [coin(1_000_000_000_001n)] },
    { amount: [coin(2n ** 256n - 1n)] },
    { amount: [coin(1n, 'photons')] },
    { amount: [coin(1n, 'photon'), coin(2n ** 255n)] },
  ],
  'sdk/2': notIntegers.map((text) => ({ amount: [coin(text)] })),
  'undefined/111222': [{ amount: [coin('')] }],
}

const params = {
  communityTax: `${ONE / 50n}`,
  baseProposerReward: '0',
  bonusProposerReward: '0',
  withdrawAddrEnabled: true,
}

const slashingParams = {
  signedBlocksWindow: 20n,
  minSignedPerWindow: Buffer.from(`${ONE / 2n}`),
  downtimeJailDuration: { seconds: 600n, nanos: 0 },
  slashFractionDoubleSign: Buffer.from(`${ONE / 20n}`),
  slashFractionDowntime: Buffer.from(`${ONE / 100n}`),
}
const fractions = ['minSignedPerWindow', 'slashFractionDoubleSign', 'slashFractionDowntime']

describe('Distribution refuses what the Cosmos SDK refuses', () => {
  scenario('of rewards and where they go', fourValidators, [
    does(send('bob', 'carol', 1n, 1000n)),
    blocks(1),
    refuses(valid('MsgSetWithdrawAddress'), {
      ...wrongSigners('delegatorAddress'),
      'sdk/7': notAccounts('withdrawAddress'),
      'sdk/4': ['distribution', 'bonded_tokens_pool', 'not_bonded_tokens_pool', 'fee_collector'].map(
        (name) => (d) => ({ withdrawAddress: account(d, `module:${name}`) }),
      ),
    }),
    refuses(valid('MsgWithdrawDelegatorReward'), wrongSigners('delegatorAddress')),
    refuses(valid('MsgWithdrawDelegatorReward'), {
      'sdk/7': notOperators('validatorAddress'),
      'staking/3': [unknownOperator('validatorAddress')],
      'staking/19': [{}],
    }),
    refuses(valid('MsgWithdrawValidatorCommission', 'val2'), wrongSigners('validatorAddress', 'operator')),
    fails('distribution/7', withdrawCommission('val2')),
    fails('distribution/7', withdrawCommission('alice')),
    does(withdraw('val1', 'val1')),
  ])

  scenario(
    'where withdraw addresses are not to be changed',
    { ...fourValidators, sections: { distribution: { params: { withdraw_addr_enabled: false } } } },
    [fails('distribution/8', setWithdrawAddress('alice', 'bob'))],
  )

  scenario('of gifts', fourValidators, [
    refuses(valid('MsgFundCommunityPool'), wrongSigners('depositor')),
    refuses(valid('MsgFundCommunityPool'), { ...lists, 'sdk/10': [...lists['sdk/10'], { amount: [] }] }),
    refuses(valid('MsgDepositValidatorRewardsPool'), wrongSigners('depositor')),
    refuses(valid('MsgDepositValidatorRewardsPool'), lists),
    refuses(valid('MsgDepositValidatorRewardsPool'), {
      'undefined/1': [{ validatorAddress: '' }, { validatorAddress: 'nobody' }],
      'sdk/35': [(d) => ({ validatorAddress: account(d, 'val1') })],
      'staking/3': [unknownOperator('validatorAddress')],
    }),
  ])

  scenario('of what governance alone may do', fourValidators, [
    does(fundCommunityPool('bob', 100_000n)),
    refuses(valid('MsgCommunityPoolSpend'), { ...wrongSigners('authority'), 'gov/13': [{}] }),
    refuses(valid('MsgUpdateParams'), { ...wrongSigners('authority'), 'gov/13': [{ params }] }),
    failsWhenPassed(
      'distribution.v1beta1.MsgCommunityPoolSpend',
      (d) => ({ recipient: account(d, 'bob'), amount: [coin(1000n)] }),
      [
        ...[100_001n, 2n ** 255n, 2n ** 256n - 1n, 0n, -1n].map((amount) => ({ amount: [coin(amount)] })),
        { amount: [] },
        { amount: [coin('')] },
        { amount: [coin(1n, 'photon')] },
        { amount: [coin(1n), coin(1n)] },
        ...notAccounts('recipient'),
        (d) => ({ recipient: account(d, 'module:fee_collector') }),
        (d) => ({ recipient: account(d, 'module:distribution') }),
      ],
    ),
    failsWhenPassed(
      'distribution.v1beta1.MsgUpdateParams',
      () => ({ params }),
      [
        { communityTax: '-1' },
        { communityTax: `${ONE + 1n}` },
        { communityTax: `${2n ** 315n - 1n}` },
        { baseProposerReward: '1' },
        { bonusProposerReward: '-1' },
      ].map((change) => ({ params: { ...params, ...change } })),
    ),
  ])
})

describe('Slashing refuses what the Cosmos SDK refuses', () => {
  const unjailing: Valid = {
    signer: 'val1',
    name: 'slashing.v1beta1.MsgUnjail',
    value: (d) => ({ validatorAddr: operatorAddress(d, 'val1') }),
  }

  scenario('of the jailed and those that are not', fourValidators, [
    refuses(unjailing, { ...wrongSigners('validatorAddr', 'operator'), 'slashing/5': [{}] }),
    fails('staking/3', unjail('alice')),
    does(undelegate('val1', 'val1', 9_999_999n)),
    fails('slashing/5', unjail('val1')),
    blocks(20),
    blocks(12, { absent: ['val2'] }),
    refuses(
      { ...unjailing, signer: 'val2', value: (d) => ({ validatorAddr: operatorAddress(d, 'val2') }) },
      { 'slashing/4': [{}] },
    ),
    advance(601n * SECOND),
    does(unjail('val2')),
    fails('slashing/5', unjail('val2')),
  ])

  scenario('of parameters', fourValidators, [
    refuses(
      {
        signer: 'alice',
        name: 'slashing.v1beta1.MsgUpdateParams',
        value: (d) => ({ authority: account(d, 'alice'), params: slashingParams }),
      },
      {
        'gov/13': [{}],
        'sdk/8': [(d) => ({ authority: account(d, 'module:gov') })],
        'sdk/2': [
          ...fractions.flatMap((name) =>
            ['0.5', '1e3', `${2n ** 315n}`].map((text) => ({ [name]: Buffer.from(text) })),
          ),
          { downtimeJailDuration: { seconds: 2n ** 62n, nanos: 0 } },
          { downtimeJailDuration: { seconds: 1n, nanos: -1 } },
        ].map((change) => ({ params: { ...slashingParams, ...change } })),
      },
    ),
    failsWhenPassed(
      'slashing.v1beta1.MsgUpdateParams',
      () => ({ params: slashingParams }),
      [
        { signedBlocksWindow: 0n },
        { signedBlocksWindow: -1n },
        { downtimeJailDuration: { seconds: 0n, nanos: 0 } },
        { downtimeJailDuration: { seconds: -1n, nanos: 0 } },
        ...fractions.flatMap((name) =>
          ['-1', `${ONE + 1n}`, `${2n ** 315n - 1n}`].map((text) => ({ [name]: Buffer.from(text) })),
        ),
      ].map((change) => ({ params: { ...slashingParams, ...change } })),
    ),
  ])
})
