import type * as abci from 'cosmjs-types/tendermint/abci/types'
import type { Event } from '../../core/journal.ts'

/** Attributes by which nobody looks for transactions; CometBFT's index is a third smaller without them. */
const UNINDEXED: ReadonlySet<string> = new Set(['tx.signature', 'coin_spent.amount', 'coin_received.amount'])

const isIndexed = (type: string, key: string): boolean =>
  key !== 'msg_index' && key !== 'mode' && !UNINDEXED.has(`${type}.${key}`)

/** CometBFT's form. `mode` is added to events of begin and end block, as the SDK does. */
export function abciEvents(events: readonly Event[], mode?: 'BeginBlock' | 'EndBlock'): abci.Event[] {
  return events.map(({ type, attributes }) => {
    const list = attributes.map(([key, value]) => ({ key, value, index: isIndexed(type, key) }))
    if (mode !== undefined) list.push({ key: 'mode', value: mode, index: false })
    return { type, attributes: list }
  })
}
