import { expect } from 'chai'
import {
  RequestPrepareProposal,
  RequestProcessProposal,
  RequestVerifyVoteExtension,
  ResponseProcessProposal_ProposalStatus as Status,
  ResponseVerifyVoteExtension_VerifyStatus as VerifyStatus,
} from 'cosmjs-types/tendermint/abci/types'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import { concatBytes, equalBytes, utf8 } from '../../core/bytes.ts'
import { ChainError } from '../../core/error.ts'
import { extensionSignBytes } from '../../daemon/app/extended-commit.ts'
import { ownModelHash } from '../../daemon/classifier/model-files.ts'
import { signEd25519 } from '../../daemon/comet/keys.ts'
import {
  decodeReport,
  decodeVoteTelemetry,
  encodeReport,
  encodeVoteTelemetry,
  joinVoteExtension,
  readTelemetry,
  splitVoteExtension,
} from '../../modules/classifier/api.ts'
import { CHAIN_ID, consensusAddress, consensusKey, user } from '../kit/app/chain.ts'
import { ScoredChain } from '../kit/app/scored-chain.ts'
import { fuzzInputs, fuzzSeed, fuzzTimeoutMs, inBoundedMemory, mutated } from '../kit/hostile/fuzz.ts'
import { pick, randomness } from '../kit/random.ts'

const INPUTS = fuzzInputs(2)
const TELEMETRY = encodeVoteTelemetry({ cpu: 9_999, latencyUs: 7, connections: 1, netContrib: 10n ** 12n })
const FOUR = ['one', 'two', 'three', 'four']

describe('mutated reports', () => {
  let net: ScoredChain
  let report: Uint8Array
  before(async () => {
    net = await ScoredChain.start({ validators: FOUR })
    await net.blocks(5)
    report = (await net.chain.app.extendVote({ height: net.chain.height + 1n } as never)).voteExtension
    expect(report.length).to.equal(2 + 17 + 2 * FOUR.length)
    report = joinVoteExtension({ report: splitVoteExtension(report)!.report, telemetry: TELEMETRY })
  })
  after(() => net.stop())

  it(`are accepted in votes where they are well-formed alone, ${INPUTS} of them (seed ${fuzzSeed})`, async () => {
    const random = randomness(fuzzSeed)
    const full = joinVoteExtension({
      report: encodeReport(ownModelHash()!, new Uint8Array(32), new Array(240).fill(10_000)),
      telemetry: new Uint8Array(0),
    })
    const alone = joinVoteExtension({ report: new Uint8Array(0), telemetry: TELEMETRY })
    let accepted = 0
    await inBoundedMemory(INPUTS, () => {
      const voteExtension = mutated(random, pick(random, [report, full, alone]))
      const { status } = net.chain.app.verifyVoteExtension(
        RequestVerifyVoteExtension.fromPartial({ voteExtension }),
      )
      const parts = splitVoteExtension(voteExtension)
      expect(status).to.equal(parts === undefined ? VerifyStatus.REJECT : VerifyStatus.ACCEPT)
      if (parts === undefined) return
      accepted++
      expect(joinVoteExtension(parts)).to.deep.equal(voteExtension)
      const read = decodeReport(parts.report)
      if (read !== undefined)
        expect(encodeReport(read.modelPrefix, read.featuresPrefix, read.scores)).to.deep.equal(parts.report)
      const told = decodeVoteTelemetry(parts.telemetry)
      if (told !== undefined) expect(encodeVoteTelemetry(told)).to.deep.equal(parts.telemetry)
      expect([read === undefined, told === undefined]).to.deep.equal([
        parts.report.length === 0,
        parts.telemetry.length === 0,
      ])
    })
    expect(accepted).to.be.within(1, INPUTS - 1)
  }).timeout(fuzzTimeoutMs(INPUTS))

  it(`in front of a block are refused by who votes, and harm nobody where they were let pass, ${INPUTS} of them (seed ${fuzzSeed})`, async () => {
    const random = randomness(fuzzSeed + 1)
    const { app } = net.chain
    const height = net.chain.height + 1n
    const addresses = FOUR.map((name) => [name, consensusAddress(name)] as const).sort(([, a], [, b]) =>
      Buffer.compare(a, b),
    )
    const votes = addresses.map(([name, address], i) => {
      const voteExtension = i === 3 ? new Uint8Array(0) : report
      const bytes = extensionSignBytes(CHAIN_ID, height - 1n, 0, voteExtension)
      return {
        validator: { address, power: 100n },
        voteExtension,
        extensionSignature: signEd25519(consensusKey(name), bytes),
        blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
      }
    })
    const { txs } = app.prepareProposal(
      RequestPrepareProposal.fromPartial({
        height,
        maxTxBytes: 1_000_000n,
        localLastCommit: { round: 0, votes },
      }),
    )
    const good = txs[0]!
    const proposedLastCommit = {
      round: 0,
      votes: votes.map(({ validator, blockIdFlag }) => ({ validator, blockIdFlag })),
    }
    const judge = async (bytes: Uint8Array): Promise<Status> =>
      (
        await app.processProposal(
          RequestProcessProposal.fromPartial({ height, txs: [bytes], proposedLastCommit }),
        )
      ).status
    expect(await judge(good)).to.equal(Status.ACCEPT)
    const request = net.chain.blockRequest(height, [], {
      votes: addresses.map(([name]) => ({ name, power: 100n })),
    })
    await inBoundedMemory(INPUTS, async (n) => {
      const bytes = mutated(random, good)
      if (equalBytes(bytes, good)) return
      expect(await judge(bytes), `input ${n}: ${Buffer.from(bytes).toString('hex')}`).to.equal(Status.REJECT)
      if (n % 8 === 0) await app.finalizeBlock({ ...request, txs: [bytes] })
    })
  }).timeout(fuzzTimeoutMs(INPUTS) + INPUTS * 20)

  it(`of a host are refused with a reason, ${INPUTS} of them (seed ${fuzzSeed})`, async () => {
    const random = randomness(fuzzSeed + 2)
    const { text: node } = user('one')
    const bodies = [
      { node, cpu_pct: 12.5, latency_ms: 1e3, connections: 4, net_contrib: 0.25 },
      { node, cpu_pct: 100, latency_ms: 60_000, connections: 1_000_000, net_contrib: 1_000_000_000 },
    ].map((body) => utf8(JSON.stringify(body)))
    const odd = ['NaN', '1e999', '-1', '-0', '1e-400', 'null', '"1"', '[]', '{}', '18446744073709551616']
    await inBoundedMemory(INPUTS, () => {
      const body = Buffer.from(pick(random, bodies)).toString()
      const bytes =
        random(2) === 0
          ? mutated(random, utf8(body))
          : utf8(body.replace(/:[\d.]+/, () => `:${pick(random, odd)}`))
      try {
        const { cpu, latencyUs, connections, netContrib } = readTelemetry(concatBytes(bytes)).telemetry
        for (const [figure, most] of [
          [cpu, 10_000],
          [latencyUs, 60_000_000],
          [connections, 1e6],
          [Number(netContrib), 1e12],
        ] as const) {
          expect(figure).to.be.within(0, most)
          expect(Number.isInteger(figure)).to.equal(true)
        }
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
      }
    })
  }).timeout(fuzzTimeoutMs(INPUTS))
})
