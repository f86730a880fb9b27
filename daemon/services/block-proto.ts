import type { Block as SdkBlock } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/types'
import type { Commit, Header } from 'cosmjs-types/tendermint/types/types'
import { CONSENSUS_PREFIX, formatAddress } from '../../core/address.ts'
import { fromBase64, fromHex } from '../../core/bytes.ts'
import { parseTimestamp } from '../../core/time.ts'
import type { BlockJson, CommitJson, HeaderJson } from '../client/rpc.ts'
import { blockId } from './block-id.ts'
import { evidenceFromJson } from './evidence-proto.ts'

const header = (h: HeaderJson): Header => ({
  version: { block: BigInt(h.version.block), app: BigInt(h.version.app ?? 0) },
  chainId: h.chain_id,
  height: BigInt(h.height),
  time: parseTimestamp(h.time),
  lastBlockId: blockId(h.last_block_id),
  lastCommitHash: fromHex(h.last_commit_hash),
  dataHash: fromHex(h.data_hash),
  validatorsHash: fromHex(h.validators_hash),
  nextValidatorsHash: fromHex(h.next_validators_hash),
  consensusHash: fromHex(h.consensus_hash),
  appHash: fromHex(h.app_hash),
  lastResultsHash: fromHex(h.last_results_hash),
  evidenceHash: fromHex(h.evidence_hash),
  proposerAddress: fromHex(h.proposer_address),
})

const commit = (c: CommitJson): Commit => ({
  height: BigInt(c.height),
  round: c.round,
  blockId: blockId(c.block_id),
  signatures: c.signatures.map((s) => ({
    blockIdFlag: s.block_id_flag,
    validatorAddress: fromHex(s.validator_address),
    timestamp: parseTimestamp(s.timestamp),
    signature: fromBase64(s.signature ?? ''),
  })),
})

/** CometBFT's JSON of a block as `tendermint.types.Block`. */
export function protoBlock({ block }: BlockJson) {
  return {
    header: header(block.header),
    data: { txs: (block.data.txs ?? []).map(fromBase64) },
    evidence: { evidence: (block.evidence.evidence ?? []).flatMap(evidenceFromJson) },
    lastCommit: commit(block.last_commit),
  }
}

/** The same with the proposer in bech32, as `cosmos.base.tendermint.v1beta1.Block`. */
export function sdkBlock(block: ReturnType<typeof protoBlock>): SdkBlock {
  const { proposerAddress, ...rest } = block.header
  return {
    ...block,
    header: {
      ...rest,
      proposerAddress: formatAddress(proposerAddress, CONSENSUS_PREFIX),
    } as SdkBlock['header'],
  }
}
