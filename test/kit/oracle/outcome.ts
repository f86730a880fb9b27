import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type {
  Event,
  ExecTxResult,
  ResponseFinalizeBlock,
  ValidatorUpdate,
} from 'cosmjs-types/tendermint/abci/types'
import { toHex } from '../../../core/bytes.ts'
import type { Json } from '../../../core/wire/json.ts'
import { plain } from './plain.ts'
import type { Subject } from './subject.ts'

const attribute = (event: Event, key: string): string | undefined =>
  event.attributes.find((a) => a.key === key)?.value

/**
 * What simd's mint module does at the front of each block where nothing is minted: an empty transfer, and its own
 * event.
 */
function withoutMinting(events: readonly Event[]): readonly Event[] {
  const mint = events.findIndex((e) => e.type === 'mint')
  return mint < 0 ? events : events.slice(mint + 1)
}

/** Signatures cover addresses, and the text of an error is each implementation's own. */
function comparable(event: Event): Json {
  const attributes = event.attributes.map(({ key, value }): Json => {
    if (event.type === 'tx' && key === 'signature') return [key, '(its own)']
    if (key === 'proposal_log')
      return [key, value.replace(/failed on execution: .*$/s, 'failed on execution')]
    return [key, plain(value)]
  })
  return { type: event.type, attributes }
}

/** As a set: CometBFT sorts them itself. */
export function comparableUpdates(list: readonly ValidatorUpdate[]): Json {
  const powers = list.map(({ pubKey, power }) => [toHex(pubKey.ed25519!), power.toString()] as const)
  return powers.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, power]) => ({ key, power }))
}

/** A transaction's result as both chains must have it: everything but gas and the log's wording. */
function comparableTx(result: ExecTxResult): Json {
  return {
    code: `${result.codespace}/${result.code}`,
    data: plain(TxMsgData.decode(result.data).msgResponses),
    events: result.events.map(comparable),
  }
}

/**
 * A block's results as both chains must have them. `mode` tells begin-block events from end-block ones; one without it
 * is of genesis, which the SDK tells with the first block.
 */
export function comparableBlock(subject: Subject, response: ResponseFinalizeBlock, minting: boolean): Json {
  const begin = response.events.filter((e) => attribute(e, 'mode') === 'BeginBlock')
  const end = response.events.filter((e) => attribute(e, 'mode') === 'EndBlock')
  return {
    beginBlock: (minting || !subject.has('mint') ? begin : withoutMinting(begin)).map(comparable),
    txs: response.txResults.map(comparableTx),
    endBlock: end.map(comparable),
    validatorUpdates: comparableUpdates(response.validatorUpdates),
  }
}
