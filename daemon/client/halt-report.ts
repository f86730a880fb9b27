import { fromUtf8, NO_BYTES } from '../../core/bytes.ts'
import { ChainError } from '../../core/error.ts'
import type { NodeClient } from './node.ts'

/** What a node says of its halt at the query path `/app/halt`; heights are decimal. */
export interface HaltReport {
  readonly halted: boolean
  readonly halt_height: string | null
  /** Height of the halt that the operator cleared, until the next healthy block. */
  readonly cleared_height: string | null
  readonly committed_height: string
  /** The last decided block; blocks after the committed one are withheld. */
  readonly decided_height: string
}

/** A node's report on its halt; nothing where it does not tell. Rejects with RpcUnavailable or RpcError. */
export async function haltReport(client: NodeClient): Promise<HaltReport | undefined> {
  try {
    return parseReport(fromUtf8(await client.query('/app/halt', NO_BYTES)))
  } catch (error) {
    if (error instanceof ChainError || error instanceof SyntaxError) return undefined
    throw error
  }
}

const isHeight = (value: unknown): boolean => typeof value === 'string' && /^\d{1,19}$/.test(value)

function parseReport(text: string): HaltReport | undefined {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { halted, halt_height, cleared_height, committed_height, decided_height } =
    value as Partial<HaltReport>
  const hasForm =
    typeof halted === 'boolean' &&
    [halt_height, cleared_height].every((height) => height === null || isHeight(height)) &&
    [committed_height, decided_height].every(isHeight)
  return hasForm ? (value as HaltReport) : undefined
}

/** Blocks whose commit is withheld. */
export const withheldBlocks = ({ committed_height, decided_height }: HaltReport): number =>
  Number(decided_height) - Number(committed_height)
