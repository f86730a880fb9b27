import { BinaryWriter } from 'cosmjs-types/binary'
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import { BlockID, SignedMsgType } from 'cosmjs-types/tendermint/types/types'
import { parseTimestamp } from '../../../core/time.ts'
import { type CometKey, signEd25519 } from '../../../daemon/comet/keys.ts'

/** Of the height at which the validator votes twice. */
export interface EquivocationAt {
  readonly chainId: string
  readonly height: number
  /** RFC 3339, as CometBFT gives it in the header. */
  readonly time: string
  readonly validatorIndex: number
  readonly validatorPower: number
  readonly totalPower: number
}

const hex = (b: Uint8Array): string => Buffer.from(b).toString('hex').toUpperCase()

/** Bytes with their length before them, as CometBFT signs votes. */
function delimited(bytes: Uint8Array): Uint8Array {
  if (bytes.length > 127) return Uint8Array.of((bytes.length & 127) | 128, bytes.length >> 7, ...bytes)
  return Uint8Array.of(bytes.length, ...bytes)
}

/** tendermint.types.CanonicalVote of round 0, which cosmjs-types does not have. */
function canonicalVote(type: number, blockId: BlockID, at: EquivocationAt): Uint8Array {
  const writer = new BinaryWriter()
  writer.uint32(8).int32(type)
  writer.uint32(17).sfixed64(BigInt(at.height))
  writer.uint32(34).bytes(BlockID.encode(blockId).finish())
  writer.uint32(42).bytes(Timestamp.encode(parseTimestamp(at.time)).finish())
  writer.uint32(50).string(at.chainId)
  return writer.finish()
}

function prevote(key: CometKey, at: EquivocationAt, filler: number): object {
  const hash = new Uint8Array(32).fill(filler)
  const type = SignedMsgType.SIGNED_MSG_TYPE_PREVOTE
  const signed = delimited(canonicalVote(type, { hash, partSetHeader: { total: 1, hash } }, at))
  return {
    type,
    height: String(at.height),
    round: 0,
    block_id: { hash: hex(hash), parts: { total: 1, hash: hex(hash) } },
    timestamp: at.time,
    validator_address: hex(key.address),
    validator_index: at.validatorIndex,
    signature: Buffer.from(signEd25519(key, signed)).toString('base64'),
  }
}

/** Two prevotes of one round for different blocks, as `broadcast_evidence` takes them. */
export const equivocation = (key: CometKey, at: EquivocationAt): object => ({
  type: 'tendermint/DuplicateVoteEvidence',
  value: {
    vote_a: prevote(key, at, 1),
    vote_b: prevote(key, at, 2),
    TotalVotingPower: String(at.totalPower),
    ValidatorPower: String(at.validatorPower),
    Timestamp: at.time,
  },
})
