import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import type { LocalnetInfo } from '../../../localnet/info.ts'
import { user } from '../../kit/app/chain.ts'
import { eventually } from '../../kit/eventually.ts'
import { fornaxd, type Run } from '../../kit/fornaxd/fornaxd.ts'
import { sharedLocalnet } from '../../kit/localnet/localnet.ts'

const MUCH = `${10n ** 30n}afrx`

describe('fornaxd on a local network', () => {
  const net = sharedLocalnet()
  let info: LocalnetInfo
  let bob: string

  const run = (line: string, node = 0): Promise<Run> =>
    fornaxd([...line.split(' '), '--output', 'json', '--home', info.nodes[node]!.home])
  // biome-ignore lint/suspicious/noExplicitAny: answers of every form
  const json = async (line: string, node = 0): Promise<any> => {
    const { code, stdout, stderr } = await run(line, node)
    expect(code, `${line}\n${stderr}`).to.equal(0)
    return JSON.parse(stdout)
  }

  before(() => {
    info = net().info
    bob = info.accounts.find((a) => a.name === 'bob')!.address
  })

  it('tells the status of a node', async () => {
    const status = await json('status')
    expect(JSON.stringify(status)).to.contain(info.chain_id)
  })

  it('sends, waits for the block, and the balance is there at another node', async () => {
    const to = user('cli one').text
    const sent = await json(`tx bank send ${to} 31afrx --from bob --note hello --yes`)
    expect(sent).to.include({ code: 0 })
    expect(sent.tx.body.memo).to.equal('hello')
    await net().reach(Number(sent.height) + 1)
    const { balances } = await json(`query bank all-balances ${to}`, 2)
    expect(balances).to.deep.equal([{ denom: 'afrx', amount: '31' }])
    const before = await json(`query bank all-balances ${to} --height ${Number(sent.height) - 1}`, 2)
    expect(before.balances).to.deep.equal([])
  })

  it('finds transactions by hash, by events and in their block', async () => {
    const to = user('cli two').text
    const { txhash, height } = await json(`tx bank send ${to} 1afrx --from bob --yes`)
    await eventually('the transaction at another node', async () => {
      const { code, stdout } = await run(`query tx ${txhash}`, 1)
      return code === 0 && JSON.parse(stdout).height === height
    })
    const found = await json(`query txs --query transfer.recipient='${to}'`)
    expect(found).to.deep.include({ total_count: '1' })
    expect(found.txs[0].txhash).to.equal(txhash)
    // In front of what was sent a block has the extended commit of the one before.
    const inBlock = await json(`query txs --query tx.height=${height}`)
    expect(inBlock.txs.map((tx: { txhash: string }) => tx.txhash).slice(1)).to.deep.equal([txhash])
    expect([inBlock.total_count, inBlock.txs[0].tx.body.messages[0]['@type']]).to.deep.equal([
      '2',
      '/fornax.abci.v1.ExtendedCommit',
    ])
    expect((await json(`query block ${height}`)).block.data.txs).to.have.length(2)
    expect((await run(`query tx ${'00'.repeat(32)}`)).code).to.equal(1)
  })

  it('tells the gas without sending', async () => {
    const before = await json(`query auth account-info ${bob}`)
    const { gas_estimate } = await json(`tx bank send alice 5afrx --from bob --dry-run`)
    expect(Number(gas_estimate)).to.be.within(20_000, 200_000)
    expect(await json(`query auth account-info ${bob}`)).to.deep.equal(before)
  })

  it('sends to several at once', async () => {
    const [one, other] = [user('cli three').text, user('cli four').text]
    const coins = (amount: string) => [{ denom: 'afrx', amount }]
    const inputs = JSON.stringify([{ address: bob, coins: coins('7') }])
    const outputs = JSON.stringify([
      { address: one, coins: coins('3') },
      { address: other, coins: coins('4') },
    ])
    const sent = await json(`tx bank multi-send --inputs ${inputs} --outputs ${outputs} --from bob --yes`)
    expect(sent.code).to.equal(0)
    expect((await json(`query bank balance ${other} afrx`)).balance.amount).to.equal('4')
  })

  it('prints the id of what a transaction has made, and YAML', async () => {
    const file = join(info.nodes[0]!.home, 'proposal.json')
    writeFileSync(
      file,
      JSON.stringify({ messages: [], metadata: 'm', deposit: '1frx', title: 't', summary: 's' }),
    )
    const line = `tx gov submit-proposal ${file} --from bob --yes --home ${info.nodes[0]!.home}`
    const { code, stdout, stderr } = await fornaxd(line.split(' '))
    expect(code, stderr).to.equal(0)
    const [, id] = /^[0-9A-F]{64} is in block .*\nproposal_id: (\d+)$/m.exec(stdout) ?? []
    const shown = await fornaxd(['query', 'gov', 'proposal', id!, '--home', info.nodes[0]!.home])
    const { proposal } = await json(`query gov proposal ${id}`)
    expect(parse(shown.stdout)).to.deep.equal({ proposal })
    expect(proposal.total_deposit).to.deep.equal([{ denom: 'afrx', amount: `${10n ** 18n}` }])
  })

  it('tells over REST the commit that it was compiled from', async () => {
    const { commit } = await json('version --long')
    const answer = await fetch(`${info.nodes[0]!.rest}/cosmos/base/tendermint/v1beta1/node_info`)
    const { application_version } = (await answer.json()) as { application_version: { git_commit: string } }
    expect(application_version.git_commit).to.equal(commit)
  })

  it('exits with 4 where the chain refuses, and says the code', async () => {
    const wrong = await run('tx bank send alice 1afrx --from bob --sequence 99999 --gas 200000 --yes')
    expect(wrong.code).to.equal(4)
    expect(JSON.parse(wrong.stdout)).to.include({ codespace: 'sdk', code: 32 })
    expect(wrong.stderr).to.contain('account sequence mismatch')
    const poor = await run(`tx bank send alice ${MUCH} --from bob --gas 200000 --yes`)
    expect(poor.code).to.equal(4)
    expect(JSON.parse(poor.stdout)).to.include({ codespace: 'sdk', code: 5 })
    expect(poor.stderr).to.contain('insufficient funds').and.contain('afrx (1000000000000 FRX)')
    const unasked = await run(`tx bank send alice ${MUCH} --from bob --yes`)
    expect([unasked.code, unasked.stdout]).to.deep.equal([4, ''])
  })

  it('exits with 2 where the command is wrong, and with 3 where no node answers', async () => {
    expect((await run('tx bank send alice 1afrx --yes')).code).to.equal(2)
    expect((await run('tx bank send alice nonsense --from bob --yes')).code).to.equal(2)
    expect((await run('tx bank send nobody 1afrx --from bob --yes')).code).to.equal(2)
    expect((await run('query bank total-supply --node http://127.0.0.1:1')).code).to.equal(3)
  })
})
