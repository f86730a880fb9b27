import { smaller } from '../../../../core/bigints.ts'
import type { EthBlocks } from '../../../index/eth-blocks.ts'
import type { EthState } from '../../../index/eth-state.ts'
import { blockNumber } from '../block-ref.ts'
import { invalidParams } from '../errors.ts'
import { Malformed } from '../hex.ts'
import { type Methods, method } from '../method.ts'
import { optional, type Param, quantity } from '../params.ts'
import { encodeQuantity } from '../quantity.ts'
import { requireBlock } from './blocks.ts'

/** Blocks that one history tells of, and percentiles. */
const MAX_BLOCKS = 1024n
/** Fewer where tips are asked for, which are in each transaction. */
const MAX_BLOCKS_WITH_TIPS = 64n
const MAX_PERCENTILES = 100
/** Blocks whose tips are looked at for a suggestion, and the percentile of them. */
const RECENT = 20n
const SUGGESTED = 60
/** Blocks whose tips are remembered. */
const KEPT_BLOCKS = 128

/** A count, which clients send as a number too. */
const count: Param<bigint> = {
  parse: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? BigInt(value)
      : quantity(64).parse(value),
}

const percentiles: Param<readonly number[]> = {
  parse(value) {
    if (!Array.isArray(value)) throw new Malformed('non-array')
    if (value.length > MAX_PERCENTILES) throw new Malformed(`more than ${MAX_PERCENTILES} percentiles`)
    let last = 0
    for (const each of value) {
      if (typeof each !== 'number' || !(each >= last && each <= 100))
        throw new Malformed('percentiles are numbers from 0 to 100, in ascending order')
      last = each
    }
    return value as number[]
  },
}

interface Tip {
  readonly tip: bigint
  readonly gasUsed: bigint
}

/** The tip that so many percent of the gas paid at most. */
function atPercentile(tips: readonly Tip[], percentile: number): bigint {
  const all = tips.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
  const wanted = (Number(all) * percentile) / 100
  let seen = 0
  for (const { tip, gasUsed } of tips) {
    seen += Number(gasUsed)
    if (seen >= wanted) return tip
  }
  return tips.at(-1)?.tip ?? 0n
}

/** Prices of gas: those of past blocks, and what to offer for the next. */
export function feeMethods(blocks: EthBlocks, state: EthState, minimumGasPrice: bigint): Methods {
  const known = new Map<bigint, readonly Tip[]>()
  /** Of a block, ascending: read once, as blocks do not change. */
  const tipsOf = (number: bigint): readonly Tip[] => {
    const read = known.get(number)
    if (read !== undefined) return read
    const block = blocks.block(number)
    if (block === undefined) return []
    const { baseFeePerGas } = block.header
    const tips = blocks
      .recordsOf(number, block)
      .map(({ gasPrice, gasUsed }) => ({ tip: gasPrice - baseFeePerGas, gasUsed }))
      .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
    known.set(number, tips)
    for (const oldest of known.keys()) if (known.size > KEPT_BLOCKS) known.delete(oldest)
    return tips
  }
  /** What recent blocks paid above their base fee, and at least what this node asks for. */
  const suggestedTip = (): bigint => {
    const { latest } = blocks
    const recent: Tip[] = []
    for (let number = latest; number > 0n && number > latest - RECENT; number--)
      for (const tip of tipsOf(number)) recent.push(tip)
    recent.sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
    const paid = atPercentile(recent, SUGGESTED)
    const asked = minimumGasPrice - state.nextBaseFee
    return paid > asked ? paid : asked > 0n ? asked : 0n
  }
  return {
    eth_maxPriorityFeePerGas: method([], () => encodeQuantity(suggestedTip()), 'near'),
    eth_gasPrice: method([], () => encodeQuantity(state.nextBaseFee + suggestedTip()), 'near'),
    eth_blobBaseFee: method([], () => '0x1'),
    eth_feeHistory: method(
      [count, blockNumber, optional(percentiles)],
      (_, blockCount, newest, asked) => {
        if (blockCount === 0n) throw invalidParams('block count is 0')
        const last = requireBlock(blocks, newest).header.number
        const wanted = smaller(blockCount, asked === undefined ? MAX_BLOCKS : MAX_BLOCKS_WITH_TIPS)
        const first = last + 1n - wanted > blocks.earliest ? last + 1n - wanted : blocks.earliest
        const baseFees: string[] = []
        const ratios: number[] = []
        const rewards: string[][] = []
        for (let number = first; number <= last; number++) {
          const block = blocks.block(number)
          if (block === undefined) continue
          const { header } = block
          baseFees.push(encodeQuantity(header.baseFeePerGas))
          ratios.push(Number(header.gasUsed) / Number(header.gasLimit))
          const tips = asked === undefined ? [] : tipsOf(number)
          rewards.push((asked ?? []).map((percentile) => encodeQuantity(atPercentile(tips, percentile))))
        }
        const next = blocks.block(last + 1n)?.header.baseFeePerGas ?? state.nextBaseFee
        baseFees.push(encodeQuantity(next))
        return {
          oldestBlock: encodeQuantity(first),
          baseFeePerGas: baseFees,
          gasUsedRatio: ratios,
          baseFeePerBlobGas: baseFees.map(() => '0x1'),
          blobGasUsedRatio: ratios.map(() => 0),
          ...(asked !== undefined && { reward: rewards }),
        }
      },
      'near',
    ),
  }
}
