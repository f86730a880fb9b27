import { expect } from 'chai'
import { Request } from 'cosmjs-types/tendermint/abci/types'
import { ProtocolError } from '../../daemon/abci/errors.ts'
import { FrameReader } from '../../daemon/abci/frames.ts'
import { readRequest } from '../../daemon/abci/messages.ts'
import { serveAbci } from '../../daemon/abci/server.ts'
import { AbciClient, encodeRequest } from '../kit/abci-client.ts'
import { acceptingHandler, recordingLog } from '../kit/abci-handler.ts'

/** Mutated frames to try; `make fuzz` sets a million and more. */
const ROUNDS = Number(process.env['FORNAX_FUZZ_ROUNDS'] ?? 20_000)
const SEED = Number(process.env['FORNAX_FUZZ_SEED'] ?? 1)

/** A small generator of 32-bit integers (mulberry32), so that a seed gives the same run everywhere. */
function randomness(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

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

/** A few frames in a row, with bytes flipped, cut out, put in, repeated, or swapped for telling ones. */
function mutated(random: (below: number) => number): Uint8Array {
  const frames = Array.from({ length: 1 + random(3) }, () => corpus[random(corpus.length)] ?? Buffer.alloc(0))
  let bytes = Buffer.concat(frames)
  for (let left = 1 + random(4); left > 0 && bytes.length > 0; left--) {
    const at = random(bytes.length)
    const kind = random(5)
    if (kind === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
    else if (kind === 1) bytes[at] = [0, 0x7f, 0x80, 0xff, 0x0a, 0x0b, 0x0c][random(7)] ?? 0
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(8))])
    else if (kind === 3)
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(random(9), random(256)), bytes.subarray(at)])
    else bytes = Buffer.concat([bytes, bytes.subarray(at, at + random(64))])
  }
  return bytes
}

describe('mutated abci frames', () => {
  it(`are read or refused, ${ROUNDS} of them (seed ${SEED})`, () => {
    const random = randomness(SEED)
    let read = 0
    let refused = 0
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = mutated(random)
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
          throw new Error(`round ${round}: ${Buffer.from(bytes).toString('hex')}`, { cause: error })
        }
        refused++
      }
    }
    expect(read).to.be.greaterThan(0)
    expect(refused).to.be.greaterThan(0)
  }).timeout(Math.max(20_000, ROUNDS))

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
    for (let round = 0; round < Math.min(ROUNDS / 100, 5000); round++) {
      const client = await AbciClient.connect(server.address)
      client.send(mutated(random))
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
  }).timeout(Math.max(20_000, ROUNDS))
})
