import { expect } from 'chai'
import { formatTimestamp, timestampOf } from '../../core/time.ts'
import { brokenInvariants } from '../../daemon/app/router.ts'
import { newGenesis, parseGenesis, renderGenesis } from '../../genesis/document.ts'
import { exportedDocument } from '../../genesis/exported.ts'
import { validateGenesis } from '../../genesis/validate.ts'
import { modules } from '../../modules/index.ts'
import { CHAIN_ID } from '../kit/app/chain.ts'
import { message } from '../kit/app/governance.ts'
import { ScoredChain } from '../kit/app/scored-chain.ts'

const SEVEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

// biome-ignore lint/suspicious/noExplicitAny: sections of every form
type Sections = { [module: string]: any }

describe('The agents of a chain that is exported', () => {
  let old: ScoredChain
  let next: ScoredChain | undefined
  /** b is banned and c in jail. */
  before(async () => {
    old = await ScoredChain.start({ validators: SEVEN })
    await old.blocks(20)
    await old.block({ equivocators: ['b'] })
    await old.blocks(2)
    await old.blocks(90, { idle: ['c'] })
    expect(brokenInvariants(modules, committed(old))).to.deep.equal([])
  })
  after(() => old.stop())
  afterEach(async () => {
    await next?.stop()
    next = undefined
  })

  const committed = ({ chain }: ScoredChain) => chain.state.view('committed', Number(chain.height))
  const exported = (forZeroHeight: boolean) => {
    const time = formatTimestamp(timestampOf(old.chain.timeOf(old.chain.height)))
    const genesis = newGenesis({ chainId: CHAIN_ID, modules })
    const document = exportedDocument(committed(old), modules, genesis, { time, forZeroHeight })
    validateGenesis(document, modules)
    return parseGenesis(renderGenesis(document), 'the export')
  }
  const begin = async (document: ReturnType<typeof exported>): Promise<ScoredChain> => {
    next = await ScoredChain.start({ validators: SEVEN, document })
    for (const [name, { sequence }] of old.chain.users) next.chain.user(name).sequence = sequence
    return next
  }
  const standingOf = ({ agents }: Sections, name: string) =>
    agents.standings.find((s: Sections) => s['validator'] === old.operator(name)).standing
  const unjail = (net: ScoredChain, name: string): Uint8Array =>
    net.sign(name, message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: net.operator(name) }))

  it('go on with the records, bans and jails that there were', async () => {
    const { agents, classifier } = exported(false).app_state as Sections
    expect(agents.bans.map((ban: Sections) => ban['node'])).to.deep.equal([old.operator('b')])
    expect(agents.removals).to.have.length(2)
    expect(classifier.roster.records.length).to.be.at.least(5)
    const [jail] = standingOf({ agents }, 'c').jails
    expect(jail.reason).to.equal('MissedProposals')
    expect(Number(jail.height)).to.be.within(1, Number(old.chain.height))
    const net = await begin(exported(false))
    const left = Number(standingOf({ agents }, 'c').jailed_until) - Number(old.chain.height)
    expect(left).to.be.within(80, 120)
    await net.blocks(left - 1)
    expect((await net.block({}, unjail(net, 'c'))).txResults[0]).to.include({
      codespace: 'slashing',
      code: 4,
    })
    expect((await net.block({}, unjail(net, 'c'))).txResults[0]!.log).to.equal('')
    expect((await net.block({}, unjail(net, 'b'))).txResults[0]).to.include({
      codespace: 'slashing',
      code: 4,
    })
    expect(brokenInvariants(modules, committed(net))).to.deep.equal([])
  })

  it('forget heights at height zero: times that are left go on, records begin anew, bans stay as they were signed', async () => {
    const before = exported(false).app_state as Sections
    const file = exported(true)
    const { agents, classifier } = file.app_state as Sections
    expect(file.consensus_params).to.deep.include({ abci: { vote_extensions_enable_height: '1' } })
    expect(agents.bans).to.deep.equal(before['agents'].bans)
    expect(agents.removals.map((r: Sections) => r['height'])).to.deep.equal(['0', '0'])
    expect([classifier.roster.records, classifier.metrics, classifier.former]).to.deep.equal([[], [], []])
    expect(standingOf({ agents }, 'c').jails).to.deep.equal([{ height: '0', reason: 'MissedProposals' }])
    expect(classifier.model).to.deep.equal(before['classifier'].model)
    const left = Number(standingOf({ agents }, 'c').jailed_until)
    expect(left).to.equal(Number(standingOf(before, 'c').jailed_until) - Number(old.chain.height))

    const net = await begin(file)
    await net.blocks(left - 1)
    expect((await net.block({}, unjail(net, 'c'))).txResults[0]).to.include({
      codespace: 'slashing',
      code: 4,
    })
    expect((await net.block({}, unjail(net, 'c'))).txResults[0]!.log).to.equal('')
    expect(Object.keys(await net.scores())).to.have.members(['a', 'd', 'e', 'f', 'g'])
    expect(await net.decisions()).to.deep.equal({})
    expect(brokenInvariants(modules, committed(net))).to.deep.equal([])
  })
})
