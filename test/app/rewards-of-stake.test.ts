import { expect } from 'chai'
import type { Coin, DecCoin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { formatAddress, moduleAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { Context } from '../../core/context.ts'
import { formatDecCoins } from '../../core/dec-coins.ts'
import { Journal } from '../../core/journal.ts'
import { packAny, wireType } from '../../core/wire/registry.ts'
import { brokenInvariants } from '../../daemon/app/router.ts'
import { exportGenesis } from '../../genesis/app-state.ts'
import { prepareForZeroHeight } from '../../modules/distribution/zero-height.ts'
import { consensusAddress, TestChain } from '../kit/app/chain.ts'

const FRX = 10n ** 18n
const FUNDS = 10n ** 24n
const PATH = '/cosmos.distribution.v1beta1.Query'

type Events = readonly {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string }[]
}[]

/** `type(value value …)` of the events of these types. */
const summary = (events: Events, ...types: readonly string[]): string[] =>
  events
    .filter((e) => types.includes(e.type))
    .map(
      (e) =>
        `${e.type}(${e.attributes
          .filter((a) => !/^(mode|msg_index)$/.test(a.key))
          .map((a) => a.value)
          .join(' ')})`,
    )

describe('the rewards of stake', () => {
  let chain: TestChain
  beforeEach(async () => {
    chain = await TestChain.start({ validators: ['one', 'two', 'three'] })
    await chain.block()
  })
  afterEach(async () => {
    expect(broken()).to.deep.equal([])
    await chain.stop()
  })

  const committed = (): Context => chain.state.view('committed', Number(chain.height))
  const broken = (ctx = committed()): string[] => brokenInvariants(chain.state.router.modules, ctx)
  const operator = (name: string): string => formatAddress(chain.user(name).address, VALIDATOR_PREFIX)
  const message = (method: string, fields: object) =>
    packAny(
      `cosmos.distribution.v1beta1.Msg${method}`,
      wireType(`cosmos.distribution.v1beta1.Msg${method}`).fromPartial(fields),
    )
  const tx = (from: string, method: string, fields: object, gasLimit = 1_000_000n) =>
    chain.sign(from, { messages: [message(method, fields)], fee: { amount: [], gasLimit } })
  const deposit = (to: string, amount: bigint) =>
    tx('alice', 'DepositValidatorRewardsPool', {
      depositor: chain.user('alice').text,
      validatorAddress: operator(to),
      amount: [{ denom: 'afrx', amount: amount.toString() }],
    })
  const stake = (from: string, method: string, to: string, amount: bigint) =>
    chain.sign(from, {
      messages: [
        packAny(`cosmos.staking.v1beta1.${method}`, {
          delegatorAddress: chain.user(from).text,
          validatorAddress: operator(to),
          amount: { denom: 'afrx', amount: amount.toString() },
        }),
      ],
      fee: { amount: [], gasLimit: 1_000_000n },
    })
  const withdraw = (from: string, to: string) =>
    tx(from, 'WithdrawDelegatorReward', {
      delegatorAddress: chain.user(from).text,
      validatorAddress: operator(to),
    })
  const rewards = async (delegator: string, to: string): Promise<string> =>
    formatDecCoins(
      (
        await chain.query<{ rewards: DecCoin[] }>(`${PATH}/DelegationRewards`, {
          delegatorAddress: chain.user(delegator).text,
          validatorAddress: operator(to),
        })
      ).rewards,
    )
  const pool = async (): Promise<string> =>
    formatDecCoins((await chain.query<{ pool: DecCoin[] }>(`${PATH}/CommunityPool`)).pool)
  const codes = (results: readonly { readonly codespace: string; readonly code: number }[]): string[] =>
    results.map((r) => `${r.codespace}/${r.code}`)
  const votes = ['one', 'two', 'three'].map((name) => ({ name, power: 100n, absent: name === 'three' }))

  it('are the fees of the last block by power, less the tax and the commission, absent or not', async () => {
    const paying = chain.send('alice', 'bob', 1n, {
      fee: { amount: [{ denom: 'afrx', amount: '1000' }], gasLimit: 200_000n },
    })
    await chain.blockWith({ votes }, paying)
    const { events } = await chain.blockWith({ votes })
    // 1000 less 2 % is 980; a third of it, truncated twice; a tenth of that is commission.
    const third = '326.666666666666666340afrx'
    const tenth = '32.666666666666666634afrx'
    expect(summary(events, 'commission', 'rewards')).to.deep.equal(
      ['one', 'two', 'three'].flatMap((name) => [
        `commission(${tenth} ${operator(name)})`,
        `rewards(${third} ${operator(name)})`,
      ]),
    )
    expect(await pool()).to.equal('20.000000000000000980afrx')
    // 293.999…706 shared by 10^20 tokens: the 38 digits are cut to 18, then multiplied again.
    expect(await rewards('two', 'two')).to.equal('200.000000000000000000afrx')
    const { rewards: outstanding } = await chain.query<{ rewards: { rewards: DecCoin[] } }>(
      `${PATH}/ValidatorOutstandingRewards`,
      { validatorAddress: operator('one') },
    )
    expect(formatDecCoins(outstanding.rewards)).to.equal(third)
    expect(summary((await chain.blockWith({ votes })).events, 'rewards')).to.deep.equal(
      ['one', 'two', 'three'].map((name) => `rewards( ${operator(name)})`),
    )
  })

  it('are paid out in whole coins, the rest to the community, and only once', async () => {
    await chain.block(deposit('one', 10n * FRX), stake('bob', 'MsgDelegate', 'one', 200n * FRX))
    await chain.block(deposit('one', 1_000_000_000_000_000_007n))
    // The first deposit was all the validator's own, the second is shared 1 : 2.
    // 0.9 of it is 900000000000000006.3; per token 0.003000000000000000 (truncated).
    expect(await rewards('one', 'one')).to.equal(`${9n * FRX + 3n * 10n ** 17n}.000000000000000000afrx`)
    expect(await rewards('bob', 'one')).to.equal(`${6n * 10n ** 17n}.000000000000000000afrx`)
    const { txResults } = await chain.block(withdraw('bob', 'one'), withdraw('bob', 'one'))
    expect(txResults.map((r) => summary(r.events, 'withdraw_rewards'))).to.deep.equal([
      [`withdraw_rewards(${6n * 10n ** 17n}afrx ${operator('one')} ${chain.user('bob').text})`],
      [`withdraw_rewards(0afrx ${operator('one')} ${chain.user('bob').text})`],
    ])
    expect(await chain.balance('bob')).to.equal(FUNDS - 200n * FRX + 6n * 10n ** 17n)
    const commission = () => tx('one', 'WithdrawValidatorCommission', { validatorAddress: operator('one') })
    const paid = await chain.block(commission(), commission())
    // A tenth of the deposits is 1100000000000000000.7: the fraction stays the validator's, and cannot be paid.
    expect(paid.txResults.map((r) => summary(r.events, 'withdraw_commission'))).to.deep.equal([
      ['withdraw_commission(1100000000000000000afrx)'],
      ['withdraw_commission()'],
    ])
  })

  it('go to the account that the delegator names', async () => {
    const to = (withdrawAddress: string) =>
      tx('one', 'SetWithdrawAddress', { delegatorAddress: chain.user('one').text, withdrawAddress })
    const { txResults } = await chain.block(
      to(formatAddress(moduleAddress('distribution'))),
      to('fornax1nonsense'),
      to(chain.user('carol').text),
      deposit('one', 10n * FRX),
    )
    expect(codes(txResults)).to.deep.equal(['sdk/4', 'sdk/7', '/0', '/0'])
    await chain.block(withdraw('one', 'one'))
    expect(await chain.balance('carol')).to.equal(FUNDS + 9n * FRX)
  })

  it('lose by a slash what the stake loses, whatever the order', async () => {
    await chain.block(deposit('one', 10n * FRX))
    const misbehavior = [
      {
        type: 1,
        validator: { address: consensusAddress('one'), power: 100n },
        height: 2n,
        time: { seconds: 1_800_000_010n, nanos: 0 },
      },
    ]
    await chain.blockWith({ misbehavior })
    await chain.block(deposit('one', 10n * FRX))
    // 9 FRX on 100 FRX of stake; then 9 on 95, where 9/95 is cut to 18 places.
    expect(await rewards('one', 'one')).to.equal('17999999999999999915.000000000000000000afrx')
    const { slashes } = await chain.query<{ slashes: { validatorPeriod: bigint; fraction: string }[] }>(
      `${PATH}/ValidatorSlashes`,
      { validatorAddress: operator('one'), startingHeight: 0n, endingHeight: 100n },
    )
    expect(slashes).to.deep.equal([{ validatorPeriod: 2n, fraction: '50000000000000000' }])
    await chain.block(stake('bob', 'MsgDelegate', 'one', 7n * FRX))
    await chain.block(stake('one', 'MsgUndelegate', 'one', 94n * FRX), deposit('one', FRX))
    await chain.block(withdraw('bob', 'one'), withdraw('one', 'one'))
  })

  it('of a validator that goes are paid out, and its dust is the community’s', async () => {
    await chain.block(deposit('three', 1_000_000_000_000_000_019n))
    const before = await chain.balance('three')
    const { txResults } = await chain.block(stake('three', 'MsgUndelegate', 'three', 100n * FRX))
    expect(codes(txResults)).to.deep.equal(['/0'])
    // 900000000000000017.1 on 10^20 tokens is 0.009000000000000000 a token.
    expect((await chain.balance('three')) - before).to.equal(9n * 10n ** 17n)
    await chain.blockWith({ afterNs: 30n * 86_400n * 10n ** 9n })
    expect((await chain.balance('three')) - before).to.equal(100n * FRX + 10n ** 18n + 1n)
    expect(await pool()).to.equal('18.000000000000000000afrx')
  })

  it('are refused to who has none, with the codes of the SDK', async () => {
    const coins = (amount: string) => [{ denom: 'afrx', amount }]
    const fund = (amount: readonly Coin[]) =>
      tx('bob', 'FundCommunityPool', { amount, depositor: chain.user('bob').text })
    const refused = [
      withdraw('bob', 'one'),
      withdraw('alice', 'bob'),
      tx('carol', 'WithdrawValidatorCommission', { validatorAddress: operator('carol') }),
      tx('carol', 'UpdateParams', { authority: chain.user('carol').text, params: { communityTax: '0' } }),
      tx('carol', 'CommunityPoolSpend', {
        authority: chain.user('carol').text,
        recipient: chain.user('carol').text,
        amount: coins('1'),
      }),
      tx('carol', 'DepositValidatorRewardsPool', {
        depositor: chain.user('carol').text,
        validatorAddress: operator('carol'),
        amount: coins('1'),
      }),
      fund(coins((FUNDS + 1n).toString())),
      fund(coins('5')),
    ]
    const { txResults } = await chain.block(...refused)
    expect(codes(txResults)).to.deep.equal([
      'staking/19',
      'staking/3',
      'distribution/7',
      'gov/13',
      'gov/13',
      'staking/3',
      'sdk/5',
      '/0',
    ])
    expect(await pool()).to.equal('5.000000000000000000afrx')
    for (const amount of [[], coins('0'), coins('-1'), [...coins('1'), ...coins('1')]])
      expect((await chain.check(fund(amount))).code).to.equal(10)
  })

  it('survive an export and its import, and begin anew at height zero', async () => {
    await chain.block(deposit('one', 10n * FRX), stake('bob', 'MsgDelegate', 'one', 3n * FRX))
    await chain.blockWith({ votes }, deposit('one', 7n))
    const { modules } = chain.state.router
    const appState = exportGenesis(modules, committed())
    const again = await TestChain.start({ validators: ['one'], exported: appState })
    await again.block()
    const ctx = again.state.view('committed', 1)
    expect(broken(ctx)).to.deep.equal([])
    const { distribution } = exportGenesis(modules, ctx)
    const { previous_proposer: _, ...same } = distribution as Record<string, unknown>
    expect(appState['distribution']).to.deep.include(same)
    await again.stop()
    const zero = new Context(new Journal(chain.store.latest), committed().block, 'genesis')
    prepareForZeroHeight(zero)
    expect(broken(zero)).to.deep.equal([])
  })
})
