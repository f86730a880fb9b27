import { expect } from 'chai'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { sha256, toHex, utf8 } from '../../core/bytes.ts'
import { selfAuthenticatedTx } from '../../core/tx/build.ts'
import { cometKey, signEd25519 } from '../../daemon/comet/keys.ts'
import { agentKeySignBytes, telemetrySignBytes } from '../../modules/classifier/api.ts'
import { CHAIN_ID, consensusAddress } from '../kit/app/chain.ts'
import { FRX, message } from '../kit/app/governance.ts'
import { newValidator } from '../kit/app/new-validator.ts'
import { type Conduct, ScoredChain, section } from '../kit/app/scored-chain.ts'
import { withScore } from '../kit/classifier/altered-report.ts'
import { Rotation } from '../kit/soak/rotation.ts'

const range = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, i) => prefix + i)
const coin = (amount: bigint) => ({ denom: 'afrx', amount: `${amount}` })
const lie = (honest: Uint8Array): Uint8Array => withScore(withScore(honest, 0, 9_999), 1, 9_999)
const stakingWith = (params: object) => {
  const staking = section('staking')
  return { staking: { ...staking, params: { ...(staking['params'] as object), ...params } } }
}

describe('Games with stake', () => {
  let net: ScoredChain
  afterEach(() => net?.stop())

  const start = async (count: number, users: readonly string[], appState: Record<string, object> = {}) => {
    net = await ScoredChain.start({ validators: range(count, 'v'), users, appState, coldTwin: false })
    await net.block()
  }
  const account = (name: string): string => net.chain.user(name).text
  const operator = (name: string): string => formatAddress(net.chain.user(name).address, VALIDATOR_PREFIX)
  const create = (name: string, amount: bigint, key = name): Uint8Array =>
    net.sign(name, newValidator(name, amount, key))
  const stake = (
    kind: 'MsgDelegate' | 'MsgUndelegate',
    who: string,
    to: string,
    amount: bigint,
  ): Uint8Array =>
    net.sign(
      who,
      message(`cosmos.staking.v1beta1.${kind}`, {
        delegatorAddress: account(who),
        validatorAddress: operator(to),
        amount: coin(amount),
      }),
    )
  const redelegate = (who: string, from: string, to: string, amount: bigint): Uint8Array =>
    net.sign(
      who,
      message('cosmos.staking.v1beta1.MsgBeginRedelegate', {
        delegatorAddress: account(who),
        validatorSrcAddress: operator(from),
        validatorDstAddress: operator(to),
        amount: coin(amount),
      }),
    )
  const block = async (conduct: Conduct, ...txs: readonly Uint8Array[]) => {
    const answer = await net.block(conduct, ...txs)
    expect(answer.txResults.map(({ log }) => log)).to.deep.equal(txs.map(() => ''))
    return answer
  }
  const validator = async (name: string) =>
    (
      await net.chain.query<{
        validator: { jailed: boolean; tokens: string; delegatorShares: string }
      }>('/cosmos.staking.v1beta1.Query/Validator', { validatorAddr: operator(name) })
    ).validator

  it('with many small undelegations end no slash of who it came from: every node panicked', async () => {
    const helpers = range(30, 'h')
    await start(20, ['mallory', 'alice', ...helpers])
    await block({}, create('mallory', 100n * FRX), stake('MsgDelegate', 'alice', 'v3', 400n * FRX))
    await net.blocks(5)
    // The destination is slashed, so that a share of it is no whole token.
    await net.block({ equivocators: ['mallory'] })
    await net.blocks(2)
    await block({}, ...helpers.map((h) => stake('MsgDelegate', h, 'mallory', 10n ** 12n)))
    await block({}, redelegate('alice', 'v3', 'mallory', 400n * FRX))
    const { tokens, delegatorShares } = await validator('mallory')
    const leaves: Uint8Array[] = []
    let [held, shares] = [BigInt(tokens), BigInt(delegatorShares)]
    for (const helper of helpers) {
      const { amount, taken } = dearest(held, shares)
      held -= amount
      shares -= taken
      leaves.push(stake('MsgUndelegate', helper, 'mallory', amount))
    }
    await block({}, ...leaves)
    await net.blocks(2)
    // Lies from here on: the agents slash v3, and with it what alice has redelegated.
    for (let i = 0; i < 40 && !(await validator('v3')).jailed; i++) await net.block({ reports: { v3: lie } })
    expect((await validator('v3')).jailed).to.equal(true)
  }).timeout(120_000)

  it('at the edge of a full set bring no penalty for whom they push out and let in again: it was jailed', async () => {
    const [size, every] = [20, 15]
    const helpers = range(6, 'h')
    await start(size, ['mallory', ...helpers], stakingWith({ max_validators: size }))
    const names = range(size, 'v')
    const rotation = new Rotation(names.map((name) => ({ address: consensusAddress(name), power: 100n })))
    rotation.apply(1n, [])
    const nameOf = new Map([...names, 'mallory'].map((name) => [toHex(consensusAddress(name)), name]))
    const pushedOut = new Set<string>()
    const next = async (...txs: readonly Uint8Array[]): Promise<void> => {
      const height = net.chain.height + 1n
      const [{ address }] = rotation.proposer(height, () => false)
      const { validatorUpdates } = await block({ proposer: nameOf.get(toHex(address))! }, ...txs)
      rotation.apply(height, validatorUpdates)
      for (const { pubKey, power } of validatorUpdates)
        if (power === 0n) pushedOut.add(toHex(pubKey!.ed25519!))
      expect(await net.decisions()).to.deep.equal({})
    }
    await next(create('mallory', 99n * FRX))
    for (let i = 0; i < 10; i++) await next()
    for (let i = 0; i < 300; i++) {
      const helper = helpers[Math.floor(i / every / 6) % helpers.length]!
      if (i % every === 0) await next(stake('MsgDelegate', helper, 'mallory', 2n * FRX))
      else if (i % every === 1) await next(stake('MsgUndelegate', helper, 'mallory', 2n * FRX))
      else await next()
    }
    expect(pushedOut.size).to.be.at.least(2)
  }).timeout(180_000)

  it('that count it twice buy nobody a day without penalties: a liar moved its stake to a second one', async () => {
    await start(10, ['mallory', 'alice'])
    await block({}, stake('MsgDelegate', 'alice', 'v9', 150n * FRX), create('mallory', FRX))
    await net.blocks(20)
    for (let i = 0; i < 70 && !(await validator('v9')).jailed; i++) await net.block({ reports: { v9: lie } })
    expect((await validator('v9')).jailed).to.equal(true)
    await block(
      {},
      redelegate('alice', 'v9', 'mallory', (1499n * FRX) / 10n),
      redelegate('v9', 'v9', 'mallory', (989n * FRX) / 10n),
    )
    await net.blocks(130)
    for (let i = 0; i < 70 && !(await validator('mallory')).jailed; i++)
      await net.block({ reports: { mallory: lie } })
    expect((await validator('mallory')).jailed).to.equal(true)
  }).timeout(120_000)

  it('make nobody forget a silence by leaving the set after each 60 blocks: every return began a new record', async () => {
    await start(8, ['mallory'], stakingWith({ unbonding_time: '30s' }))
    await block({}, create('mallory', 2n * FRX))
    await net.blocks(5)
    const away = (15n * FRX) / 10n
    const penalties = new Set<string>()
    for (let i = 0; i < 600 && !(await validator('mallory')).jailed; i++) {
      const txs =
        i % 80 === 60
          ? [stake('MsgUndelegate', 'mallory', 'mallory', away)]
          : i % 80 === 0 && i > 0
            ? [stake('MsgDelegate', 'mallory', 'mallory', away)]
            : []
      await block({ absent: ['mallory'] }, ...txs)
      for (const { penalty } of Object.values(await net.decisions())) penalties.add(penalty)
    }
    expect([...penalties]).to.deep.equal(['Moderate', 'Heavy'])
  }).timeout(120_000)

  it('hide no empty reports by leaving the set before the eighth: each return began to count anew', async () => {
    await start(8, ['mallory'], stakingWith({ unbonding_time: '30s' }))
    await block({}, create('mallory', 2n * FRX))
    await net.blocks(10)
    const reasons = new Set<string>()
    for (let i = 0; i < 96; i++) {
      const txs =
        i % 32 === 4
          ? [stake('MsgUndelegate', 'mallory', 'mallory', (15n * FRX) / 10n)]
          : i % 32 === 24
            ? [stake('MsgDelegate', 'mallory', 'mallory', (15n * FRX) / 10n)]
            : []
      await block({ reports: { mallory: () => new Uint8Array(0) } }, ...txs)
      for (const { reason } of Object.values(await net.decisions())) reasons.add(reason)
    }
    expect([...reasons]).to.deep.equal(['InvalidExtension'])
  }).timeout(60_000)

  it('or a standstill that a jail for downtime ends in, have nobody pay twice for the votes that it missed', async () => {
    const slashing = section('slashing')
    const params = { ...(slashing['params'] as object), signed_blocks_window: '200' }
    await start(8, [], { slashing: { ...slashing, params } })
    for (let i = 0; i < 260 && !(await validator('v7')).jailed; i++) await net.block({ absent: ['v7'] })
    expect((await validator('v7')).jailed).to.equal(true)
    await net.blocks(3)
    await net.block({ afterNs: 601n * 10n ** 9n })
    await net.blocks(20)
    const unjail = message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: operator('v7') })
    await block({}, net.sign('v7', unjail))
    await net.blocks(8)
    expect(await net.features('v7')).to.include({ lost: 0, lost_long: 0 })
    expect(await net.decisions()).to.deep.equal({})
  }).timeout(60_000)

  it('take no room from the judges: of who left, as many stay on the roster as a report has room for', async () => {
    const dust = range(6, 'd')
    await start(238, dust, stakingWith({ max_validators: 240 }))
    await block({}, ...dust.slice(0, 2).map((name) => create(name, FRX)))
    await net.blocks(3)
    for (const [i, name] of dust.slice(2).entries()) {
      await block({}, create(name, BigInt(i + 2) * FRX))
      await net.blocks(2)
      const { scores } = await net.chain.query<{ scores: object[] }>('/fornax.classifier.v1.Query/Scores')
      expect(scores).to.have.length(240)
    }
  }).timeout(240_000)

  it('bring no tombstoned consensus key back under another operator: it voted twice for nothing', async () => {
    await start(6, ['mallory', 'bob'], stakingWith({ unbonding_time: '60s' }))
    await block({}, create('mallory', 100n * FRX))
    await net.blocks(10)
    await net.block({ equivocators: ['mallory'] })
    const { tokens } = await validator('mallory')
    await block({}, stake('MsgUndelegate', 'mallory', 'mallory', BigInt(tokens)))
    await net.blocks(30)
    expect(await validator('mallory').catch(({ code }) => code)).to.equal(22)
    const { txResults } = await net.block({}, create('bob', 100n * FRX, 'mallory'))
    expect(txResults[0]).to.include({ codespace: 'slashing', code: 9 })
  })

  it('leave no room in blocks without a fee to who has been thrown out', async () => {
    await start(6, ['mallory'])
    const key = cometKey(sha256(utf8('agent')))
    const setKey = (): Uint8Array =>
      net.sign(
        'mallory',
        message('fornax.classifier.v1.MsgSetAgentKey', {
          validator: operator('mallory'),
          pubKey: key.publicKey,
          signature: signEd25519(key, agentKeySignBytes(CHAIN_ID, operator('mallory'), key.publicKey)),
        }),
      )
    await block({}, create('mallory', FRX))
    await block({}, setKey())
    await net.blocks(4)
    const submission = (): Uint8Array => {
      const telemetry = {
        node: operator('mallory'),
        cpu_pct: 1,
        latency_ms: 1,
        connections: 1,
        net_contrib: 1,
      }
      const body = utf8(JSON.stringify(telemetry))
      const timestampMs = net.chain.timeOf(net.chain.height + 1n) / 1_000_000n
      const signature = signEd25519(key, telemetrySignBytes(CHAIN_ID, timestampMs, body))
      const value = { validator: operator('mallory'), timestampMs, body, signature }
      return selfAuthenticatedTx(message('fornax.classifier.v1.MsgSubmitMetrics', value))
    }
    await block({}, submission())
    await net.block({ equivocators: ['mallory'] })
    await net.blocks(30)
    const late = submission()
    expect(net.chain.check(late)).to.include({ codespace: 'classifier', code: 10 })
    expect((await net.block({}, late)).txResults[0]).to.include({ codespace: 'classifier', code: 10 })
  })
})

/** The undelegation that takes most from those who stay: shares are cut off, tokens rounded up. */
function dearest(tokens: bigint, shares: bigint): { amount: bigint; taken: bigint } {
  let best = { amount: 0n, taken: 0n, loss: -1n }
  for (let amount = 100_000_000n; amount < 100_001_000n; amount++) {
    const taken = (shares * amount) / tokens
    const rounded = (2n * taken * tokens * FRX + shares) / (2n * shares)
    if (rounded / FRX !== amount) continue
    const loss = amount * FRX * shares - taken * tokens * FRX
    if (loss > best.loss) best = { amount, taken, loss }
  }
  return best
}
