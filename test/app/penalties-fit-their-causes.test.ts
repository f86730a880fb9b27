import { expect } from 'chai'
import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { encodeVoteTelemetry } from '../../modules/classifier/api.ts'
import type { QueryStandingResponse } from '../../proto/gen/fornax/agents/v1/query.ts'
import { message } from '../kit/app/governance.ts'
import { type Conduct, ScoredChain } from '../kit/app/scored-chain.ts'
import { withScore } from '../kit/classifier/altered-report.ts'

const SEVEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

describe('Penalties', () => {
  let net: ScoredChain
  afterEach(() => net?.stop())

  const start = async (validators: readonly string[] = SEVEN): Promise<void> => {
    net = await ScoredChain.start({ validators, coldTwin: false })
    await net.blocks(10)
  }
  const isJailed = async (name: string): Promise<boolean> => {
    const request = { validatorAddr: net.operator(name) }
    const answer = await net.chain.query<{ validator: Validator }>(
      '/cosmos.staking.v1beta1.Query/Validator',
      request,
    )
    return answer.validator.jailed
  }
  const standing = (name: string): Promise<QueryStandingResponse> =>
    net.chain.query('/fornax.agents.v1.Query/Standing', { validator: net.operator(name) })
  const figure = async (name: string, figure: string): Promise<number> =>
    (await standing(name)).evidence.find((e) => e.figure === figure)!.value
  const unjail = async (name: string, conduct: Conduct = {}): Promise<void> => {
    const back = message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: net.operator(name) })
    expect((await net.block(conduct, net.sign(name, back))).txResults[0]!.log).to.equal('')
    await net.blocks(4, conduct)
  }
  const accuse =
    (victim: string) =>
    (honest: Uint8Array): Uint8Array =>
      withScore(honest, net.place(victim), 9_999)

  it('for ten minutes away are Moderate at most, and for an hour Heavy', async () => {
    await start()
    const penalties = new Set<string>()
    for (let i = 0; i < 120; i++) {
      await net.block({ absent: ['b'] })
      for (const { penalty } of Object.values(await net.decisions())) penalties.add(penalty)
    }
    expect([...penalties]).to.deep.equal(['Moderate'])
    for (let i = 0; i < 600 && !(await isJailed('b')); i++) await net.block({ absent: ['b'] })
    expect([await isJailed('b'), Number(net.chain.height)]).to.satisfy(
      ([jailed, height]: [boolean, number]) => jailed && height > 240 && height < 730,
    )
  }).timeout(120_000)

  it('for what others have made up are none: votes left out of a gang’s blocks, and a short restart of the victim', async () => {
    await start()
    const gang = ['f', 'g']
    // Two of seven propose two of seven blocks, in each of which the victim's vote is missing.
    for (let i = 0; i < 300; i++) {
      const proposer = SEVEN[i % 7]!
      const isAway = i >= 250 && i < 268
      await net.block({ proposer, absent: gang.includes(proposer) || isAway ? ['a'] : [] })
      expect(await net.decisions(), `block ${i}`).to.not.have.property('a')
    }
    expect(await figure('a', 'missed_votes')).to.be.below(16)
    expect((await standing('a')).standing.horizonUntil).to.equal(0n)
  }).timeout(120_000)

  it('for what framers withhold are never Heavy, even where the victim restarts: no score comes to 0.70 by it', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `validator ${i}`)
    await start(names)
    const [victim, ...others] = names
    // Five of twenty withhold their votes where the victim proposes: nobody else can know who it was.
    let worst = 0
    let most = 0
    for (let i = 0; i < 130; i++) {
      const proposer = names[i % 20]!
      const absent = proposer === victim ? others.slice(0, 5) : i >= 100 ? [victim!] : []
      await net.block({ proposer, absent })
      worst = Math.max(worst, (await net.scores())[victim!]!)
      most = Math.max(most, (await net.features(victim!))['omissions']!)
      const decision = (await net.decisions())[victim!]
      expect(decision?.penalty ?? 'Moderate').to.equal('Moderate')
    }
    expect([worst < 7_000, most > 100, await isJailed(victim!)]).to.deep.equal([true, true, false])
  }).timeout(120_000)

  it('for votes left out of own blocks are Moderate: of the same voters once in a while, as either side may be at fault', async () => {
    await start()
    const decided: bigint[] = []
    for (let i = 0; i < 100; i++) {
      const proposer = SEVEN[i % 7]!
      await net.block({ proposer, absent: proposer === 'a' ? ['f', 'g'] : [] })
      const { a, ...others } = await net.decisions()
      expect(others).to.deep.equal({})
      if (a === undefined) continue
      expect(a).to.include({ reason: 'Omission', penalty: 'Moderate', triggerBan: false })
      decided.push(net.chain.height)
    }
    expect(decided).to.have.length(1)
    expect((await standing('a')).standing.undisputedUntil).to.equal(decided[0]! + 1_440n)
  })

  it('for votes left out of own blocks go on where no third of the power could have withheld them', async () => {
    await start(Array.from({ length: 10 }, (_, i) => `v${i}`))
    let decided = 0
    for (let i = 0; i < 100; i++) {
      const left = [1, 2, 3].map((k) => `v${1 + ((3 * Math.floor(i / 10) + k) % 9)}`)
      await net.block({ proposer: `v${i % 10}`, absent: i % 10 === 0 ? left : [] })
      if ((await net.decisions())['v0']?.reason === 'Omission') decided++
    }
    // More than once within the pause of disputes.
    expect(decided).to.be.at.least(2)
  })

  it('for missing 15 votes of 64 for ever are Moderate, and one of 64 is no cause', async () => {
    await start()
    let reasons = ''
    for (let i = 0; i < 512; i++) {
      await net.block({ absent: (i * 15) % 64 < 15 ? ['b'] : i % 64 === 63 ? ['c'] : [] })
      const { b, c } = await net.decisions()
      expect(c).to.equal(undefined)
      if (b) reasons = `${b.reason} ${b.penalty}`
    }
    expect([reasons, await figure('b', 'long_missed_votes')]).to.satisfy(
      ([r, n]: [string, number]) => r === 'MissedVotes Moderate' && n >= 32,
    )
  }).timeout(120_000)

  it('for lying come back with who comes back: lying for ever ends in a ban, by what the parameters are by default', async () => {
    await start()
    const lies = { reports: { g: accuse('a') } }
    let jails = 0
    for (let returns = 0; returns < 10; returns++) {
      for (let i = 0; i < 70 && !(await isJailed('g')); i++) await net.block(lies)
      expect(await isJailed('g')).to.equal(true)
      // It votes twice more before CometBFT knows.
      await net.blocks(3, lies)
      const { standing: s, banned } = await standing('g')
      if (banned) break
      jails++
      expect(s.jails.map(({ reason }) => reason)).to.deep.equal(new Array(jails).fill('Disagreement'))
      await net.blocks(118)
      await unjail('g', lies)
    }
    const { banned } = await standing('g')
    expect([banned, jails]).to.satisfy(([b, n]: [boolean, number]) => b && n >= 2 && n <= 7)
    expect(net.chain.height < 1_200n).to.equal(true)
  }).timeout(180_000)

  it('are not given again to a liar that came back and tells the truth', async () => {
    await start()
    for (let i = 0; i < 70 && !(await isJailed('g')); i++) await net.block({ reports: { g: accuse('a') } })
    await net.blocks(121)
    await unjail('g')
    expect(await figure('g', 'disagreements')).to.be.at.least(12)
    for (let i = 0; i < 70; i++) {
      await net.block()
      expect(await net.decisions()).to.deep.equal({})
    }
    expect([await isJailed('g'), await figure('g', 'disagreements')]).to.deep.equal([false, 0])
  }).timeout(120_000)

  it('are told as events when they begin, become others and are over, and not while they last', async () => {
    await start()
    const told: string[] = []
    let decisions = 0
    const run = async (blocks: number, conduct: Conduct): Promise<void> => {
      for (let i = 0; i < blocks; i++) {
        const { events } = await net.block(conduct)
        decisions += Object.keys(await net.decisions()).length
        for (const { type, attributes } of events) {
          const of = (name: string): string | undefined => attributes.find(({ key }) => key === name)?.value
          if (type.startsWith('fornax.agents.v1.Event') && of('node') === JSON.stringify(net.operator('b')))
            told.push(
              [type.slice(17), of('penalty'), of('reason')].filter(Boolean).join(' ').replaceAll('"', ''),
            )
        }
      }
    }
    const busy = (cpu: number): Conduct => ({
      telemetry: { b: encodeVoteTelemetry({ cpu, latencyUs: 1, connections: 1, netContrib: 1n }) },
    })
    await run(5, busy(9_900))
    expect([told, decisions]).to.deep.equal([['EventPenalty Moderate Overload'], 5])
    // The cause goes and comes again while the penalty lasts.
    await run(3, busy(100))
    await run(2, busy(9_900))
    await run(1, busy(100))
    expect([told.length, decisions]).to.deep.equal([1, 7])
    // Another one is told while the first lasts, and the first again after it.
    await run(40, { absent: ['b'] })
    expect(told.slice(1)).to.deep.equal(['EventPenalty Moderate MissedVotes'])
    for (let i = 0; i < 60 && told.length === 2; i++) await run(5, busy(9_900))
    expect(told.slice(2)).to.deep.equal(['EventPenalty Moderate Overload'])
    told.length = 1
    await run(1, busy(100))
    const end = Number((await standing('b')).standing!.horizonUntil)
    for (let i = 0; i < 130 && told.length === 1; i++) await run(1, busy(100))
    expect([told.slice(1), Number(net.chain.height)]).to.deep.equal([['EventHorizonLeft'], end])
    await run(5, busy(100))
    expect(told).to.have.length(2)
  }).timeout(120_000)

  it('for scores wait in a degraded round, and those for proof do not', async () => {
    await start()
    await net.blocks(30, { absent: ['b'] })
    expect(await net.decisions()).to.have.property('b')
    const reports = Object.fromEntries(['e', 'f', 'g'].map((name) => [name, accuse('e')]))
    await net.block({ absent: ['b'], equivocators: ['d'] })
    await net.block({ absent: ['b'] })
    const events = (await net.block({ absent: ['b'], reports })).events
    const nodes = events
      .filter(({ type }) => type === 'fornax.agents.v1.EventPenalty')
      .map(({ attributes }) => JSON.parse(attributes.find(({ key }) => key === 'node')!.value))
    expect(nodes).to.deep.equal([net.operator('d')])
    expect(net.chain.state.store.height).to.be.below(Number(net.chain.height))
  })
})
