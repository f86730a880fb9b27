import { expect } from 'chai'
import type { UnbondingDelegation } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { Context } from '../../core/context.ts'
import { Journal } from '../../core/journal.ts'
import { releaseFromJail } from '../../modules/agents/jail.ts'
import { standingOf } from '../../modules/agents/pools.ts'
import * as agents from '../../modules/agents/state.ts'
import * as slashing from '../../modules/slashing/state.ts'
import { consensusAddress } from '../kit/app/chain.ts'
import { message } from '../kit/app/governance.ts'
import { ScoredChain, section } from '../kit/app/scored-chain.ts'
import { withScore } from '../kit/classifier/altered-report.ts'

const SEVEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const FRX = 10n ** 18n

describe('A slash by the agents', () => {
  let net: ScoredChain
  afterEach(() => net?.stop())

  const undelegate = async (name: string): Promise<void> => {
    const leave = message('cosmos.staking.v1beta1.MsgUndelegate', {
      delegatorAddress: net.chain.user(name).text,
      validatorAddress: formatAddress(net.chain.user(name).address, VALIDATOR_PREFIX),
      amount: { denom: 'afrx', amount: `${10n * FRX}` },
    })
    expect((await net.block(conduct, net.sign(name, leave))).txResults[0]!.log).to.equal('')
  }
  let conduct: Parameters<ScoredChain['block']>[0] = {}
  /** What is left of each 10 FRX that began to leave, in the order in which they did, and of what stayed. */
  const left = async (name: string): Promise<[bigint[], bigint]> => {
    const request = {
      delegatorAddr: net.chain.user(name).text,
      validatorAddr: net.operator(name),
    }
    const { unbond } = await net.chain.query<{ unbond: UnbondingDelegation }>(
      '/cosmos.staking.v1beta1.Query/UnbondingDelegation',
      request,
    )
    const { validator } = await net.chain.query<{ validator: { tokens: string } }>(
      '/cosmos.staking.v1beta1.Query/Validator',
      request,
    )
    return [unbond.entries.map(({ balance }) => BigInt(balance)), BigInt(validator.tokens)]
  }

  it('reaches stake that began to leave within the window of a Heavy penalty', async () => {
    net = await ScoredChain.start({ validators: SEVEN })
    conduct = {}
    await net.blocks(20)
    conduct = { idle: ['b'] }
    await net.blocks(50, conduct)
    await undelegate('b')
    await net.blocks(50, conduct)
    const part = (10n * FRX * 9_999n) / 10_000n
    expect(await left('b')).to.deep.equal([[part], 9n * part])
  })

  it('reaches stake that began to leave within the window of a ban, and none that did before', async () => {
    const agents = section('agents')
    const params = { ...(agents['params'] as object), heavy_disagreements: 65 }
    net = await ScoredChain.start({ validators: SEVEN, appState: { agents: { ...agents, params } } })
    conduct = {}
    await net.blocks(10)
    await undelegate('g')
    await net.blocks(40)
    conduct = { reports: { g: (honest) => withScore(honest, net.place('a'), 9_999) } }
    await net.blocks(20, conduct)
    await undelegate('g')
    await net.blocks(40, conduct)
    const [[before, since], stayed] = await left('g')
    // It is jailed at the first block of the ban level, and banned at the third: 0.01 % and 5 % of what there was.
    expect([before, since]).to.deep.equal([10n * FRX, (10n * FRX * 9_499n) / 10_000n])
    expect(Number(stayed / 10n ** 15n)).to.be.within(75_990, 76_050)
  })
})

describe('The end of the agents’ jail', () => {
  it('is none of one that was made again with a key that was never in the set', async () => {
    const net = await ScoredChain.start({ validators: ['one', 'two'] })
    try {
      await net.blocks(3)
      const { state } = net.chain
      const ctx = new Context(new Journal(state.working), { ...state.committedBlock, height: 9n }, 'block')
      const operator = net.chain.user('one').address
      agents.standings.set(ctx, operator, { ...standingOf(ctx, operator), jailedUntil: 9n })
      agents.releases.set(ctx, [9n, operator], true)
      slashing.signingInfos.delete(ctx, consensusAddress('one'))
      releaseFromJail(ctx)
      expect(standingOf(ctx, operator).jailedUntil).to.equal(0n)
    } finally {
      await net.stop()
    }
  })
})
