import { expect } from 'chai'
import { TestChain } from '../kit/app/chain.ts'
import { message } from '../kit/app/governance.ts'
import { ScoredChain, section } from '../kit/app/scored-chain.ts'
import { type AskedChain, askable } from '../kit/fornaxd/chain-rpc.ts'

const FIVE = ['one', 'two', 'three', 'four', 'five']

describe('What an operator is told of a validator', function () {
  this.timeout(120_000)
  let net: ScoredChain
  let asked: AskedChain
  afterEach(async () => {
    asked.close()
    await net.stop()
  })

  const start = async (appState: Record<string, object> = {}): Promise<void> => {
    net = await ScoredChain.start({ validators: FIVE, users: ['alice'], appState })
    asked = await askable(net.chain)
  }
  const explain = async (who: string): Promise<string> => {
    const { code, stdout, stderr } = await asked.query(`agents explain ${who}`)
    expect([code, stderr]).to.deep.equal([0, ''])
    return stdout
  }
  const features = (name: string): Promise<string> =>
    net.features(name).then(
      () => '',
      (error) => `${error.codespace}/${error.code} ${error.message}`,
    )

  it('that is banned, while it is on the roster and long after, is for what and that it is for good', async () => {
    await start()
    await net.blocks(20)
    await net.block({ equivocators: ['two'] })
    await net.blocks(2)
    const height = net.chain.height
    const said = new RegExp(
      `out of it +banned for good at height ${height} for ByzantineVote, with a score of \\d+(\\.\\d+)? %\\n(.*\\n)*way back +a governance proposal with MsgLiftBan, then \`fornaxd tx slashing unjail\``,
    )
    expect(await explain(net.operator('two')))
      .to.match(said)
      .and.match(/^evidence/m)
    await net.blocks(20)
    const later = await explain(net.chain.user('two').text)
    expect(later)
      .to.match(said)
      .and.match(/^score +none/m)
      .and.match(/^pool +banned$/m)
    const json = JSON.parse((await asked.query(`agents explain ${net.operator('two')} --output json`)).stdout)
    expect(json).to.include({ banned: true, score: null, pool: '' })
    const refusal = await features('two')
    expect(refusal).to.match(
      /^sdk\/6 \S+ is in jail and left the set 1\d blocks ago; `fornaxd query agents explain \S+` says why: the validator is not on the roster/,
    )
  })

  it('that is in the agents’ jail, or was, is since when, for what and until when', async () => {
    await start({
      agents: {
        ...section('agents'),
        params: { ...(section('agents')['params'] as object), jail_blocks: '40' },
      },
    })
    await net.blocks(20)
    await net.blocks(75, { idle: ['three'] })
    const told = await explain(net.operator('three'))
    const [, at, until] = /jailed at height (\d+) for MissedProposals, until height (\d+)$/m.exec(told)!
    expect(Number(until) - Number(at)).to.equal(40)
    expect(told).to.match(
      new RegExp(`way back +in jail until height ${until}; then .fornaxd tx slashing unjail., and Horizon`),
    )
    await net.blocks(Number(until) - Number(net.chain.height) + 1)
    expect(await explain(net.operator('three')))
      .to.match(new RegExp(`jailed at height ${at} for MissedProposals; that time is over$`, 'm'))
      .and.match(/^way back +`fornaxd tx slashing unjail`, then Horizon/m)
  })

  it('that misses votes is that a cause is enough below 70 %, and what each figure adds', async () => {
    await start()
    await net.blocks(5)
    await net.blocks(36, { absent: ['one'] })
    expect(await explain(net.operator('one')))
      .to.include('decided on MissedVotes: a cause alone brings Moderate, whatever the score below 70 %')
      .and.include('pool       Horizon')
      .and.include('the score would fall by so much, or rise where the figure is negative')
  })

  it('that left of itself, or that there is none', async () => {
    await start()
    await net.blocks(5)
    const undelegate = message('cosmos.staking.v1beta1.MsgUndelegate', {
      delegatorAddress: net.chain.user('five').text,
      validatorAddress: net.operator('five'),
      amount: { denom: 'afrx', amount: `${100n * 10n ** 18n - 1n}` },
    })
    expect((await net.block({}, net.sign('five', undelegate))).txResults[0]!.log).to.equal('')
    const at = net.chain.height
    await net.blocks(25)
    expect(await explain(net.operator('five')))
      .to.include(`left the set at height ${at}, not for a penalty`)
      .and.include('more stake')
    expect(await features('five'))
      .to.match(/ left the set 2\d blocks ago;/)
      .and.not.include('jail')
    expect(await explain(net.chain.user('alice').text)).to.include('no validator has this address')
  })
})

describe('Verifying scores', function () {
  this.timeout(120_000)
  let asked: AskedChain
  const verify = async (height: number): Promise<readonly [number, string]> => {
    const { code, stdout, stderr } = await asked.query(`classifier verify --height ${height}`)
    return [code, stdout + stderr]
  }

  it('takes heights whose scores are known, and says of others why there are none', async () => {
    const net = await ScoredChain.start({ validators: FIVE })
    asked = await askable(net.chain)
    try {
      await net.blocks(8)
      const [code, said] = await verify(6)
      expect([code, said.match(/ equal$/gm)?.length]).to.deep.equal([0, 5])
      expect(await verify(0)).to.deep.equal([2, 'Error: --height must be 1 or more\n'])
      const [none, first] = await verify(1)
      expect([none, first]).to.deep.equal([
        1,
        'Error: there are no scores of height 1: nobody was on the roster yet (it begins with the second block)\n',
      ])
      for (const height of [7, 8])
        expect(await verify(height)).to.deep.equal([
          1,
          `Error: the scores of height ${height} are known once height ${height + 2} is committed; the last committed is 8: the newest that can be verified is 6\n`,
        ])
    } finally {
      asked.close()
      await net.stop()
    }
  })

  it('says which height was committed in place of one that was withheld', async () => {
    const chain = await TestChain.start({ rounds: { degraded: new Set([4n, 5n]) } })
    asked = await askable(chain)
    try {
      const votes = [{ name: 'validator', power: 100n }]
      await chain.block()
      for (let i = 0; i < 8; i++) await chain.blockWith({ votes })
      const withheld =
        'has no state of its own: its commit was withheld and made with that of height 6: invalid height'
      expect(await verify(4)).to.deep.equal([1, `Error: height 4 ${withheld}\n`])
      expect(await verify(3)).to.deep.equal([
        1,
        `Error: the scores of height 3 stand at height 5, which cannot be read: height 5 ${withheld}\n`,
      ])
    } finally {
      asked.close()
      await chain.stop()
    }
  })
})
