import { expect } from 'chai'
import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { AUTHORITY } from '../../core/authority.ts'
import { toHex } from '../../core/bytes.ts'
import type { Ban, ConsensusState } from '../../proto/gen/fornax/agents/v1/agents.ts'
import { consensusAddress } from '../kit/app/chain.ts'
import { message } from '../kit/app/governance.ts'
import { newValidator } from '../kit/app/new-validator.ts'
import { ScoredChain, section, shortVotes } from '../kit/app/scored-chain.ts'
import { withScore } from '../kit/classifier/altered-report.ts'

const FOUR = ['one', 'two', 'three', 'four']

describe('The agents', () => {
  let net: ScoredChain
  afterEach(() => net?.stop())

  const start = async (validators = FOUR, appState: Record<string, object> = {}): Promise<void> => {
    net = await ScoredChain.start({ validators, appState })
  }
  const validator = async (name: string): Promise<Validator> =>
    (
      await net.chain.query<{ validator: Validator }>('/cosmos.staking.v1beta1.Query/Validator', {
        validatorAddr: net.operator(name),
      })
    ).validator
  const isInSet = (name: string): boolean =>
    net.comet.at(net.chain.height + 2n).has(toHex(consensusAddress(name)))
  const pool = async (name: string): Promise<string> =>
    (
      await net.chain.query<{ pool: string }>('/fornax.agents.v1.Query/Standing', {
        validator: net.operator(name),
      })
    ).pool
  const bans = async (): Promise<Ban[]> =>
    (await net.chain.query<{ bans: Ban[] }>('/fornax.agents.v1.Query/Bans')).bans
  const consensus = async (): Promise<ConsensusState> =>
    (await net.chain.query<{ state: ConsensusState }>('/fornax.agents.v1.Query/Consensus')).state

  it('find nothing against validators that do their work', async () => {
    await start()
    await net.blocks(80)
    expect(Object.values(await net.scores()).every((score) => score < 1_000)).to.equal(true)
    expect(await net.decisions()).to.deep.equal({})
    expect(await consensus()).to.include({ agreeing: 4, zenithSize: 4, degraded: false })
  })

  it('ban who votes twice: the score is agreed two blocks later, and the ban says all of it', async () => {
    await start()
    await net.blocks(20)
    const { tokens } = await validator('two')
    await net.block({ equivocators: ['two'] })
    await net.blocks(2)
    const { two } = await net.decisions()
    expect(two).to.include({ penalty: 'PermanentBan', triggerBan: true, reason: 'ByzantineVote' })
    expect(two!.score).to.be.at.least(8_000)
    const [ban] = await bans()
    expect(ban).to.include({ node: net.operator('two'), height: net.chain.height, score: two!.score })
    expect([ban!.features.length, ban!.evidence.length, ban!.modelHash.length]).to.deep.equal([20, 1, 32])
    expect(BigInt((await validator('two')).tokens)).to.equal((BigInt(tokens) * 19n) / 20n)
    expect(isInSet('two')).to.equal(false)
  })

  it('do nothing more to who is banned: further evidence leaves the state to the last byte as it is without', async () => {
    const hashes = async (equivocators: readonly string[]): Promise<string[]> => {
      await start()
      await net.blocks(10)
      await net.block({ equivocators: ['two'] })
      await net.blocks(2)
      const hashes: string[] = []
      for (let i = 0; i < 10; i++)
        hashes.push(toHex((await net.block(i === 0 ? { equivocators } : {})).appHash))
      expect([(await bans())[0]!.node, await net.decisions()]).to.deep.equal([net.operator('two'), {}])
      await net.stop()
      return hashes
    }
    expect(await hashes(['two'])).to.deep.equal(await hashes([]))
    expect(await hashes(['three'])).to.not.deep.equal(await hashes([]))
  })

  it('jail who lets its turns to propose pass, and take it back into Horizon and then into good standing', async () => {
    await start([...FOUR, 'five'])
    await net.blocks(20)
    await net.blocks(75, { idle: ['three'] })
    expect([(await validator('three')).jailed, isInSet('three')]).to.deep.equal([true, false])
    expect(BigInt((await validator('three')).tokens)).to.equal((100n * 10n ** 18n * 9_999n) / 10_000n)
    const unjail = () =>
      net.chain.sign('three', {
        messages: [message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: net.operator('three') })],
      })
    expect((await net.block({}, unjail())).txResults[0]).to.include({ codespace: 'slashing', code: 4 })
    await net.blocks(120)
    expect((await net.block({}, unjail())).txResults[0]!.code).to.equal(0)
    await net.blocks(4)
    expect([isInSet('three'), await pool('three')]).to.deep.equal([true, 'Horizon'])
    await net.blocks(125)
    expect([await pool('three'), (await net.scores())['three']! < 1_000]).to.deep.equal(['Zenith', true])
  })

  it('call a round degraded where more than a third of all power disagrees, and commit it with the next healthy one', async () => {
    await start()
    await net.blocks(10)
    const lie = { reports: Object.fromEntries(['three', 'four'].map((name) => [name, accuse('one')])) }
    const appHash = toHex(net.chain.state.store.appHash)
    for (const _ of [1, 2]) {
      const answer = await net.block(lie, net.chain.send('one', 'two', 5n))
      expect([toHex(answer.appHash), answer.validatorUpdates]).to.deep.equal([appHash, []])
    }
    expect(net.chain.state.store.height).to.equal(10)
    // Of the three others, two accuse the first: that is the majority, and the rest disagrees.
    expect(net.chain.warnings.at(-1)).to.include('members of the Zenith Pool with 200 of 400 units')
    for (const name of ['one', 'two']) expect(net.chain.warnings.at(-1)).to.include(net.operator(name))
    await net.block()
    expect([net.chain.state.store.height, await net.chain.sequence('one')]).to.deep.equal([13, 3n])
    expect(await consensus()).to.deep.include({ agreeing: 4, degraded: false, disagreeing: [] })
    await net.block({ reports: { three: accuse('one') } })
    expect(await consensus()).to.deep.include({
      agreeing: 3,
      degraded: false,
      disagreeing: [net.operator('three')],
    })
  })

  const accuse =
    (victim: string) =>
    (honest: Uint8Array): Uint8Array =>
      withScore(honest, net.place(victim), 9_999)

  it('let no accusation of a minority come to a penalty, and find out the accusers', async () => {
    await start([...FOUR, 'five', 'six', 'seven'])
    await net.blocks(10)
    await net.blocks(10, { reports: { seven: accuse('one') } })
    expect((await net.scores())['one']).to.be.below(1_000)
    expect(await net.decisions()).to.have.all.keys('seven')
    expect((await net.decisions())['seven']).to.include({ reason: 'Disagreement', penalty: 'Moderate' })
    expect(await pool('seven')).to.equal('Horizon')
    await net.blocks(50, { reports: { seven: accuse('one') } })
    expect([(await validator('seven')).jailed, isInSet('seven')]).to.deep.equal([true, false])
    expect((await validator('one')).jailed).to.equal(false)
  })

  it('never take a third of the power in one window, and say so', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    await start(names)
    await net.blocks(10)
    const events: string[] = []
    const sleeps = async (name: string): Promise<boolean> => {
      for (let i = 0; i < 100; i++) {
        const answer = await net.block({ idle: [name] })
        events.push(...answer.events.map(({ type }) => type))
      }
      return (await validator(name)).jailed
    }
    expect([await sleeps('e'), await sleeps('f')]).to.deep.equal([true, true])
    expect(events).to.not.include('fornax.agents.v1.EventPenaltyCapped')
    expect(await sleeps('d')).to.equal(false)
    expect((await net.decisions())['d']).to.include({ penalty: 'Moderate', reason: 'MissedProposals' })
    expect(events).to.include('fornax.agents.v1.EventPenaltyCapped')
  })

  it('count one that comes back and is jailed again once', async () => {
    await start(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    await net.blocks(10)
    for (const name of ['e', 'e', 'e', 'f']) {
      await net.blocks(90, { idle: [name] })
      expect((await validator(name)).jailed).to.equal(true)
      if (name === 'f') break
      await net.blocks(120)
      const unjail = message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: net.operator(name) })
      expect((await net.block({}, net.sign(name, unjail))).txResults[0]!.code).to.equal(0)
      await net.blocks(4)
    }
    await net.blocks(90, { idle: ['d'] })
    expect((await validator('d')).jailed).to.equal(false)
  })

  it('score nobody in a network that is too large for a report, and call no round degraded for it', async () => {
    const names = Array.from({ length: 241 }, (_, i) => `validator ${i}`)
    const errors: string[] = []
    net = await ScoredChain.start({
      validators: names,
      onError: ({ message }) => errors.push(message),
      appState: { staking: { ...section('staking'), params: { ...LARGE } } },
    })
    await net.blocks(6)
    expect(errors).to.deep.equal(['a report holds 240 scores at most, the roster has 241 validators'])
    expect(await consensus()).to.deep.include({ zenithSize: 201, agreeing: 201, degraded: false })
    expect(new Set(Object.values(await net.scores()))).to.deep.equal(new Set([0]))
    expect(net.chain.state.store.height).to.equal(6)
  })

  it('keep a banned operator out, with another consensus key too: it was back in the set and judged by nobody', async () => {
    const params = { ...(section('staking')['params'] as object), unbonding_time: '120s' }
    await start(FOUR, { staking: { ...section('staking'), params } })
    await net.blocks(10)
    await net.block({ equivocators: ['two'] })
    await net.blocks(3)
    const operator = net.operator('two')
    const { tokens } = await validator('two')
    const leave = message('cosmos.staking.v1beta1.MsgUndelegate', {
      delegatorAddress: net.chain.user('two').text,
      validatorAddress: operator,
      amount: { denom: 'afrx', amount: tokens },
    })
    expect((await net.block({}, net.sign('two', leave))).txResults[0]!.log).to.equal('')
    await net.blocks(30)
    expect(await validator('two').catch(({ code }) => code)).to.equal(22)
    const back = newValidator('two', 10n ** 20n, 'two again')
    expect((await net.block({}, net.sign('two', back))).txResults[0]).to.include({
      codespace: 'agents',
      code: 7,
    })
  })

  it('lift a ban by governance alone', async () => {
    await start(FOUR, { gov: shortVotes() })
    await net.blocks(10)
    await net.block({ equivocators: ['two'] })
    await net.blocks(3)
    const lift = message('fornax.agents.v1.MsgLiftBan', { authority: AUTHORITY, node: net.operator('two') })
    const byUser = await net.block({}, net.sign('one', lift))
    expect([byUser.txResults[0]!.code === 0, (await bans()).length]).to.deep.equal([false, 1])
    net.chain.user('one').sequence = await net.chain.sequence('one')
    await net.pass(lift, ['two'])
    expect(await bans()).to.deep.equal([])
    const unjail = message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: net.operator('two') })
    expect((await net.block({}, net.sign('two', unjail))).txResults[0]!.log).to.equal('')
    await net.blocks(4)
    expect([isInSet('two'), await pool('two')]).to.deep.equal([true, 'Horizon'])
  })
})

const LARGE = {
  unbonding_time: '1814400s',
  max_validators: 300,
  max_entries: 7,
  historical_entries: 100,
  bond_denom: 'afrx',
  min_commission_rate: '0.000000000000000000',
}
