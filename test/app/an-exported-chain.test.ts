import { expect } from 'chai'
import type { ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { Context } from '../../core/context.ts'
import { Journal } from '../../core/journal.ts'
import { formatTimestamp, timestampOf } from '../../core/time.ts'
import type { Json } from '../../core/wire/json.ts'
import { brokenInvariants } from '../../daemon/app/router.ts'
import { exportGenesis } from '../../genesis/app-state.ts'
import { type GenesisDocument, newGenesis, parseGenesis, renderGenesis } from '../../genesis/document.ts'
import { type ExportOptions, exportedDocument } from '../../genesis/exported.ts'
import { validateGenesis } from '../../genesis/validate.ts'
import { modules } from '../../modules/index.ts'
import { CHAIN_ID, consensusAddress, TestChain } from '../kit/app/chain.ts'
import { coins, DAY_NS, FRX, Government, message, outcome } from '../kit/app/governance.ts'

const VALIDATORS = ['one', 'two', 'three', 'four']
const SECTIONS = {
  slashing: {
    params: {
      signed_blocks_window: '10',
      min_signed_per_window: '0.500000000000000000',
      downtime_jail_duration: '600s',
      slash_fraction_double_sign: '0.050000000000000000',
      slash_fraction_downtime: '0.010000000000000000',
    },
  },
}
const FEE = { amount: coins(1_000_003n), gasLimit: 1_000_000n }

// biome-ignore lint/suspicious/noExplicitAny: sections of every form
type Sections = { [module: string]: any }

/** The EVM's section without hashes of blocks, which name the state of the chain that they are of. */
function withoutBlocks(sections: object): object {
  const { evm, ...others } = sections as Sections
  const contracts = evm['contracts'].map((contract: Sections) =>
    contract['address'] === '0x0000f90827f1c53a10cb7a02335b175320002935'
      ? { ...contract, storage: [] }
      : contract,
  )
  return { ...others, evm: { ...evm, contracts, parent: undefined } }
}

describe('an exported chain', () => {
  let chain: TestChain
  let again: TestChain | undefined

  const operator = (name: string): string => formatAddress(chain.user(name).address, VALIDATOR_PREFIX)
  const stake = (who: string, method: string, amount: bigint, fields: object) =>
    message(`cosmos.staking.v1beta1.${method}`, {
      delegatorAddress: chain.user(who).text,
      amount: coins(amount)[0]!,
      ...fields,
    })
  const delegate = (who: string, to: string, amount: bigint) =>
    stake(who, 'MsgDelegate', amount, { validatorAddress: operator(to) })
  const undelegate = (who: string, from: string, amount: bigint) =>
    stake(who, 'MsgUndelegate', amount, { validatorAddress: operator(from) })
  const redelegate = (who: string, from: string, to: string, amount: bigint) =>
    stake(who, 'MsgBeginRedelegate', amount, {
      validatorSrcAddress: operator(from),
      validatorDstAddress: operator(to),
    })
  const rewards = (who: string, method: string, fields: object) =>
    message(`cosmos.distribution.v1beta1.${method}`, { delegatorAddress: chain.user(who).text, ...fields })
  const sign = (who: string, ...messages: ReturnType<typeof message>[]) =>
    chain.sign(who, { messages, fee: FEE })
  const votes = (absent: string[] = []) =>
    VALIDATORS.map((name) => ({ name, power: 100n, absent: absent.includes(name) }))

  /** A chain with something of every kind in its state. */
  before(async () => {
    chain = await TestChain.start({ validators: VALIDATORS, appState: SECTIONS, voteExtensions: true })
    const gov = new Government(chain)
    const all = async (fields: object, ...txs: Uint8Array[]): Promise<void> => {
      const { txResults } = await chain.blockWith(
        { votes: votes(), proposer: consensusAddress('one'), ...fields },
        ...txs,
      )
      expect(txResults.map(outcome)).to.deep.equal(txResults.map(() => 'ok'))
    }
    await all({ votes: [] })
    await all({}, sign('bob', delegate('bob', 'one', 50n * FRX + 7n), delegate('bob', 'two', 30n * FRX)))
    await all(
      {},
      sign('carol', delegate('carol', 'three', 20n * FRX), delegate('carol', 'four', 3n * FRX)),
      sign(
        'alice',
        message('cosmos.distribution.v1beta1.MsgFundCommunityPool', {
          amount: coins(7n * FRX),
          depositor: chain.user('alice').text,
        }),
      ),
      sign('carol', rewards('carol', 'MsgSetWithdrawAddress', { withdrawAddress: chain.user('alice').text })),
    )
    // A passed proposal, a rejected one, one that is voted on and one that gathers deposits.
    await gov.decree()
    expect(outcome(await gov.submit('alice', { title: 'unwanted' }))).to.equal('ok')
    await gov.vote('one', 2n, 'no')
    await gov.pass(2n)
    const open = await gov.submit('alice', { title: 'open', metadata: 'ipfs://open' })
    const whole = await gov.vote('one', 3n, 'yes')
    const weighted = await gov.voteWeighted('bob', 3n, [
      { option: 1, weight: '0.3' },
      { option: 3, weight: '0.7' },
    ])
    const poor = await gov.submit('bob', { title: 'poor', deposit: FRX })
    const more = await gov.deposit('carol', 4n, FRX / 2n)
    expect([open, whole, weighted, poor, more].map(outcome)).to.deep.equal(['ok', 'ok', 'ok', 'ok', 'ok'])
    await all({}, sign('bob', undelegate('bob', 'one', 5n * FRX), redelegate('bob', 'two', 'one', 10n * FRX)))
    await all({}, sign('bob', undelegate('bob', 'one', FRX), undelegate('bob', 'one', FRX)))
    for (let i = 0; i < 11; i++)
      await all(
        { votes: votes(['three']) },
        sign(
          'alice',
          message('cosmos.bank.v1beta1.MsgSend', {
            fromAddress: chain.user('alice').text,
            toAddress: chain.user('bob').text,
            amount: coins(1n),
          }),
        ),
      )
    const { seconds } = timestampOf(chain.timeOf(chain.height))
    await all({
      misbehavior: [
        {
          type: 1,
          validator: { address: consensusAddress('four'), power: 103n },
          height: chain.height - 1n,
          time: { seconds, nanos: 0 },
        },
      ],
    })
    await all(
      {},
      sign('bob', rewards('bob', 'MsgWithdrawDelegatorReward', { validatorAddress: operator('one') })),
    )
    await all({}, sign('alice', delegate('alice', 'one', 11n)))
  })
  after(() => chain.stop())
  afterEach(async () => {
    await again?.stop()
    again = undefined
  })

  /** The last committed state, which a zero-height export may write on. */
  const committed = (of = chain): Context => of.state.view('committed', Number(of.height))
  const document = (options: ExportOptions = {}): GenesisDocument => {
    const old = newGenesis({ chainId: CHAIN_ID, modules })
    const time = formatTimestamp(timestampOf(chain.timeOf(chain.height)))
    const made = exportedDocument(committed(), modules, old, { time, ...options })
    validateGenesis(made, modules)
    return parseGenesis(renderGenesis(made), 'the export')
  }
  const broken = (ctx: Context): string[] => brokenInvariants(modules, ctx)

  async function begin(file: GenesisDocument): Promise<TestChain> {
    again = await TestChain.start({ validators: VALIDATORS, document: file, voteExtensions: true })
    for (const [name, { sequence }] of chain.users) again.user(name).sequence = sequence
    return again
  }
  const working = (of: TestChain): Context =>
    new Context(new Journal(of.state.working), { ...of.state.committedBlock, height: of.height }, 'query')

  it('holds what there is to export', () => {
    const { staking, slashing, evidence, distribution, gov } = document().app_state as Sections
    expect(staking.unbonding_delegations[0].entries).to.have.length(2)
    expect(staking.redelegations[0].redelegation_entries ?? staking.redelegations[0].entries).to.have.length(
      1,
    )
    expect(staking.validators.map((v: Sections) => v['jailed']).sort()).to.deep.equal([
      false,
      false,
      true,
      true,
    ])
    expect(
      slashing.signing_infos.filter((s: Sections) => s['validator_signing_info'].tombstoned),
    ).to.have.length(1)
    expect(evidence.evidence).to.have.length(1)
    expect(distribution.validator_slash_events.length).to.be.greaterThan(0)
    expect(gov.proposals.map((p: Sections) => p['status'])).to.deep.equal([
      'PROPOSAL_STATUS_PASSED',
      'PROPOSAL_STATUS_REJECTED',
      'PROPOSAL_STATUS_VOTING_PERIOD',
      'PROPOSAL_STATUS_DEPOSIT_PERIOD',
    ])
    expect(broken(committed())).to.deep.equal([])
  })

  it('goes on at the next height with the same state, to the last of it', async () => {
    const file = document()
    await begin(file)
    expect(file.initial_height).to.equal(String(chain.height + 1n))
    expect(file.validators!.map((v) => v.name).sort()).to.deep.equal(['one', 'two'])
    expect(broken(working(again!))).to.deep.equal([])
    expect(exportGenesis(modules, working(again!))).to.deep.equal(exportGenesis(modules, committed()))
    expect(again!.app.info().lastBlockHeight).to.equal(0n)
  })

  it('answers the same blocks as the chain it was exported from, while votes are counted and queues mature', async () => {
    await begin(document())
    const both = async (fields: object, ...txs: Uint8Array[]): Promise<ResponseFinalizeBlock> => {
      const expected = await chain.blockWith(fields, ...txs)
      const { appHash: _, ...answer } = await again!.blockWith(fields, ...txs)
      expect({ ...answer, appHash: expected.appHash }).to.deep.equal(expected)
      return expected
    }
    const types = ({ events }: ResponseFinalizeBlock): string[] => [...new Set(events.map((e) => e.type))]
    const { txResults } = await both(
      {},
      sign(
        'two',
        message('cosmos.gov.v1.MsgVote', { proposalId: 3n, voter: chain.user('two').text, option: 1 }),
      ),
      sign('bob', rewards('bob', 'MsgWithdrawDelegatorReward', { validatorAddress: operator('two') })),
      sign('bob', undelegate('bob', 'two', FRX)),
      sign('three', message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: operator('three') })),
      sign('four', message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: operator('four') })),
    )
    expect(txResults.map(outcome)).to.deep.equal(['ok', 'ok', 'ok', 'slashing/4', 'slashing/4'])
    expect(again!.app.info().lastBlockHeight).to.equal(chain.height)
    expect(types(await both({ afterNs: 2n * DAY_NS })))
      .to.include('inactive_proposal')
      .and.include('active_proposal')
    expect(await new Government(again!).proposal(3n)).to.have.property('status', 3)
    await both(
      {},
      sign('three', message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: operator('three') })),
    )
    expect(types(await both({ afterNs: 21n * DAY_NS })))
      .to.include('complete_unbonding')
      .and.include('complete_redelegation')
    await again!.restart()
    await both({ votes: votes() }, sign('bob', delegate('bob', 'two', FRX)))
    for (const of of [chain, again!]) expect(broken(committed(of))).to.deep.equal([])
    expect(withoutBlocks(exportGenesis(modules, committed(again)))).to.deep.equal(
      withoutBlocks(exportGenesis(modules, committed())),
    )
  })

  it('begins at height zero with rewards paid out and heights forgotten', async () => {
    await chain.blockWith({ votes: votes() }, chain.send('alice', 'bob', 1n, { fee: FEE }))
    await chain.blockWith(
      { votes: votes() },
      sign('bob', undelegate('bob', 'two', FRX), redelegate('bob', 'two', 'one', FRX)),
    )
    await chain.blockWith({ votes: votes() })
    const before = exportGenesis(modules, committed()) as Sections
    const file = document({ forZeroHeight: true })
    const { staking, slashing, distribution, bank, gov } = file.app_state as Sections
    expect(file.initial_height).to.equal('1')
    expect(bank.supply).to.deep.equal(before['bank'].supply)
    expect(gov).to.deep.equal(before['gov'])
    expect(fieldsOf(staking, 'creation_height', 'unbonding_height')).to.deep.equal(['0'])
    expect(fieldsOf(slashing, 'start_height')).to.deep.equal(['0'])
    expect(fieldsOf(distribution['delegator_starting_infos'], 'height')).to.deep.equal(['0'])
    expect(distribution.validator_slash_events).to.deep.equal([])
    expect(
      distribution.validator_accumulated_commissions.flatMap((c: Sections) => c['accumulated'].commission),
    ).to.deep.equal([])
    expect(distribution.outstanding_rewards.flatMap((r: Sections) => r['outstanding_rewards'])).to.deep.equal(
      [],
    )
    for (const name of ['one', 'two', 'bob'])
      expect(
        balanceIn(bank, chain.user(name).text) > balanceIn(before['bank'], chain.user(name).text),
        name,
      ).to.equal(true)
    await begin(file)
    const next = again!
    expect(broken(working(next))).to.deep.equal([])
    const { genutil: _g, fornax: _f, ...sections } = file.app_state
    expect(withoutBlocks(exportGenesis(modules, working(next)))).to.deep.equal(withoutBlocks(sections))
    await next.block()
    expect(next.app.info().lastBlockHeight).to.equal(1n)
    const { txResults } = await next.blockWith(
      { votes: votes(['four']) },
      sign('bob', undelegate('bob', 'one', FRX)),
      sign('bob', rewards('bob', 'MsgWithdrawDelegatorReward', { validatorAddress: operator('one') })),
    )
    expect(txResults.map(outcome)).to.deep.equal(['ok', 'ok'])
    await next.blockWith({ afterNs: 21n * DAY_NS })
    await next.block()
    expect(broken(committed(next))).to.deep.equal([])
    const { staking: later } = exportGenesis(modules, committed(next)) as Sections
    expect([later['unbonding_delegations'], later['redelegations']]).to.deep.equal([[], []])
  })

  it('jails all validators but those named, and is refused where none would be left', async () => {
    const file = document({ forZeroHeight: true, allowed: [chain.user('two').address] })
    expect(file.validators!.map((v) => v.name)).to.deep.equal(['two'])
    await begin(file)
    expect(broken(working(again!))).to.deep.equal([])
    await again!.block()
    await again!.blockWith({ votes: [{ name: 'two', power: 100n }], afterNs: 22n * DAY_NS })
    const unjail = (name: string) =>
      sign(name, message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: operator(name) }))
    const { txResults, validatorUpdates } = await again!.block(unjail('one'), unjail('four'))
    expect(txResults.map(outcome)).to.deep.equal(['ok', 'slashing/4'])
    expect(validatorUpdates).to.have.length(1)
    expect(broken(committed(again))).to.deep.equal([])
    for (const name of ['four', 'alice'])
      expect(() => document({ forZeroHeight: true, allowed: [chain.user(name).address] })).to.throw(
        'no validator is left',
      )
  })
})

/** The distinct values of these fields, anywhere below. */
function fieldsOf(json: Json, ...names: readonly string[]): string[] {
  const found = new Set<string>()
  JSON.stringify(json, (name, value: unknown) => {
    if (names.includes(name)) found.add(String(value))
    return value
  })
  return [...found]
}

function balanceIn(bank: Sections[string], address: string): bigint {
  const { coins } = bank.balances.find((b: Sections) => b['address'] === address)
  return BigInt(coins[0].amount)
}
