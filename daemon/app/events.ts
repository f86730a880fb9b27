import type * as abci from 'cosmjs-types/tendermint/abci/types'
import type { Event } from '../../core/journal.ts'

/** CometBFT's form; every attribute is indexed. `mode` is added to events of begin and end block, as the SDK does. */
export function abciEvents(events: readonly Event[], mode?: 'BeginBlock' | 'EndBlock'): abci.Event[] {
  return events.map(({ type, attributes }) => {
    const list = attributes.map(([key, value]) => ({ key, value, index: true }))
    if (mode !== undefined) list.push({ key: 'mode', value: mode, index: true })
    return { type, attributes: list }
  })
}
