import { expect } from 'chai'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { formatAddress, moduleAddress } from '../../core/address.ts'
import { AUTHORITY } from '../../core/authority.ts'
import { utf8 } from '../../core/bytes.ts'
import type { Any } from '../../core/wire/registry.ts'
import { brokenInvariants } from '../../daemon/app/router.ts'
import { TestChain, user } from '../kit/app/chain.ts'
import {
  coins,
  FRX,
  Government,
  message,
  outcome,
  type ProposalTerms,
  pay,
  weighted,
} from '../kit/app/governance.ts'

describe('governance refuses', () => {
  let chain: TestChain
  let gov: Government
  const start = async (params: object = {}): Promise<void> => {
    chain = await TestChain.start()
    gov = new Government(chain)
    await chain.block()
    const { proposal } = await gov.decree(
      message('cosmos.gov.v1.MsgUpdateParams', {
        authority: AUTHORITY,
        params: { ...(await gov.params()), ...params },
      }),
    )
    expect(proposal.failedReason).to.equal('')
  }
  afterEach(async () => {
    expect(brokenInvariants(chain.state.router.modules, chain.state.view('committed'))).to.deep.equal([])
    await chain.stop()
  })
  const submitted = async (terms: ProposalTerms): Promise<string> => outcome(await gov.submit('alice', terms))

  it('proposals without title, summary or content, or with too much of them', async () => {
    await start()
    expect(await submitted({ title: '' })).to.equal('sdk/18')
    expect(await submitted({ summary: '' })).to.equal('sdk/18')
    expect(await submitted({ metadata: '' })).to.equal('gov/11')
    expect(await submitted({ metadata: 'x'.repeat(256) })).to.equal('gov/15')
    expect(await submitted({ metadata: 'é'.repeat(128) })).to.equal('gov/15')
    expect(await submitted({ title: 'x'.repeat(256) })).to.equal('gov/15')
    expect(await submitted({ summary: 'x'.repeat(10_201) })).to.equal('gov/22')
    expect(await submitted({ metadata: 'x'.repeat(255), title: 'x'.repeat(255) })).to.equal('ok')
  })

  it('metadata that tells another title or summary', async () => {
    await start()
    const same = { title: 'a title', summary: 'a summary' }
    const told = (metadata: unknown): Promise<string> =>
      submitted({ metadata: typeof metadata === 'string' ? metadata : JSON.stringify(metadata) })
    expect(await told(same)).to.equal('ok')
    expect(await told({ TITLE: same.title, ſummary: same.summary, authors: ['me', null] })).to.equal('ok')
    expect(await told({ ...same, title: 'another' })).to.equal('gov/5')
    expect(await told({ ...same, summary: 'another' })).to.equal('gov/5')
    expect(await told({ title: same.title })).to.equal('gov/5')
    expect(await told('null')).to.equal('gov/5')
    expect(await told('{}')).to.equal('gov/5')
    // Not of that form at all: then it is only a text.
    expect(await told({ ...same, title: 5 })).to.equal('ok')
    expect(await told({ title: 'another', authors: 'me' })).to.equal('ok')
    expect(await told('[]')).to.equal('ok')
    expect(await told('{"title":')).to.equal('ok')
  })

  it('messages that others sign, that nobody takes, or that are none', async () => {
    await start()
    const send = (fromAddress: string): Any =>
      message('cosmos.bank.v1beta1.MsgSend', {
        fromAddress,
        toAddress: user('someone').text,
        amount: coins(1n),
      })
    expect(await submitted({ messages: [send(chain.user('alice').text)] })).to.equal('gov/13')
    expect(await submitted({ messages: [pay(AUTHORITY, 1n), send(chain.user('bob').text)] })).to.equal(
      'gov/13',
    )
    expect(await submitted({ messages: [send('')] })).to.equal('undefined/1')
    expect(await submitted({ messages: [send('nobody')] })).to.equal('undefined/1')
    const twoSigners = message('cosmos.bank.v1beta1.MsgMultiSend', {
      inputs: [AUTHORITY, AUTHORITY].map((address) => ({ address, coins: coins(1n) })),
    })
    expect(await submitted({ messages: [twoSigners] })).to.equal('gov/13')
    const none = message('cosmos.bank.v1beta1.Params', {})
    expect(await submitted({ messages: [none] })).to.equal('sdk/2')
    expect(await submitted({ messages: [{ typeUrl: '', value: new Uint8Array(0) }] })).to.equal('sdk/2')
    expect(await submitted({ messages: [{ typeUrl: '/a.B', value: new Uint8Array(0) }] })).to.equal('sdk/2')
    const unknownField = { ...pay(AUTHORITY, 1n), value: Uint8Array.of(0x7a, 1, 1) }
    expect(await submitted({ messages: [unknownField] })).to.equal('sdk/2')
    const legacy = (content: Any, authority = AUTHORITY): Any =>
      message('cosmos.gov.v1.MsgExecLegacyContent', { content, authority })
    const text = message('cosmos.gov.v1beta1.TextProposal', { title: 'a', description: 'b' })
    expect(await submitted({ messages: [legacy(text, 'nobody')] })).to.equal('gov/12')
    expect(await submitted({ messages: [legacy(text, chain.user('bob').text)] })).to.equal('gov/13')
    expect(await submitted({ messages: [legacy(none)] })).to.equal('sdk/2')
    const empty = message('cosmos.gov.v1.MsgExecLegacyContent', { authority: AUTHORITY })
    expect(await submitted({ messages: [empty] })).to.equal('undefined/111222')
    expect(await submitted({ messages: [legacy(text)] })).to.equal('ok')
  })

  it('proposals that are nested without end', async () => {
    await start()
    const nested = (depth: number): Any => {
      let inner = pay(AUTHORITY, 1n)
      for (let i = 0; i < depth; i++)
        inner = message('cosmos.gov.v1.MsgSubmitProposal', {
          messages: [inner],
          proposer: AUTHORITY,
          title: 'a title',
          summary: 'a summary',
        })
      return inner
    }
    expect(await submitted({ messages: [nested(5)] })).to.equal('ok')
    expect(await submitted({ messages: [nested(200)] })).to.equal('sdk/2')
  })

  it('deposits of too little, of other coins, or without an account for them', async () => {
    await start({ minInitialDepositRatio: '0.25' })
    expect(await submitted({ deposit: 0n })).to.equal('gov/16')
    expect(await submitted({ deposit: (25n * FRX) / 10n - 1n })).to.equal('gov/16')
    expect(await submitted({ deposit: (25n * FRX) / 10n })).to.equal('ok')
    expect(await submitted({ deposit: (25n * FRX) / 10n, expedited: true })).to.equal('gov/16')
    expect(outcome(await gov.deposit('bob', 2n, FRX / 10n - 1n))).to.equal('gov/16')
    expect(outcome(await gov.deposit('bob', 2n, FRX / 10n))).to.equal('ok')
    expect(outcome(await gov.deposit('bob', 9n, FRX))).to.equal('undefined/1')
    expect(outcome(await gov.deposit('bob', 1n, FRX))).to.equal('gov/3')
    expect(outcome(await gov.deposit('bob', 2n, 10n ** 30n))).to.equal('sdk/5')
    const odd = async (amount: object[]): Promise<string> => {
      const depositor = chain.user('bob').text
      return outcome(
        await gov.deliver('bob', message('cosmos.gov.v1.MsgDeposit', { proposalId: 2n, depositor, amount })),
      )
    }
    expect(await odd([])).to.equal('sdk/10')
    expect(await odd([{ denom: 'afrx', amount: '0' }])).to.equal('sdk/10')
    expect(await odd([{ denom: 'afrx', amount: '-1' }])).to.equal('sdk/10')
    expect(await odd([...coins(1n), ...coins(1n)])).to.equal('sdk/10')
    expect(await odd(coins(1n, 'uatom'))).to.equal('gov/23')
    expect(await odd([...coins(FRX), ...coins(1n, 'uatom')])).to.equal('gov/23')
  })

  it('votes for no option, with wrong weights or where nothing is voted on', async () => {
    await start()
    await gov.submit('alice')
    const vote = async (weights: { option: number; weight: string }[]): Promise<string> =>
      outcome(await gov.voteWeighted('bob', 2n, weights))
    expect(await vote([])).to.equal('sdk/18')
    for (const bad of [
      weighted({ yes: '0.5' }),
      weighted({ yes: '1', no: '0.000000000000000001' }),
      weighted({ yes: '0' }),
      weighted({ yes: '-1' }),
      weighted({ yes: '1.1' }),
      weighted({ yes: '' }),
      weighted({ yes: 'one' }),
      weighted({ yes: '0.5', no: '1.' }),
      weighted({ yes: '1.0000000000000000000' }),
      weighted({ yes: '9'.repeat(1000) }),
      [...weighted({ yes: '0.5' }), ...weighted({ yes: '0.5' })],
      [{ option: 0, weight: '1' }],
      [{ option: 5, weight: '1' }],
      [{ option: -1, weight: '1' }],
    ])
      expect(await vote(bad), JSON.stringify(bad).slice(0, 80)).to.equal('gov/7')
    expect(await vote(weighted({ yes: '0.50', no: '+00.5' }))).to.equal('ok')
    const voter = chain.user('bob').text
    const plain = async (value: object): Promise<string> =>
      outcome(await gov.deliver('bob', message('cosmos.gov.v1.MsgVote', { proposalId: 2n, voter, ...value })))
    expect(await plain({ option: 0 })).to.equal('gov/7')
    expect(await plain({ option: 7 })).to.equal('gov/7')
    expect(await plain({ option: 1, metadata: 'x'.repeat(256) })).to.equal('gov/15')
    expect(await plain({ option: 1, proposalId: 3n })).to.equal('gov/3')
    expect(await plain({ option: 1, proposalId: 2n ** 64n - 1n })).to.equal('gov/3')
  })

  it('cancelling what is decided, or another’s', async () => {
    await start()
    await gov.submit('alice')
    expect(outcome(await gov.cancel('alice', 1n))).to.equal('gov/21')
    expect(outcome(await gov.cancel('bob', 2n))).to.equal('gov/18')
    expect(outcome(await gov.cancel('alice', 3n))).to.equal('undefined/1')
  })

  it('to pay a module that takes nothing for a cancellation', async () => {
    await start({ proposalCancelDest: formatAddress(moduleAddress('fee_collector')) })
    await gov.submit('alice')
    expect(outcome(await gov.cancel('alice', 2n))).to.equal('sdk/4')
    expect((await gov.proposals()).map((p) => p.id)).to.include(2n)
  })

  it('to act on anybody’s word', async () => {
    await start()
    const authority = chain.user('alice').text
    const params = await gov.params()
    const update = message('cosmos.gov.v1.MsgUpdateParams', { authority, params })
    expect(outcome(await gov.deliver('alice', update))).to.equal('gov/13')
    const content = message('cosmos.gov.v1beta1.TextProposal', { title: 'a', description: 'b' })
    const exec = message('cosmos.gov.v1.MsgExecLegacyContent', { content, authority })
    expect(outcome(await gov.deliver('alice', exec))).to.equal('gov/13')
  })

  it('older proposals of another content, or without one', async () => {
    await start()
    const proposer = chain.user('alice').text
    const propose = async (content?: Any): Promise<string> =>
      outcome(
        await gov.deliver(
          'alice',
          message('cosmos.gov.v1beta1.MsgSubmitProposal', {
            ...(content && { content }),
            initialDeposit: coins(FRX),
            proposer,
          }),
        ),
      )
    const text = (value: object): Any => message('cosmos.gov.v1beta1.TextProposal', value)
    expect(await propose()).to.equal('undefined/111222')
    expect(await propose(text({ title: ' ', description: 'b' }))).to.equal('gov/5')
    expect(await propose(text({ title: 'a', description: '' }))).to.equal('gov/5')
    expect(await propose(text({ title: 'a'.repeat(141), description: 'b' }))).to.equal('gov/5')
    expect(await propose(text({ title: 'a', description: 'b'.repeat(10_001) }))).to.equal('gov/5')
    expect(await propose(message('cosmos.bank.v1beta1.Params', {}))).to.equal('sdk/2')
    expect(await propose({ typeUrl: TextProposal.typeUrl, value: utf8('nonsense') })).to.equal('sdk/2')
    expect(await propose(text({ title: 'a', description: 'b' }))).to.equal('ok')
  })

  it('questions that it cannot answer', async () => {
    await start()
    const ask = async (method: string, request: object): Promise<string> => {
      try {
        await chain.query(`/cosmos.gov.${method}`, request)
        return 'ok'
      } catch (error) {
        const { codespace, code } = error as { codespace: string; code: number }
        return `${codespace}/${code}`
      }
    }
    const voter = chain.user('alice').text
    for (const version of ['v1.Query/', 'v1beta1.Query/']) {
      for (const method of ['Proposal', 'Votes', 'Deposits', 'TallyResult', 'Vote', 'Deposit'])
        expect(await ask(version + method, {}), method).to.equal('sdk/18')
      expect(await ask(`${version}Proposal`, { proposalId: 9n })).to.equal('sdk/22')
      expect(await ask(`${version}TallyResult`, { proposalId: 9n })).to.equal('sdk/22')
      expect(await ask(`${version}Votes`, { proposalId: 9n })).to.equal('ok')
      expect(await ask(`${version}Vote`, { proposalId: 1n, voter })).to.equal('sdk/18')
      expect(await ask(`${version}Vote`, { proposalId: 1n, voter: 'alice' })).to.equal('sdk/7')
      expect(await ask(`${version}Deposit`, { proposalId: 1n, depositor: voter })).to.equal('sdk/22')
      expect(await ask(`${version}Params`, { paramsType: 'other' })).to.equal('sdk/18')
      expect(await ask(`${version}Proposals`, { voter: 'alice' })).to.equal('sdk/7')
    }
    expect(await ask('v1beta1.Query/Params', {})).to.equal('sdk/18')
    await gov.submit('alice')
    // A proposal without a message has no older form.
    expect(await ask('v1beta1.Query/Proposal', { proposalId: 2n })).to.equal('sdk/29')
  })
})
