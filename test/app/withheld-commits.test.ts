import { expect } from 'chai'
import { TestChain } from '../kit/app/chain.ts'

const degradedRounds = new Set<bigint>()
const rounds = { degraded: degradedRounds }

describe('a degraded round', () => {
  let chain: TestChain
  beforeEach(async () => {
    degradedRounds.clear()
    chain = await TestChain.start({ rounds })
    await chain.block()
  })
  afterEach(() => chain.stop())

  it('returns the committed app hash, persists nothing, and is committed with the next healthy one', async () => {
    const { appHash } = await chain.block()
    const funds = await chain.balance('bob')
    degradedRounds.add(3n).add(4n)
    const withheld = await chain.block(chain.send('alice', 'bob', 5n))
    expect(withheld.txResults[0]!.code).to.equal(0)
    expect(withheld.appHash).to.deep.equal(appHash)
    expect(chain.store.height).to.equal(2)
    expect(await chain.balance('bob')).to.equal(funds)
    const next = chain.send('alice', 'bob', 6n)
    expect(chain.check(next).code).to.equal(0)
    await chain.block(next)
    const healthy = await chain.block()
    expect(healthy.appHash).not.to.deep.equal(appHash)
    expect(chain.store.height).to.equal(5)
    expect(await chain.balance('bob')).to.equal(funds + 11n)
  })

  it('is replayed after a crash to the same app hash', async () => {
    degradedRounds.add(2n).add(3n)
    const txs = [chain.send('alice', 'bob', 5n), chain.send('bob', 'carol', 6n)]
    await chain.block(txs[0]!)
    await chain.block(txs[1]!)
    await chain.restart()
    expect(chain.height).to.equal(1n)
    await chain.block(txs[0]!)
    await chain.block(txs[1]!)
    const healthy = await chain.block()
    const replayed = Buffer.from(healthy.appHash).toString('hex')

    const other = await TestChain.start({ rounds, genesisOf: chain })
    for (const list of [[], [txs[0]!], [txs[1]!]]) await other.block(...list)
    expect(Buffer.from((await other.block()).appHash).toString('hex')).to.equal(replayed)
    await other.stop()
  })

  it('starts over from the committed state when CometBFT alone restarts', async () => {
    degradedRounds.add(2n).add(3n)
    const tx = chain.send('alice', 'bob', 5n)
    await chain.block(tx)
    await chain.block()
    chain.height = 1n
    const again = await chain.block(tx)
    expect(again.txResults[0]!.code).to.equal(0)
    await chain.block()
    await chain.block()
    expect(chain.store.height).to.equal(4)
  })

  it('before any commit begins anew with InitChain', async () => {
    degradedRounds.add(1n)
    const young = await TestChain.start({ rounds })
    const tx = young.send('alice', 'bob', 5n)
    await young.block(tx)
    expect(young.store.height).to.equal(0)
    await young.app.initChain(young.initRequest())
    young.height = 0n
    await young.block(tx)
    await young.block()
    expect(young.store.height).to.equal(2)
    expect(await young.balance('bob')).to.equal(10n ** 24n + 5n)
    await young.stop()
  })

  it('refuses a block whose height follows nothing', async () => {
    chain.height = 7n
    let error: unknown
    await chain.block().catch((e: unknown) => {
      error = e
    })
    expect(String(error)).to.match(/FinalizeBlock at 8, but committed is 1/)
  })
})
