import type { Address } from '../../core/address.ts'
import { fromHex, fromUtf8, toHex, utf8 } from '../../core/bytes.ts'
import type { Block } from '../../core/context.ts'

/** Local-namespace key of the last committed block's header facts. */
export const BLOCK_META_KEY = utf8('meta:last_block')

/** The facts of its last committed block that a restarted node must know. */
export type BlockMeta = Pick<Block, 'chainId' | 'height' | 'timeNs' | 'hash' | 'proposer'> & {
  readonly initialHeight: bigint
}

export function encodeBlockMeta(meta: BlockMeta): Uint8Array {
  return utf8(
    JSON.stringify({
      chain_id: meta.chainId,
      initial_height: meta.initialHeight.toString(),
      height: meta.height.toString(),
      time_ns: meta.timeNs.toString(),
      hash: toHex(meta.hash),
      proposer: toHex(meta.proposer),
    }),
  )
}

export function decodeBlockMeta(bytes: Uint8Array): BlockMeta {
  const json = JSON.parse(fromUtf8(bytes)) as Record<string, string>
  return {
    chainId: json['chain_id']!,
    initialHeight: BigInt(json['initial_height']!),
    height: BigInt(json['height']!),
    timeNs: BigInt(json['time_ns']!),
    hash: fromHex(json['hash']!),
    proposer: fromHex(json['proposer']!) as Address,
  }
}
