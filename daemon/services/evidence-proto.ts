import type { Evidence } from 'cosmjs-types/tendermint/types/evidence'
import type { Vote } from 'cosmjs-types/tendermint/types/types'
import { fromBase64, fromHex } from '../../core/bytes.ts'
import { parseTimestamp } from '../../core/time.ts'
import type { BlockIdJson } from '../client/rpc.ts'
import { blockId } from './block-id.ts'

interface VoteJson {
  type: number
  height: string
  round: number
  block_id: BlockIdJson
  timestamp: string
  validator_address: string
  validator_index: number
  signature: string | null
  extension: string | null
  extension_signature: string | null
}

/** Names as in Go's structs, where CometBFT gives the field no other. */
interface DuplicateVoteJson {
  vote_a: VoteJson
  vote_b: VoteJson
  TotalVotingPower: string
  ValidatorPower: string
  Timestamp: string
}

interface LightClientAttackJson {
  CommonHeight: string
  TotalVotingPower: string
  Timestamp: string
}

const vote = (v: VoteJson): Vote => ({
  type: v.type,
  height: BigInt(v.height),
  round: v.round,
  blockId: blockId(v.block_id),
  timestamp: parseTimestamp(v.timestamp),
  validatorAddress: fromHex(v.validator_address),
  validatorIndex: v.validator_index,
  signature: fromBase64(v.signature ?? ''),
  extension: fromBase64(v.extension ?? ''),
  extensionSignature: fromBase64(v.extension_signature ?? ''),
})

/** Evidence of CometBFT's JSON; of a light-client attack the heights and powers, without the conflicting block. */
export function evidenceFromJson({ type, value }: { type: string; value: unknown }): Evidence[] {
  if (type === 'tendermint/DuplicateVoteEvidence') {
    const e = value as DuplicateVoteJson
    return [
      {
        duplicateVoteEvidence: {
          voteA: vote(e.vote_a),
          voteB: vote(e.vote_b),
          totalVotingPower: BigInt(e.TotalVotingPower),
          validatorPower: BigInt(e.ValidatorPower),
          timestamp: parseTimestamp(e.Timestamp),
        },
      },
    ]
  }
  if (type !== 'tendermint/LightClientAttackEvidence') return []
  const e = value as LightClientAttackJson
  return [
    {
      lightClientAttackEvidence: {
        commonHeight: BigInt(e.CommonHeight),
        byzantineValidators: [],
        totalVotingPower: BigInt(e.TotalVotingPower),
        timestamp: parseTimestamp(e.Timestamp),
      },
    },
  ]
}
