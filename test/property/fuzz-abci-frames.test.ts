import { expect } from 'chai'
import { Request } from 'cosmjs-types/tendermint/abci/types'
import { ProtocolError } from '../../daemon/abci/errors.ts'
import { FrameReader } from '../../daemon/abci/frames.ts'
import { readRequest } from '../../daemon/abci/messages.ts'
import { serveAbci } from '../../daemon/abci/server.ts'
import { AbciClient, encodeRequest } from '../kit/abci/client.ts'
import { acceptingHandler, recordingLog } from '../kit/abci/handler.ts'
import { fuzzInputs, fuzzSeed, fuzzTimeoutMs, mutated } from '../kit/hostile/fuzz.ts'
import { pick, type Random, randomness } from '../kit/random.ts'

const INPUTS = fuzzInputs(30)
const SEED = fuzzSeed

const time = { seconds: 1_700_000_000n, nanos: 5 }
const validator = { address: new Uint8Array(20).fill(3), power: 10n }
const votes = [{ validator, voteExtension: new Uint8Array(40), extensionSignature: new Uint8Array(64) }]
const txs = [new Uint8Array(30).fill(1), new Uint8Array(0), new Uint8Array(200).fill(2)]
const block = { height: 7n, time, txs, hash: new Uint8Array(32), proposerAddress: validator.address }
const corpus: Buffer[] = [
  { echo: { message: 'hello' } },
  { flush: {} },
  { info: { version: '0.38.25', blockVersion: 11n, p2pVersion: 8n, abciVersion: '2.0.0' } },
  {
    initChain: {
      time,
      chainId: 'fornax-1',
      consensusParams: {
        block: { maxBytes: 4_194_304n, maxGas: -1n },
        abci: { voteExtensionsEnableHeight: 1n },
      },
      validators: [{ pubKey: { ed25519: new Uint8Array(32) }, power: 10n }],
      appStateBytes: new Uint8Array(100),
    },
  },
  { query: { data: new Uint8Array(10), path: '/store/bank/key', height: 3n, prove: true } },
  { checkTx: { tx: new Uint8Array(150).fill(5), type: 1 } },
  { commit: {} },
  { offerSnapshot: { snapshot: { height: 3n, chunks: 2 }, appHash: new Uint8Array(32) } },
  { loadSnapshotChunk: { height: 3n, format: 1, chunk: 2 } },
  { applySnapshotChunk: { index: 1, chunk: new Uint8Array(50), sender: 'peer' } },
  { prepareProposal: { maxTxBytes: 1_000_000n, ...block, localLastCommit: { round: 1, votes } } },
  { processProposal: { ...block, proposedLastCommit: { round: 0, votes: [{ validator }] } } },
  { extendVote: { ...block, misbehavior: [{ validator, height: 3n, time }] } },
  { verifyVoteExtension: { height: 7n, voteExtension: new Uint8Array(30) } },
  { finalizeBlock: { ...block, decidedLastCommit: { round: 0, votes: [{ validator }] } } },
].map((request) => encodeRequest(Request.fromPartial<object>(request)))

/** A few frames in a row, changed in places. */
function frames(random: Random): Uint8Array {
  return mutated(random, Buffer.concat(Array.from({ length: 1 + random(3) }, () => pick(random, corpus))))
}

describe('mutated abci frames', () => {
  it(`are read or refused, ${INPUTS} of them (seed ${SEED})`, () => {
    const random = randomness(SEED)
    let read = 0
    let refused = 0
    for (let round = 0; round < INPUTS; round++) {
      const bytes = frames(random)
      const reader = new FrameReader(100_000)
      const cut = random(bytes.length + 1)
      try {
        for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
          reader.push(part)
          for (let frame = reader.next(); frame; frame = reader.next()) {
            readRequest(frame)
            read++
          }
        }
      } catch (error) {
        if (!(error instanceof ProtocolError)) {
          throw new Error(`input ${round}: ${Buffer.from(bytes).toString('hex')}`, { cause: error })
        }
        refused++
      }
    }
    expect(read).to.be.greaterThan(0)
    expect(refused).to.be.greaterThan(0)
  }).timeout(fuzzTimeoutMs(INPUTS))

  it('close their own connection at most, with one line each, and never stop the server', async () => {
    const random = randomness(SEED + 1)
    const log = recordingLog()
    const fatal: string[] = []
    const server = await serveAbci({
      address: 'tcp://127.0.0.1:0',
      handler: acceptingHandler(),
      onFatal: (error, method) => fatal.push(`${method}: ${String(error)}`),
      log,
      maxFrameBytes: 100_000,
    })
    const honest = await AbciClient.connect(server.address)
    let refused = 0
    for (let round = 0; round < Math.min(INPUTS / 100, 5000); round++) {
      const client = await AbciClient.connect(server.address)
      client.send(frames(random))
      client.socket.end()
      await client.closed
      const lines = log.lines.filter((line) => line.level !== 'debug' && line.level !== 'info')
      expect(lines.length).to.be.within(refused, refused + 1)
      refused = lines.length
    }
    expect(
      (await honest.call(Request.fromPartial({ echo: { message: 'still here' } }))).echo?.message,
    ).to.equal('still here')
    expect(fatal).to.deep.equal([])
    expect(refused).to.be.greaterThan(0)
    await honest.close()
    await server.close()
  }).timeout(fuzzTimeoutMs(INPUTS))
})
