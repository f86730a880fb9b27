import type { CommitInfo, ExtendedCommitInfo } from 'cosmjs-types/tendermint/abci/types'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import protobuf from 'protobufjs/minimal.js'
import { type Address, checkAddress } from '../../core/address.ts'
import { concatBytes, equalBytes, NO_BYTES, toLatin1 } from '../../core/bytes.ts'
import { verifyEd25519 } from '../../core/crypto/ed25519.ts'
import { keyOf } from '../../core/remembered.ts'
import { consensusKey } from '../../modules/classifier/api.ts'
import { consensusParams } from '../../modules/consensus/api.ts'
import { ExtendedCommit } from '../../proto/gen/fornax/abci/v1/abci.ts'
import type { Chain } from './chain.ts'

/** No protobuf message begins so: it is never taken for a transaction. The second byte is the form's version. */
const HEAD = Uint8Array.of(0, 1)
const MAX_BYTES = 512 * 1024
/** CometBFT's sign bytes are short; a longer extension is never passed on. */
const MAX_EXTENSION_BYTES = 1024

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

/** Whether bytes in a block's list of transactions are an extended commit, which is none. */
export const isExtendedCommit = (bytes: Uint8Array): boolean =>
  equalBytes(bytes.subarray(0, HEAD.length), HEAD)

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

/** The proposer's own extended commit as a block carries it. What is oversized or badly signed is left out. */
export function packExtendedCommit(chain: Chain, height: bigint, commit: ExtendedCommitInfo): Uint8Array {
  const verify = verifier(chain, height, commit.round)
  const places = new Map<string, number>()
  const extensions: Uint8Array[] = []
  const votes = commit.votes.map(({ validator, voteExtension, extensionSignature, blockIdFlag }) => {
    const isUsable =
      blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT &&
      voteExtension.length <= MAX_EXTENSION_BYTES &&
      verify(checkAddress(validator.address), voteExtension, extensionSignature)
    if (!isUsable) return { extension: 0, signature: NO_BYTES }
    const id = toLatin1(voteExtension)
    const place = places.get(id) ?? extensions.push(voteExtension)
    places.set(id, place)
    return { extension: place, signature: extensionSignature }
  })
  return concatBytes(HEAD, ExtendedCommit.encode({ round: commit.round, extensions, votes }).finish())
}

/** Throws where the bytes are not the one encoding of an extended commit. */
function decode(bytes: Uint8Array): ExtendedCommit {
  if (bytes.length > MAX_BYTES) throw new Error('it is too long')
  if (!equalBytes(bytes.subarray(0, HEAD.length), HEAD)) throw new Error('it begins otherwise')
  const commit = ExtendedCommit.decode(bytes.subarray(HEAD.length))
  if (!equalBytes(concatBytes(HEAD, ExtendedCommit.encode(commit).finish()), bytes))
    throw new Error('it is not in canonical form')
  return commit
}

/** The extensions of a decided block's first bytes, in the order of its votes; none where they cannot be read. */
export function extensionsOf(bytes: Uint8Array | undefined, votes: number): (Uint8Array | undefined)[] {
  try {
    const commit = decode(bytes ?? NO_BYTES)
    if (commit.votes.length === votes)
      return commit.votes.map(({ extension }) =>
        extension === 0 ? undefined : commit.extensions[extension - 1],
      )
  } catch {
    // A block whose validators let this pass has no reports.
  }
  return Array.from({ length: votes }, () => undefined)
}

/**
 * Why a proposal's first bytes are not the extended commit of the proposed last commit: every vote's place, round and
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
    commit = decode(bytes ?? NO_BYTES)
  } catch (error) {
    return (error as Error).message
  }
  if (commit.round !== last.round) return `it is of round ${commit.round}, the commit of ${last.round}`
  if (commit.votes.length !== last.votes.length) return 'it has another number of votes'
  if (new Set(commit.extensions.map(toLatin1)).size !== commit.extensions.length)
    return 'an extension is repeated'
  const verify = verifier(chain, height, commit.round)
  let used = 0
  let passedOn = 0n
  let total = 0n
  for (const [i, { validator, blockIdFlag }] of last.votes.entries()) {
    const { extension: place, signature } = commit.votes[i]!
    total += validator.power
    if (place === 0) {
      if (signature.length > 0) return 'a vote without an extension is signed'
      continue
    }
    if (blockIdFlag !== BlockIDFlag.BLOCK_ID_FLAG_COMMIT) return 'a vote that is none has an extension'
    if (place > used + 1 || place > commit.extensions.length) return 'the extensions are not in order'
    used = Math.max(used, place)
    const extension = commit.extensions[place - 1]!
    if (extension.length > MAX_EXTENSION_BYTES) return 'an extension is too long'
    if (!verify(checkAddress(validator.address), extension, signature)) return 'a signature does not verify'
    passedOn += validator.power
  }
  if (used !== commit.extensions.length) return 'an extension is nobody’s'
  return 3n * passedOn > 2n * total ? undefined : 'it passes on too little of the power'
}
