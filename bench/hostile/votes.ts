import * as noble from '@noble/ed25519'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  type ExtendedVoteInfo,
  ResponseProcessProposal_ProposalStatus as Proposal,
  RequestPrepareProposal,
  RequestVerifyVoteExtension,
  ResponseVerifyVoteExtension_VerifyStatus as VerifyStatus,
} from 'cosmjs-types/tendermint/abci/types'
import { concatBytes, fromHex, NO_BYTES } from '../../core/bytes.ts'
import { memory } from '../../core/remembered.ts'
import { signerlessTx } from '../../core/tx/build.ts'
import { extensionSignBytes } from '../../daemon/app/extended-commit.ts'
import { joinVoteExtension, splitVoteExtension } from '../../modules/classifier/api.ts'
import { CHAIN_ID } from '../../test/kit/app/chain.ts'
import { spent, typical } from './processor.ts'
import type { Subject } from './subject.ts'
import type { Cost } from './table.ts'
import { digest, field, repeated } from './transaction.ts'

/** What CometBFT takes for an extension at most. */
const MAX_EXTENSION_BYTES = 1024 * 1024

const report = (scores: number, score: number): Uint8Array => {
  const bytes = new Uint8Array(17 + 2 * scores).fill(1)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < scores; i++) view.setUint16(17 + 2 * i, score)
  return bytes
}

const extensionOf = (said: Uint8Array): Uint8Array =>
  joinVoteExtension({ report: said, telemetry: new Uint8Array(18) })

/** VerifyVoteExtension, the first one an honest report. */
export async function extensionCosts(subject: Subject): Promise<Cost[]> {
  const { app, height } = subject.chain
  const last = report(240, 10_000)
  new DataView(last.buffer).setUint16(last.length - 2, 65_535)
  const extensions: readonly (readonly [string, Uint8Array])[] = [
    ['honest report', subject.votes[0]!.voteExtension],
    ['240 scores', extensionOf(report(240, 10_000))],
    ['240 scores, the last one out of range', extensionOf(last)],
    ['a score more than there may be', extensionOf(report(241, 1))],
    ['1 MiB of scores', report(MAX_EXTENSION_BYTES / 2 - 17, 1)],
    ['nothing', new Uint8Array(0)],
  ]
  const costs: Cost[] = []
  for (const [name, voteExtension] of extensions) {
    const request = RequestVerifyVoteExtension.fromPartial({ height, voteExtension })
    const { status } = app.verifyVoteExtension(request)
    costs.push({
      name,
      bytes: Math.max(1, voteExtension.length),
      gas: 0,
      ms: await typical(() => app.verifyVoteExtension(request)),
      outcome: status === VerifyStatus.ACCEPT ? 'accepted' : 'rejected',
    })
  }
  return costs
}

const SMALL_ORDER = noble.Point.fromBytes(
  fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'),
)

/** A signature that ZIP 215 takes and OpenSSL does not: its R has a part of small order. */
function oddSignature(seed: Uint8Array, message: Uint8Array): Uint8Array {
  const { scalar, pointBytes } = noble.utils.getExtendedPublicKey(seed)
  const r = noble.etc.mod(
    BigInt(`0x${Buffer.from(digest(`r ${Buffer.from(message).toString('hex')}`)).toString('hex')}`),
    N,
  )
  const R = noble.Point.BASE.multiply(r).add(SMALL_ORDER).toBytes()
  const hash = noble.hashes.sha512!(concatBytes(R, pointBytes, message))
  const k = noble.etc.mod(littleEndian(hash), N)
  const s = noble.etc.mod(r + k * scalar, N)
  const out = new Uint8Array(64)
  out.set(R)
  for (let i = 0, rest = s; i < 32; i++, rest >>= 8n) out[32 + i] = Number(rest & 255n)
  return out
}

const N = noble.Point.CURVE().n
const littleEndian = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

/** Everybody's votes with extensions of their own, as long as a report may be, and odd signatures. */
function oddVotes(subject: Subject): ExtendedVoteInfo[] {
  const { height } = subject.chain
  const votes = subject.votesWith((i) =>
    extensionOf(concatBytes(report(240, 1).subarray(0, 495), Uint8Array.of(i, i))),
  )
  const seeds = new Map(subject.chain.validators.map((name) => [`${name}`, digest(`validator ${name}`)]))
  const names = subject.namesInOrder
  return votes.map((vote, i) => ({
    ...vote,
    extensionSignature: oddSignature(
      seeds.get(names[i]!)!,
      extensionSignBytes(CHAIN_ID, height, 0, vote.voteExtension),
    ),
  }))
}

/** ProcessProposal of a block of nothing but an extended commit, the first one honest. Each is seen for the first time. */
export async function extendedCommitCosts(subject: Subject): Promise<Cost[]> {
  const { app } = subject.chain
  const honest = subject.pack()
  const lastBad = subject.votes.map((vote, i) => ({
    ...vote,
    extensionSignature: vote.extensionSignature.map((byte, at) =>
      i === subject.votes.length - 1 && at === 40 ? byte ^ 1 : byte,
    ),
  }))
  const firstReport = splitVoteExtension(subject.votes[0]!.voteExtension)!.report
  const raw = (value: Uint8Array): Uint8Array =>
    signerlessTx({ typeUrl: '/fornax.abci.v1.ExtendedCommit', value }, 0n)
  const commits: readonly (readonly [string, () => Uint8Array])[] = [
    ['honest extended commit', () => honest],
    ['extended commit whose last signature is bad', () => subject.pack(lastBad)],
    [
      'extended commit of distinct long reports',
      () => subject.pack(subject.votesWith((i) => extensionOf(report(240, i)))),
    ],
    ['extended commit of odd signatures', () => subject.pack(oddVotes(subject))],
    ['extended commit of a report repeated', () => raw(repeated(field(2, firstReport), 500_000))],
    ['extended commit of 250,000 empty votes', () => raw(repeated(Uint8Array.of(0x1a, 0), 500_000))],
    ['extended commit that is too long', () => raw(new Uint8Array(4_000_000))],
    ['extended commit not in canonical form', () => concatBytes(honest, Uint8Array.of(0x1a, 0))],
    [
      '250,000 messages in place of the extended commit',
      () =>
        TxRaw.encode({
          bodyBytes: repeated(field(1, Uint8Array.of()), 250_000),
          authInfoBytes: NO_BYTES,
          signatures: [],
        }).finish(),
    ],
  ]
  const costs: Cost[] = []
  for (const [name, make] of commits) {
    const extended = make()
    const request = subject.proposal([], extended)
    let status: Proposal | undefined
    const times: number[] = []
    for (let i = 0; i < 3; i++) {
      forgetVerified(subject)
      times.push(
        await spent(async () => {
          status = (await app.processProposal(request)).status
        }),
      )
    }
    costs.push({
      name,
      bytes: extended.length,
      gas: 0,
      ms: times.sort((a, b) => a - b)[1]!,
      outcome: status === Proposal.ACCEPT ? 'accepted' : 'rejected',
    })
  }
  return costs
}

/** PrepareProposal of nothing but the votes that this node has, the first ones honest. */
export async function preparationCosts(subject: Subject): Promise<Cost[]> {
  const { app, height } = subject.chain
  const kinds: readonly (readonly [string, ExtendedVoteInfo[]])[] = [
    ['honest votes', subject.votes],
    ['votes of distinct long extensions', subject.votesWith((i) => new Uint8Array(1024).fill(i))],
    ['votes of oversized extensions', subject.votesWith((i) => new Uint8Array(64 * 1024).fill(i))],
    ['votes of odd signatures', oddVotes(subject)],
  ]
  const costs: Cost[] = []
  for (const [name, votes] of kinds) {
    const request = RequestPrepareProposal.fromPartial({
      height: height + 1n,
      maxTxBytes: 4_000_000n,
      localLastCommit: { round: 0, votes },
    })
    const times: number[] = []
    for (let i = 0; i < 3; i++) {
      forgetVerified(subject)
      times.push(await spent(() => app.prepareProposal(request)))
    }
    const bytes = votes.reduce((sum, v) => sum + v.voteExtension.length + v.extensionSignature.length, 0)
    costs.push({ name, bytes, gas: 0, ms: times.sort((a, b) => a - b)[1]!, outcome: 'proposed' })
  }
  return costs
}

/** As a node that sees the votes for the first time. */
function forgetVerified({ chain: { state } }: Subject): void {
  Object.assign(state, { verifiedExtensions: memory<true>(4 * 1024 * 1024, () => 0) })
}
