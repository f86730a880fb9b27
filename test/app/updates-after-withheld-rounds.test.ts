import { expect } from 'chai'
import type { ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import { toHex } from '../../core/bytes.ts'
import { consensusKey } from '../kit/app/chain.ts'
import { DegradedChain, FRX } from '../kit/app/degraded-chain.ts'

const SLASHING = {
  params: {
    signed_blocks_window: '10',
    min_signed_per_window: '0.500000000000000000',
    downtime_jail_duration: '60s',
    slash_fraction_double_sign: '0.050000000000000000',
    slash_fraction_downtime: '0.010000000000000000',
  },
}
const MINUTE = 60_000_000_000n
/** Two blocks long. */
const STAKING = {
  params: {
    unbonding_time: '10s',
    max_validators: 100,
    max_entries: 7,
    historical_entries: 10,
    bond_denom: 'afrx',
    min_commission_rate: '0.000000000000000000',
  },
}

/** Powers by the names of those that the answer tells of. */
const told = ({ validatorUpdates }: ResponseFinalizeBlock): object =>
  Object.fromEntries(
    validatorUpdates.map(({ pubKey, power }) => [
      ['validator', 'second', 'third', 'alice', 'bob'].find(
        (name) => toHex(consensusKey(name).publicKey) === toHex(pubKey.ed25519!),
      ),
      Number(power),
    ]),
  )

describe('CometBFT is told of validators with the next healthy round', () => {
  let chain: DegradedChain
  beforeEach(async () => {
    chain = await DegradedChain.start({
      validators: ['validator', 'second', 'third'],
      appState: { slashing: SLASHING, staking: STAKING },
    })
    await chain.healthy()
  })
  afterEach(async () => {
    expect(chain.comet.after(chain.chain.height)).to.deep.equal(await chain.bonded())
    expect(told(await chain.healthy())).to.deep.equal({})
    await chain.stop()
  })

  it('once, of what happened in several withheld ones', async () => {
    expect(told(await chain.withheld(chain.delegate('alice', 'second', 5n * FRX)))).to.deep.equal({})
    expect(told(await chain.withheld())).to.deep.equal({})
    const txs = [chain.delegate('bob', 'second', 2n * FRX), chain.undelegate('third', 'third', 10n * FRX)]
    expect(told(await chain.withheld(...txs))).to.deep.equal({})
    expect(told(await chain.healthy(chain.delegate('bob', 'validator', FRX)))).to.deep.equal({
      validator: 101,
      second: 107,
      third: 90,
    })
  })

  it('and of nothing that was taken back before', async () => {
    await chain.withheld(chain.delegate('alice', 'second', 5n * FRX))
    await chain.withheld(chain.undelegate('alice', 'second', 5n * FRX))
    expect(told(await chain.healthy())).to.deep.equal({})
  })

  it('of a new validator', async () => {
    expect(told(await chain.withheld(chain.createValidator('alice', 7n * FRX)))).to.deep.equal({})
    expect(told(await chain.withheld(chain.delegate('bob', 'alice', FRX)))).to.deep.equal({})
    expect(told(await chain.healthy())).to.deep.equal({ alice: 8 })
  })

  it('and never of one that came and went', async () => {
    await chain.withheld(chain.createValidator('alice', 7n * FRX))
    await chain.withheld(chain.undelegate('alice', 'alice', 7n * FRX))
    for (let i = 0; i < 3; i++) await chain.withheld()
    expect(told(await chain.healthy())).to.deep.equal({})
  })

  it('of a validator that was jailed, whose votes come in all the while', async () => {
    const absent = ['third']
    for (let i = 0; i < 10; i++) await chain.healthy()
    for (let i = 0; i < 7; i++)
      expect(told(await chain.block({ isDegraded: true, absent }))).to.deep.equal({})
    expect(told(await chain.block({ absent }))).to.deep.equal({ third: 0 })
    await chain.block({ isDegraded: true, afterNs: MINUTE })
    await chain.withheld(chain.unjail('third'))
    expect(told(await chain.healthy())).to.deep.equal({ third: 99 })
  })

  it('of the lower power of one that was jailed and unjailed', async () => {
    for (let i = 0; i < 10; i++) await chain.healthy()
    for (let i = 0; i < 6; i++) await chain.block({ isDegraded: true, absent: ['third'] })
    await chain.block({ isDegraded: true, afterNs: MINUTE })
    const unjailed = await chain.withheld(chain.unjail('third'))
    expect(unjailed.txResults[0]!.log).to.equal('')
    expect(told(await chain.healthy())).to.deep.equal({ third: 99 })
  })

  it('of a validator that left, was unbonded and is no more', async () => {
    await chain.withheld(chain.undelegate('third', 'third', 100n * FRX))
    for (let i = 0; i < 5; i++) expect(told(await chain.withheld())).to.deep.equal({})
    expect(told(await chain.healthy())).to.deep.equal({ third: 0 })
    await chain.healthy()
    const { validators } = await chain.chain.query<{ validators: unknown[] }>(
      '/cosmos.staking.v1beta1.Query/Validators',
    )
    expect(validators).to.have.length(2)
  })

  it('of one power, where another validator came with the key of one that is no more', async () => {
    await chain.withheld(chain.undelegate('third', 'third', 100n * FRX))
    for (let i = 0; i < 5; i++) await chain.withheld()
    const created = await chain.withheld(chain.createValidator('alice', 7n * FRX, 'third'))
    expect(created.txResults[0]!.log).to.equal('')
    expect(told(await chain.healthy())).to.deep.equal({ third: 7 })
  })

  it('and after a crash of the same', async () => {
    await chain.withheld(chain.delegate('alice', 'second', 5n * FRX))
    await chain.withheld(chain.createValidator('bob', 7n * FRX))
    await chain.crash()
    await chain.withheld(chain.undelegate('third', 'third', 100n * FRX))
    await chain.crash()
    expect(told(await chain.healthy())).to.deep.equal({ second: 105, third: 0, bob: 7 })
    await chain.crash()
    expect(told(await chain.healthy())).to.deep.equal({})
  })
})

describe('CometBFT is told of consensus parameters with the next healthy round', () => {
  it('once', async () => {
    const chain = await DegradedChain.start({}, new Map([[3n, 77_000_000n]]))
    const gas = (answer: ResponseFinalizeBlock) => answer.consensusParamUpdates?.block?.maxGas
    for (const step of ['healthy', 'healthy', 'withheld', 'withheld'] as const)
      expect(gas(await chain[step]())).to.equal(undefined)
    await chain.crash()
    expect(gas(await chain.healthy())).to.equal(77_000_000n)
    expect(gas(await chain.healthy())).to.equal(undefined)
    await chain.stop()
  })
})
