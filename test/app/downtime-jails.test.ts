import { expect } from 'chai'
import type { ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { CONSENSUS_PREFIX, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { packAny } from '../../core/wire/registry.ts'
import { brokenInvariants } from '../../daemon/app/router.ts'
import { consensusAddress, TestChain } from '../kit/app/chain.ts'

const FRX = 10n ** 18n
const SLASHING = {
  params: {
    signed_blocks_window: '10',
    min_signed_per_window: '0.500000000000000000',
    downtime_jail_duration: '600s',
    slash_fraction_double_sign: '0.050000000000000000',
    slash_fraction_downtime: '0.010000000000000000',
  },
}

const attributes = (
  events: readonly { type: string; attributes: { key: string; value: string }[] }[],
  type: string,
) =>
  events
    .filter((e) => e.type === type)
    .map((e) => Object.fromEntries(e.attributes.map((a) => [a.key, a.value])))

describe('a validator', () => {
  let chain: TestChain
  const consensus = formatAddress(consensusAddress('sleepy'), CONSENSUS_PREFIX)
  beforeEach(async () => {
    chain = await TestChain.start({ validators: ['validator', 'sleepy'], appState: { slashing: SLASHING } })
    await chain.block()
  })
  afterEach(async () => {
    expect(
      brokenInvariants(chain.state.router.modules, chain.state.view('committed', Number(chain.height))),
    ).to.deep.equal([])
    await chain.stop()
  })

  const operator = (): string => formatAddress(chain.user('sleepy').address, VALIDATOR_PREFIX)
  const validator = async (): Promise<Validator> =>
    (
      await chain.query<{ validator: Validator }>('/cosmos.staking.v1beta1.Query/Validator', {
        validatorAddr: operator(),
      })
    ).validator
  const signing = async (): Promise<ValidatorSigningInfo> =>
    (
      await chain.query<{ valSigningInfo: ValidatorSigningInfo }>(
        '/cosmos.slashing.v1beta1.Query/SigningInfo',
        {
          consAddress: consensus,
        },
      )
    ).valSigningInfo
  const votes = (absent: boolean) => [
    { name: 'validator', power: 100n },
    { name: 'sleepy', power: 100n, absent },
  ]
  const unjail = () =>
    chain.sign('sleepy', {
      messages: [packAny('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: operator() })],
    })

  it('that misses more than half of the window is slashed and jailed, and comes back by MsgUnjail', async () => {
    for (let i = 0; i < 9; i++) await chain.blockWith({ votes: votes(false) })
    expect((await chain.block(unjail())).txResults[0]).to.include({ code: 5, codespace: 'slashing' })
    for (let i = 0; i < 5; i++) {
      const { events } = await chain.blockWith({ votes: votes(true) })
      expect(attributes(events, 'liveness')).to.deep.equal([
        { address: consensus, missed_blocks: `${i + 1}`, height: `${chain.height}`, mode: 'BeginBlock' },
      ])
      expect(attributes(events, 'slash')).to.deep.equal([])
    }
    const { events, validatorUpdates } = await chain.blockWith({ votes: votes(true) })
    expect(attributes(events, 'slash')).to.deep.equal([
      {
        address: consensus,
        power: '100',
        reason: 'missing_signature',
        jailed: consensus,
        burned_coins: `${FRX}`,
        mode: 'BeginBlock',
      },
    ])
    expect(validatorUpdates.map((u) => u.power)).to.deep.equal([0n])
    expect(await validator()).to.include({ jailed: true, tokens: `${99n * FRX}` })
    expect(await signing()).to.include({ missedBlocksCounter: 0n, indexOffset: 0n, tombstoned: false })
    // Votes that still come from a jailed validator count for nothing.
    expect(attributes((await chain.blockWith({ votes: votes(true) })).events, 'liveness')).to.deep.equal([])
    expect((await chain.block(unjail())).txResults[0]).to.include({ code: 4, codespace: 'slashing' })
    const back = await chain.blockWith({ afterNs: 600_000_000_000n }, unjail())
    expect(back.txResults[0]).to.include({ code: 0, log: '' })
    expect(back.validatorUpdates.map((u) => u.power)).to.deep.equal([99n])
    expect((await signing()).startHeight).to.equal(chain.height)
  })

  it('that misses half of the window stays, and a block signed later makes good for one missed', async () => {
    for (let i = 0; i < 40; i++) await chain.blockWith({ votes: votes(i % 2 === 0) })
    expect(await validator()).to.include({ jailed: false, tokens: `${100n * FRX}` })
    expect((await signing()).missedBlocksCounter).to.equal(5n)
    for (let i = 0; i < 10; i++) await chain.blockWith({ votes: votes(false) })
    expect((await signing()).missedBlocksCounter).to.equal(0n)
  })

  it('that is unknown or has no delegation of its own cannot be unjailed', async () => {
    const of = (name: string, validatorAddr: string) =>
      chain.sign(name, { messages: [packAny('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr })] })
    const { txResults } = await chain.block(
      of('alice', formatAddress(chain.user('alice').address, VALIDATOR_PREFIX)),
      of('bob', operator()),
      of('bob', 'fornaxvaloper1zzz'),
    )
    expect(txResults.map((r) => `${r.codespace}/${r.code}`)).to.deep.equal([
      'staking/3',
      'sdk/8',
      'undefined/1',
    ])
  })

  it('that double-signs is slashed, jailed for ever and tombstoned, once', async () => {
    await chain.blockWith({ votes: votes(false) })
    const misbehavior = [1, 1].map((type) => ({
      type,
      validator: { address: consensusAddress('sleepy'), power: 100n },
      height: 1n,
      time: { seconds: 1_800_000_005n, nanos: 0 },
      totalVotingPower: 200n,
    }))
    const { events } = await chain.blockWith({ votes: votes(false), misbehavior })
    expect(attributes(events, 'slash')).to.deep.equal([
      {
        address: consensus,
        power: '100',
        reason: 'double_sign',
        burned_coins: `${5n * FRX}`,
        mode: 'BeginBlock',
      },
      { jailed: consensus, mode: 'BeginBlock' },
    ])
    expect(await validator()).to.include({ jailed: true, tokens: `${95n * FRX}` })
    const info = await signing()
    expect(info.tombstoned).to.equal(true)
    expect(info.jailedUntil).to.deep.equal({ seconds: 253_402_300_799n, nanos: 0 })
    const late = await chain.blockWith({ afterNs: 10n ** 18n }, unjail())
    expect(late.txResults[0]).to.include({ code: 4, codespace: 'slashing' })
    const { evidence } = await chain.query<{ evidence: { value: Uint8Array }[] }>(
      '/cosmos.evidence.v1beta1.Query/AllEvidence',
    )
    expect(evidence).to.have.length(1)
  })

  it('is not punished on evidence that is too old by height and by time', async () => {
    const old = (type: number) => ({
      type,
      validator: { address: consensusAddress('sleepy'), power: 100n },
      height: chain.height - 100_001n,
      time: { seconds: 1_799_000_000n, nanos: 0 },
    })
    await chain.blockWith({ misbehavior: [old(1), old(2)] })
    expect(await validator()).to.include({ jailed: false })
    const unknown = { ...old(1), height: 1n, validator: { address: new Uint8Array(20).fill(9), power: 1n } }
    await chain.blockWith({ misbehavior: [unknown] })
    await chain.blockWith({ misbehavior: [{ ...old(2), height: 1n }] })
    expect(await validator()).to.include({ jailed: true })
  })
})
