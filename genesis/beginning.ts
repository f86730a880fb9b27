import { equalBytes, sha256, utf8 } from '../core/bytes.ts'
import { nanosecondsOf, parseTimestamp } from '../core/time.ts'
import type { Json } from '../core/wire/json.ts'
import type { GenesisDocument } from './document.ts'

/** What a chain begins with, but for the consensus parameters, which CometBFT completes. */
export interface Beginning {
  readonly chainId: string
  readonly initialHeight: bigint
  readonly timeNs: bigint
  readonly appStateHash: Uint8Array
}

/** The hash of JSON whose order of names and whose spaces do not matter. */
export const hashOfJson = (value: Json): Uint8Array => sha256(utf8(canonical(value)))

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`
}

/** The beginning that a valid genesis file describes. */
export const beginningOf = ({
  chain_id,
  initial_height,
  genesis_time,
  app_state,
}: GenesisDocument): Beginning => ({
  chainId: chain_id,
  initialHeight: BigInt(initial_height),
  timeNs: nanosecondsOf(parseTimestamp(genesis_time)),
  appStateHash: hashOfJson(app_state as unknown as Json),
})

/** What is another in two beginnings of one chain id; undefined where nothing is. */
export function differenceOf(one: Beginning, other: Beginning): string | undefined {
  if (!equalBytes(one.appStateHash, other.appStateHash)) return 'app_state'
  if (one.timeNs !== other.timeNs) return 'genesis_time'
  return one.initialHeight === other.initialHeight ? undefined : 'initial_height'
}
