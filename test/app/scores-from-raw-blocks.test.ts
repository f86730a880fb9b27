import { expect } from 'chai'
import { RequestFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { toBase64, toHex, utf8 } from '../../core/bytes.ts'
import { packAny, wireType } from '../../core/wire/registry.ts'
import { ownModelHash } from '../../daemon/classifier/model-files.ts'
import { cometKey, signEd25519 } from '../../daemon/comet/keys.ts'
import { telemetryTx } from '../../daemon/validator/agent-signer.ts'
import { CHAIN_ID, consensusAddress, consensusKey, user } from '../kit/app/chain.ts'
import { FRX, message } from '../kit/app/governance.ts'
import { type Conduct, ScoredChain } from '../kit/app/scored-chain.ts'
import { SecondClassifier } from '../kit/classifier/second-classifier.ts'
import { decodeSecondReport } from '../kit/classifier/second-judgement.ts'
import { randomness } from '../kit/random.ts'

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const JOINING = 'newcomer'
const EVERYBODY = [...NAMES, JOINING]
const agentKeyOf = (name: string) => cometKey(consensusKey(`agent of ${name}`).publicKey)
const operatorOf = (name: string): string => formatAddress(user(name).address, VALIDATOR_PREFIX)

/** A submission of telemetry as JSON has it: with fractions that must be rounded. */
function telemetry(name: string, timestampMs: bigint, random: (below: number) => number): Uint8Array {
  const node = operatorOf(name)
  const telemetry = {
    cpu_pct: random(100_000) / 1_000,
    latency_ms: random(3_000_000) / 997,
    connections: random(60),
    net_contrib: random(1_000_000) / 777,
  }
  const body = utf8(JSON.stringify({ node, ...telemetry }))
  const lines = utf8(`fornax/metrics\n${CHAIN_ID}\n${timestampMs}\n`)
  const signature = signEd25519(agentKeyOf(name), Buffer.concat([lines, body]))
  return telemetryTx(node, body, timestampMs, signature)
}

/** What votes tell: of some of the limits, and now and then what is none. */
function voteTelemetry(random: (below: number) => number): Record<string, Uint8Array> {
  const told = NAMES.slice(2)
    .filter((name) => random(name === 'c' ? 40 : 15) === 0)
    .map((name) => {
      const bytes = Buffer.alloc(random(20) === 0 ? 17 : 18)
      bytes.writeUInt16BE(random(10_002), 0)
      bytes.writeUInt32BE(random(60_000_002), 2)
      bytes.writeUInt32BE(random(60), 6)
      bytes.writeUIntBE(random(1_000_000_000), bytes.length - 6, 6)
      return [name, new Uint8Array(bytes)] as const
    })
  return Object.fromEntries(told)
}

describe('Features and scores rebuilt from raw blocks by docs/classifier.md alone', () => {
  let net: ScoredChain
  afterEach(() => net?.stop())

  it('are those of the application in every block: through disagreement, telemetry, evidence, joins and leaves', async () => {
    net = await ScoredChain.start({
      validators: NAMES,
      users: [JOINING],
      coldTwin: false,
      agentKeys: EVERYBODY.map((name) => ({
        validator: operatorOf(name),
        pub_key: toBase64(agentKeyOf(name).publicKey),
      })),
    })
    const { app } = net.chain
    const second = new SecondClassifier({
      model: ownModelHash()!,
      tolerance: 200,
      validators: new Map(EVERYBODY.map((name) => [operatorOf(name), toHex(consensusAddress(name))])),
    })
    const finalize = app.finalizeBlock.bind(app)
    app.finalizeBlock = async (request) => {
      const bytes = RequestFinalizeBlock.encode(request).finish()
      const answer = await finalize(request)
      second.learn(RequestFinalizeBlock.decode(bytes), answer)
      return answer
    }
    const random = randomness(11)
    const seen = new Set<string>()
    for (let i = 1; i <= 640; i++) {
      const { conduct, txs } = happening(i, random)
      const { txResults } = await net.block(conduct, ...txs)
      for (const { code, log } of txResults)
        if (code !== 0 && !log.endsWith('the validator is not in the set'))
          throw new Error(`block ${i}: ${log}`)
      const height = net.chain.height + 1n
      const { voteExtension } = await app.extendVote({ height } as never)
      const report = voteExtension.subarray(2, 2 + Buffer.from(voteExtension).readUInt16BE(0))
      expect(decodeSecondReport(report), `height ${i}`).to.deep.equal(second.report)
      if (net.chain.store.height < i) seen.add('a degraded round')
      else {
        const { scores } = await net.chain.query<{ scores: { validator: string; score: number }[] }>(
          '/fornax.classifier.v1.Query/Scores',
        )
        const own = new Map(EVERYBODY.map((name) => [toHex(consensusAddress(name)), operatorOf(name)]))
        expect(scores, `scores at ${i}`).to.deep.equal(
          second.roster.map((address) => ({ validator: own.get(address)!, score: second.score(address) })),
        )
      }
      const newcomer = toHex(consensusAddress(JOINING))
      if (i > 430 && !second.roster.includes(newcomer)) seen.add('a jail')
      else if (seen.has('a jail')) seen.add('a return from jail')
      const { rows } = second
      for (const row of rows)
        for (const [j, value] of row.entries()) if (value !== rows[0]![j]) seen.add(`feature ${j}`)
    }
    // Everything happened: all features told validators apart but those that are of the network.
    expect([...seen].sort()).to.deep.equal(
      [
        ...Array.from({ length: 20 }, (_, j) => `feature ${j}`),
        'a degraded round',
        'a jail',
        'a return from jail',
      ]
        .filter((name) => !['feature 7', 'feature 14'].includes(name))
        .sort(),
    )
  }).timeout(180_000)

  /** What befalls the network in its `i`-th block. */
  function happening(i: number, random: (below: number) => number): { conduct: Conduct; txs: Uint8Array[] } {
    const lie = (by: number) => (honest: Uint8Array) => {
      const lied = Buffer.from(honest)
      // Of the first on the roster, so that all but the first itself can tell.
      if (lied.length >= 19) lied.writeUInt16BE(Math.min(10_000, lied.readUInt16BE(17) + by), 17)
      return new Uint8Array(lied)
    }
    const absent = [
      ...NAMES.filter((_, k) => random(200) < 4 * k),
      ...(i > 100 && i < 160 ? ['b'] : []),
      ...(i % 7 === 0 ? ['c'] : []),
    ].slice(0, 2)
    if (i > 120 && i < 180 && i % 3 === 0) absent.push(JOINING)
    const nil = [...(random(12) === 0 ? ['d'] : []), ...(i > 120 && i < 180 && i % 3 === 1 ? [JOINING] : [])]
    const txs: Uint8Array[] = []
    const time = net.chain.timeOf(net.chain.height + 1n) / 1_000_000n
    for (const [k, name] of NAMES.entries())
      if (k !== 4 && random(20) === 0 && (k !== 2 || i < 400)) txs.push(telemetry(name, time, random))
    // In tenths of a coin.
    const stake = (delegator: string, validator: string, amount: bigint, kind: string) =>
      net.sign(
        delegator,
        message(`cosmos.staking.v1beta1.Msg${kind}`, {
          delegatorAddress: net.chain.user(delegator).text,
          validatorAddress: operatorOf(validator),
          amount: { denom: 'afrx', amount: `${(amount * FRX) / 10n}` },
        }),
      )
    if (i === 40) txs.push(net.sign(JOINING, newcomer()))
    if (i === 60) txs.push(stake(JOINING, 'f', 700n, 'Delegate'))
    // Half a coin stays, or it would be jailed. It leaves for longer than it stays on the roster, and comes back.
    if (i === 200) txs.push(stake(JOINING, JOINING, 495n, 'Undelegate'))
    if (i === 240) txs.push(stake(JOINING, JOINING, 600n, 'Delegate'))
    // And for less.
    if (i === 262 || i === 280) txs.push(stake(JOINING, JOINING, 600n, 'Undelegate'))
    if (i === 267 || i === 284) txs.push(stake(JOINING, JOINING, 600n, 'Delegate'))
    if (i === 300) txs.push(stake(JOINING, 'f', 650n, 'Undelegate'))
    if (i === 610)
      txs.push(
        net.sign(
          JOINING,
          message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: operatorOf(JOINING) }),
        ),
      )
    const reports: Record<string, (honest: Uint8Array) => Uint8Array> = {}
    if (random(9) === 0) reports['g'] = lie(201)
    if (random(9) === 0) reports['e'] = lie(200)
    if (random(15) === 0) reports['h'] = () => new Uint8Array(0)
    if (random(40) === 0) reports['a'] = (honest) => honest.slice(0, honest.length - 2)
    if (i > 150 && i < 190 && i % 7 === 0) reports[JOINING] = lie(3_000)
    // All are there, and more than a third lies.
    if (i >= 420 && i < 422)
      return {
        conduct: { reports: Object.fromEntries(['a', 'b', 'c', 'd'].map((n) => [n, lie(5_000)])) },
        txs,
      }
    if (i > 430 && i < 460) reports[JOINING] = lie(4_000)
    const withheld = random(5) === 0 ? ['f'] : []
    const equivocators = i === 330 ? ['h'] : []
    return {
      conduct: {
        absent: i < 5 ? [] : absent,
        nil,
        reports,
        telemetry: voteTelemetry(random),
        withheld,
        equivocators,
      },
      txs,
    }
  }

  const newcomer = () =>
    packAny(
      'cosmos.staking.v1beta1.MsgCreateValidator',
      wireType('cosmos.staking.v1beta1.MsgCreateValidator').fromPartial({
        description: { moniker: JOINING },
        commission: {
          rate: '100000000000000000',
          maxRate: '200000000000000000',
          maxChangeRate: '10000000000000000',
        },
        minSelfDelegation: '1',
        validatorAddress: operatorOf(JOINING),
        pubkey: packAny('cosmos.crypto.ed25519.PubKey', { key: consensusKey(JOINING).publicKey }),
        value: { denom: 'afrx', amount: `${50n * FRX}` },
      }),
    )
})
