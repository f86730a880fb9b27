import { expect } from 'chai'
import { TestChain } from '../kit/app/chain.ts'
import { type AskedChain, askable } from '../kit/fornaxd/chain-rpc.ts'

describe('Coins are asked for by the unit that people know', function () {
  this.timeout(60_000)
  let chain: TestChain
  let asked: AskedChain
  before(async () => {
    chain = await TestChain.start()
    await chain.block()
    asked = await askable(chain)
  })
  after(async () => {
    asked.close()
    await chain.stop()
  })

  // biome-ignore lint/suspicious/noExplicitAny: answers of every form
  const json = async (line: string): Promise<any> => {
    const { code, stdout, stderr } = await asked.query(`${line} --output json`)
    expect([code, stderr], line).to.deep.equal([0, ''])
    return JSON.parse(stdout)
  }

  it('in the place of the denomination and as its option', async () => {
    const { text } = chain.user('alice')
    const { balance } = await json(`bank balance ${text} afrx`)
    expect(balance.denom).to.equal('afrx')
    expect(BigInt(balance.amount) > 0n).to.equal(true)
    for (const line of [`bank balance ${text} frx`, `bank balance ${text} --denom FRX`])
      expect(await json(line)).to.deep.equal({ balance })
    expect(await json('bank supply-of frx')).to.deep.equal(await json('bank supply-of afrx'))
    const { code, stderr } = await asked.query(`bank balance ${text} frxx`)
    expect([code, stderr]).to.deep.equal([
      2,
      'Error: frxx is no unit: there are frx and afrx, of which 10^18 are 1 FRX\n',
    ])
  })
})
