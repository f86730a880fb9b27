import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { CommitInfo, ExtendedCommitInfo } from 'cosmjs-types/tendermint/abci/types'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import protobuf from 'protobufjs/minimal.js'
import { type Address, checkAddress } from '../../core/address.ts'
import { equalBytes, NO_BYTES, toLatin1 } from '../../core/bytes.ts'
import type { VoteExtension } from '../../core/context.ts'
import { verifyEd25519 } from '../../core/crypto/ed25519.ts'
import { rethrowExhaustion } from '../../core/error.ts'
import { keyOf } from '../../core/remembered.ts'
import { signerlessTx } from '../../core/tx/build.ts'
import { packAny, registerTypes } from '../../core/wire/registry.ts'
import { consensusKey, MAX_VOTE_EXTENSION_BYTES } from '../../modules/classifier/api.ts'
import { consensusParams } from '../../modules/consensus/api.ts'
import type { ExtendedCommit } from '../../proto/gen/fornax/abci/v1/abci.ts'
import * as types from '../../proto/gen/fornax/abci/v1/abci.ts'
import type { Chain } from './chain.ts'

registerTypes(types)

const TYPE_URL = '/fornax.abci.v1.ExtendedCommit'
/** What stands around the votes. */
const MAX_HEAD_BYTES = 1024
/** A vote's extension, its signature, and their tags and lengths. */
const MAX_VOTE_BYTES = MAX_VOTE_EXTENSION_BYTES + 64 + 32

/** Whether a block at this height begins with the extended commit of the one before. */
export function carriesExtendedCommit(chain: Chain, height: bigint): boolean {
  const enabled = consensusParams(chain.view('working'))?.abci?.voteExtensionsEnableHeight ?? 0n
  return enabled > 0n && height > enabled && height > chain.lastBlock.initialHeight
}

/** The bytes that a validator signs for its extension: CometBFT's CanonicalVoteExtension behind its length. */
export function extensionSignBytes(
  chainId: string,
  height: bigint,
  round: number,
  extension: Uint8Array,
): Uint8Array {
  const long = (value: bigint) =>
    ({ low: Number(BigInt.asIntN(32, value)), high: Number(value >> 32n), unsigned: false }) as protobuf.Long
  const writer = protobuf.Writer.create().fork()
  if (extension.length > 0) writer.uint32(10).bytes(extension)
  if (height !== 0n) writer.uint32(17).sfixed64(long(height))
  if (round !== 0) writer.uint32(25).sfixed64(long(BigInt(round)))
  if (chainId !== '') writer.uint32(34).string(chainId)
  return new Uint8Array(writer.ldelim().finish())
}

type Verify = (address: Address, extension: Uint8Array, signature: Uint8Array) => boolean

/**
 * Checks extension signatures of the block before `height`, by the consensus keys of its validators. What verified is
 * remembered: a proposer checks its own proposal, and rounds propose the same votes again.
 */
function verifier(chain: Chain, height: bigint, round: number): Verify {
  const ctx = chain.view('working')
  const { chainId } = chain.lastBlock
  return (address, extension, signature) => {
    const key = consensusKey(ctx, address)
    if (key === undefined) return false
    const bytes = extensionSignBytes(chainId, height - 1n, round, extension)
    const id = keyOf(key, bytes, signature)
    if (chain.verifiedExtensions.get(id)) return true
    return verifyEd25519(key, bytes, signature) && chain.verifiedExtensions.set(id, true)
  }
}

/**
 * An extended commit as a block carries it: the one message of a transaction without fee or signature, so that whatever
 * reads transactions reads it too.
 */
export const encodeExtendedCommit = (commit: ExtendedCommit): Uint8Array =>
  signerlessTx(packAny('fornax.abci.v1.ExtendedCommit', commit), 0n)

/** The proposer's own extended commit as a block carries it. What is malformed or badly signed is left out. */
export function packExtendedCommit(chain: Chain, height: bigint, commit: ExtendedCommitInfo): Uint8Array {
  const verify = verifier(chain, height, commit.round)
  const places = new Map<string, number>()
  const reports: Uint8Array[] = []
  const votes = commit.votes.map(({ validator, voteExtension, extensionSignature, blockIdFlag }) => {
    const extension =
      blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT
        ? chain.router.voteExtension.split(voteExtension)
        : undefined
    const isUsable =
      extension !== undefined && verify(checkAddress(validator.address), voteExtension, extensionSignature)
    if (!isUsable) return { report: 0, telemetry: NO_BYTES, signature: NO_BYTES }
    const { report, telemetry } = extension
    const id = toLatin1(report)
    const place = places.get(id) ?? reports.push(report)
    places.set(id, place)
    return { report: place, telemetry, signature: extensionSignature }
  })
  return encodeExtendedCommit({ round: commit.round, reports, votes })
}

/**
 * Throws where the bytes are not the one encoding of an extended commit. Nothing is read of what is longer than that of so
 * many votes can be: half a megabyte of empty votes takes seconds.
 */
function decode(bytes: Uint8Array, votes: number): ExtendedCommit {
  if (bytes.length > MAX_HEAD_BYTES + votes * MAX_VOTE_BYTES) throw new Error('it is too long')
  const message = TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages[0]
  if (message?.typeUrl !== TYPE_URL) throw new Error('it is another message')
  const commit = types.ExtendedCommit.decode(message.value)
  if (!equalBytes(encodeExtendedCommit(commit), bytes)) throw new Error('it is not in canonical form')
  return commit
}

/** The extensions of a decided block's first transaction, in the order of its votes; none where they cannot be read. */
export function extensionsOf(bytes: Uint8Array | undefined, votes: number): (VoteExtension | undefined)[] {
  try {
    const commit = decode(bytes ?? NO_BYTES, votes)
    if (commit.votes.length === votes)
      return commit.votes.map(({ report, telemetry }) => {
        const shared = commit.reports[report - 1]
        return shared && { report: shared, telemetry }
      })
  } catch (error) {
    rethrowExhaustion(error)
    // A block whose validators let this pass has no reports.
  }
  return Array.from({ length: votes }, () => undefined)
}

/**
 * Why a proposal's first transaction is not the extended commit of the proposed last commit: every vote's place, round and
 * signature is checked, and that more than two thirds of the power are passed on. Nothing where all is well.
 */
export function faultOfExtendedCommit(
  chain: Chain,
  height: bigint,
  bytes: Uint8Array | undefined,
  last: CommitInfo,
): string | undefined {
  let commit: ExtendedCommit
  try {
    commit = decode(bytes ?? NO_BYTES, last.votes.length)
  } catch (error) {
    return (error as Error).message
  }
  if (commit.round !== last.round) return `it is of round ${commit.round}, the commit of ${last.round}`
  if (commit.votes.length !== last.votes.length) return 'it has another number of votes'
  if (new Set(commit.reports.map(toLatin1)).size !== commit.reports.length) return 'a report is repeated'
  const verify = verifier(chain, height, commit.round)
  let used = 0
  let passedOn = 0n
  let total = 0n
  for (const [i, { validator, blockIdFlag }] of last.votes.entries()) {
    const { report: place, telemetry, signature } = commit.votes[i]!
    total += validator.power
    if (place === 0) {
      if (signature.length > 0 || telemetry.length > 0)
        return 'a vote without an extension is signed, or tells telemetry'
      continue
    }
    if (blockIdFlag !== BlockIDFlag.BLOCK_ID_FLAG_COMMIT) return 'a vote that is none has an extension'
    if (place > used + 1 || place > commit.reports.length) return 'the reports are not in order'
    used = Math.max(used, place)
    const extension = chain.router.voteExtension.join({ report: commit.reports[place - 1]!, telemetry })
    if (chain.router.voteExtension.split(extension) === undefined) return 'an extension is malformed'
    if (!verify(checkAddress(validator.address), extension, signature)) return 'a signature does not verify'
    passedOn += validator.power
  }
  if (used !== commit.reports.length) return 'a report is nobody’s'
  return 3n * passedOn > 2n * total ? undefined : 'it passes on too little of the power'
}
