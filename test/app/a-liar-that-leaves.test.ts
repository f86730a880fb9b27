import { expect } from 'chai'
import type { UnbondingDelegation } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { FRX } from '../kit/app/governance.ts'
import type { Conduct } from '../kit/app/scored-chain.ts'
import { range, stakingWith, WatchedChain } from '../kit/app/watched-chain.ts'
import { withScore } from '../kit/classifier/altered-report.ts'

describe('A liar that leaves', () => {
  let chain: WatchedChain
  afterEach(() => chain?.stop())

  const start = async (appState: Record<string, object> = {}): Promise<void> => {
    chain = await WatchedChain.start({ validators: range(7), users: ['heir'], appState })
    await chain.blocks(20)
  }
  const liar = (): string => chain.ranked.at(-1)!
  const isJailed = async (): Promise<boolean> => (await chain.validator(liar())).jailed
  const lies = (): Conduct => ({
    reports: { [liar()]: (honest) => withScore(honest, chain.net.place(chain.ranked[0]!), 9_999) },
  })
  const lieUntilJailed = async (): Promise<void> => {
    for (let i = 0; i < 70 && !(await isJailed()); i++) await chain.block(lies())
    expect(await isJailed()).to.equal(true)
  }

  it('in part, after its first lies, is slashed of that part too', async () => {
    await start()
    await chain.blocks(5, lies)
    await chain.block(lies(), chain.stake('MsgUndelegate', liar(), 10n * FRX))
    await lieUntilJailed()
    const request = { delegatorAddr: chain.account(liar()), validatorAddr: chain.operator(liar()) }
    const { unbond } = await chain.net.chain.query<{ unbond: UnbondingDelegation }>(
      '/cosmos.staking.v1beta1.Query/UnbondingDelegation',
      request,
    )
    expect(unbond.entries.map(({ balance }) => balance)).to.deep.equal([`${(10n * FRX * 9_999n) / 10_000n}`])
  })

  it('as a whole, and begins again outside of the set with another consensus key, ends no node', async () => {
    await start({ staking: stakingWith({ unbonding_time: '30s', max_validators: 7 }) })
    await lieUntilJailed()
    await chain.blocks(3)
    await chain.block({}, chain.create('heir', 50n * FRX))
    const { tokens } = await chain.validator(liar())
    await chain.block({}, chain.stake('MsgUndelegate', liar(), BigInt(tokens)))
    await chain.blocks(10)
    expect(await chain.validator(liar()).catch(({ code }) => code)).to.equal(22)
    await chain.block({}, chain.create(liar(), FRX, 'a second key'))
    await chain.blocks(130)
    expect((await chain.validator(liar())).tokens).to.equal(`${FRX}`)
  }).timeout(120_000)
})
