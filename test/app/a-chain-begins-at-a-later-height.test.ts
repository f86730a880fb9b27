import { expect } from 'chai'
import type { DelegatorStartingInfo } from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import { exportGenesis } from '../../genesis/app-state.ts'
import { modules } from '../../modules/index.ts'
import { TestChain } from '../kit/app/chain.ts'

interface Heights {
  readonly signing: readonly string[]
  readonly staked: readonly string[]
}

/** The heights that genesis transactions gave to what they made. */
function genesisHeights(chain: TestChain): Heights {
  const sections = exportGenesis(modules, chain.state.view('committed', Number(chain.height))) as unknown as {
    slashing: { signing_infos: { validator_signing_info: { start_height: string } }[] }
    distribution: { delegator_starting_infos: { starting_info: DelegatorStartingInfo }[] }
  }
  return {
    signing: sections.slashing.signing_infos.map((s) => s.validator_signing_info.start_height),
    staked: sections.distribution.delegator_starting_infos.map((d) => String(d.starting_info.height)),
  }
}

describe('a chain whose first block has a later height', () => {
  let chain: TestChain
  afterEach(() => chain.stop())

  it('runs its genesis transactions at that height, and at 0 where it is 1', async () => {
    for (const [initialHeight, height] of [
      [1n, '0'],
      [1000n, '1000'],
    ] as const) {
      chain = await TestChain.start({ initialHeight, validators: ['one', 'two'] })
      await chain.block()
      expect(genesisHeights(chain)).to.deep.equal({ signing: [height, height], staked: [height, height] })
      if (initialHeight === 1n) await chain.stop()
    }
  })

  it('has no height before it, and goes on from there after a restart', async () => {
    chain = await TestChain.start({ initialHeight: 1000n })
    expect(chain.app.info().lastBlockHeight).to.equal(0n)
    const transfer = chain.send('alice', 'bob', 1n)
    expect((await chain.check(transfer)).code).to.equal(0)
    expect((await chain.block(transfer)).txResults[0]!.code).to.equal(0)
    expect(chain.app.info().lastBlockHeight).to.equal(1000n)
    await chain.restart()
    const before = await chain.balance('bob')
    await chain.block(chain.send('alice', 'bob', 1n))
    expect(await chain.balance('bob', 1001n)).to.equal(before + 1n)
    expect(await chain.balance('bob', 1000n)).to.equal(before)
    const refused = await chain.balance('bob', 999n).catch((error: { code: number }) => error.code)
    expect(refused).to.equal(26)
    const app = chain.app
    const skipped = await app.finalizeBlock(chain.blockRequest(1003n, [])).catch((e: Error) => e.message)
    expect(skipped).to.match(/1003/)
  })
})
