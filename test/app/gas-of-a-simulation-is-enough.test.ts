import { expect } from 'chai'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type Any, packAny } from '../../core/wire/registry.ts'
import { simulate } from '../../daemon/app/simulate.ts'
import { TestChain, user } from '../kit/app/chain.ts'

const PRICE = 10n ** 9n

describe('the gas of a simulation', () => {
  let chain: TestChain
  before(async () => {
    chain = await TestChain.start({ minimumGasPrices: [{ denom: 'afrx', atomics: PRICE * 10n ** 18n }] })
    await chain.block()
  })
  after(() => chain.stop())

  it('without fee and signatures, as clients ask for it, is within a tenth of what the transaction takes', async () => {
    for (const to of ['bob', 'someone new', 'bob']) {
      const raw = TxRaw.decode(chain.send('alice', to, 5n))
      chain.user('alice').sequence--
      const { signerInfos } = AuthInfo.decode(raw.authInfoBytes)
      const authInfo = AuthInfo.fromPartial({ signerInfos, fee: {} })
      const asked = TxRaw.encode({
        ...raw,
        authInfoBytes: AuthInfo.encode(authInfo).finish(),
        signatures: [new Uint8Array(0)],
      }).finish()
      const { gasUsed: estimate, error } = await simulate(chain.state, asked)
      expect(error).to.equal(undefined)
      const amount = [{ denom: 'afrx', amount: `${PRICE * 200_000n}` }]
      const { txResults } = await chain.block(
        chain.send('alice', to, 5n, { fee: { amount, gasLimit: 200_000n } }),
      )
      expect(txResults[0]!.code).to.equal(0)
      expect(Number(estimate) / Number(txResults[0]!.gasUsed), to).to.be.within(0.9, 1.1)
    }
  })

  it('is told for a thousand sends to strangers, and where it is not told the error says what to do', async () => {
    const told = async (messages: Any[]): Promise<string | undefined> => {
      const tx = chain.sign('alice', { messages })
      chain.user('alice').sequence--
      return (await simulate(chain.state, tx)).error?.message
    }
    const { text } = chain.user('alice')
    const strangers = Array.from({ length: 4000 }, (_, i) => user(`stranger ${i}`).text)
    const sends = strangers.slice(0, 1000).map((to) => chain.sendMessage('alice', to, 1n))
    expect(await told(sends)).to.equal(undefined)
    const coins = (amount: number) => [{ denom: 'afrx', amount: `${amount}` }]
    const multiSend = packAny('cosmos.bank.v1beta1.MsgMultiSend', {
      inputs: [{ address: text, coins: coins(4000) }],
      outputs: strangers.map((address) => ({ address, coins: coins(1) })),
    })
    expect(await told([multiSend])).to.equal(
      'nodes simulate up to 50000000 gas, and this takes more: set the gas limit by hand: out of gas',
    )
  })

  it('moves no fee: all coins can be sent in one', async () => {
    const raw = TxRaw.decode(chain.send('carol', 'bob', await chain.balance('carol')))
    const { signerInfos } = AuthInfo.decode(raw.authInfoBytes)
    const authInfoBytes = AuthInfo.encode(AuthInfo.fromPartial({ signerInfos, fee: {} })).finish()
    const { error, events } = await simulate(chain.state, TxRaw.encode({ ...raw, authInfoBytes }).finish())
    expect(error).to.equal(undefined)
    expect(events.filter((e) => e.type === 'transfer')).to.have.length(1)
  })
})
