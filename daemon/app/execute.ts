import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { formatAddress } from '../../core/address.ts'
import { NO_BYTES } from '../../core/bytes.ts'
import { type Block, Context, type MessageRouter, type Mode } from '../../core/context.ts'
import { ChainError, rethrowExhaustion, sdk } from '../../core/error.ts'
import { type GasMeter, gasMeter } from '../../core/gas.ts'
import type { Event, Journal } from '../../core/journal.ts'
import { type DecodedTx, signersOf } from '../../core/tx/decode.ts'
import { nameOfUrl, packAny } from '../../core/wire/registry.ts'
import {
  type AnteOptions,
  checkSelfAuthenticatedForm,
  checkTxForm,
  MAX_GAS_WANTED,
  runAnte,
  runSelfAuthenticatedAnte,
} from '../../modules/ante/api.ts'
import type { AppTx, FormTx, SdkTx } from './app-tx.ts'
import { asChainError } from './internal-error.ts'
import type { Router } from './router.ts'

/** The outcome of a transaction that was run. `error` is what refused it; its ante part may stand all the same. */
export interface TxOutcome {
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  readonly events: readonly Event[]
  /** TxMsgData: the messages' responses. Empty where it was refused. */
  readonly data: Uint8Array
  readonly error?: ChainError
}

export interface Execution {
  readonly router: Router
  /** Runs messages for modules. */
  readonly messages: MessageRouter
  readonly ante: AnteOptions
  readonly onInternalError: (error: unknown) => void
}

/** The context in which a block, the genesis or a transaction is executed. Without a meter, its gas has no limit. */
export const executing = (
  { router, messages }: Execution,
  journal: Journal,
  block: Block,
  mode: Mode,
  gas: GasMeter = gasMeter(),
): Context => new Context(journal, block, mode, gas, router.listeners, messages)

/** Throws sdk/18 where there is no message, sdk/6 for one that nobody takes and sdk/2 for one that is badly encoded. */
function requireHandlers(router: Router, tx: DecodedTx): void {
  if (tx.messages.length === 0) throw sdk.invalidRequest('must contain at least one message')
  for (const { typeUrl, value } of tx.messages) {
    const message = router.messages.get(typeUrl)
    if (message === undefined) throw sdk.unknownRequest(`no message handler found for ${typeUrl}`)
    message.handler.checkEncoding?.(value)
  }
}

/** The same and the messages' stateless checks, which the mempool asks before a fee is due. Throws their codes too. */
export function checkMessages(router: Router, tx: DecodedTx): void {
  requireHandlers(router, tx)
  for (const { typeUrl, value } of tx.messages) router.messages.get(typeUrl)!.handler.check?.(value)
}

/** Whether a transaction proves itself, without signers and a fee. */
export const isSelfAuthenticated = (router: Router, tx: AppTx): boolean =>
  tx.form === undefined && authenticatorOf(router, tx.tx) !== undefined

/** The proof that a message carries itself, in place of a transaction's signatures; nothing where it has none. */
function authenticatorOf(router: Router, tx: DecodedTx): ((ctx: Context) => void) | undefined {
  for (const { typeUrl, value } of tx.messages) {
    const authenticate = router.messages.get(typeUrl)?.handler.authenticate
    if (authenticate !== undefined) return (ctx) => authenticate(ctx, value)
  }
  return undefined
}

function checkForm(router: Router, tx: DecodedTx): void {
  if (authenticatorOf(router, tx) === undefined) checkTxForm(tx)
  else checkSelfAuthenticatedForm(tx)
}

function ante({ router, ante: options }: Execution, ctx: Context, tx: DecodedTx): void {
  const authenticate = authenticatorOf(router, tx)
  if (authenticate === undefined) runAnte(ctx, tx, options)
  else runSelfAuthenticatedAnte(ctx, tx, () => authenticate(ctx))
}

/** CheckTx and recheck: everything but the messages. What passes stays in the journal, so that sequences follow. */
export function checkTx(
  execution: Execution,
  journal: Journal,
  block: Block,
  mode: 'check' | 'recheck',
  appTx: AppTx,
): TxOutcome {
  const { gasWanted } = appTx
  const gas = gasMeter(gasWanted)
  const ctx = executing(execution, journal, block, mode, gas)
  try {
    if (appTx.form !== undefined) {
      const { form, tx } = appTx
      journal.attempt(() => form.check(ctx, tx, execution.ante.minimumGasPrices))
    } else {
      const { tx } = appTx
      if (mode === 'check') {
        checkForm(execution.router, tx)
        checkMessages(execution.router, tx)
      }
      journal.attempt(() => ante(execution, ctx, tx))
    }
    return { gasWanted, gasUsed: gas.consumed, events: [], data: NO_BYTES }
  } catch (error) {
    return {
      gasWanted,
      gasUsed: gas.consumed,
      events: [],
      data: NO_BYTES,
      error: asChainError(error, mode, execution.onInternalError),
    }
  }
}

/** Gas that a simulation may use: it runs on the thread that decides blocks. */
export const SIMULATION_GAS = 50_000_000n

/** Gas for what has no limit of its own. */
const limits: Partial<Record<Mode, bigint>> = { simulate: SIMULATION_GAS, genesis: MAX_GAS_WANTED }

/**
 * Runs a transaction on a journal without open checkpoints: its fee and sequence stand even where a message fails.
 * `pause` is waited for before each message, where it answers something.
 */
export async function runTx(
  execution: Execution,
  journal: Journal,
  block: Block,
  mode: Extract<Mode, 'deliver' | 'simulate' | 'genesis'>,
  { tx, gasWanted }: SdkTx,
  pause?: () => Promise<void> | undefined,
): Promise<TxOutcome> {
  const gas = gasMeter(limits[mode] ?? gasWanted)
  const ctx = executing(execution, journal, block, mode, gas)
  journal.takeEvents()
  try {
    checkForm(execution.router, tx)
    requireHandlers(execution.router, tx)
    journal.attempt(() => ante(execution, ctx, tx))
  } catch (error) {
    const refused = asChainError(error, mode, execution.onInternalError)
    return { gasWanted, gasUsed: gas.consumed, events: [], data: NO_BYTES, error: refused }
  }
  const anteEvents = journal.takeEvents()
  journal.checkpoint()
  try {
    const data = await runMessages(execution.router, ctx, tx, pause)
    journal.commit()
    const events = [...anteEvents, ...journal.takeEvents()]
    return { gasWanted, gasUsed: gas.consumed, events, data }
  } catch (error) {
    const refused = asChainError(error, mode, execution.onInternalError)
    while (journal.depth > 0) journal.revert()
    return { gasWanted, gasUsed: gas.consumed, events: anteEvents, data: NO_BYTES, error: refused }
  }
}

/**
 * The same for a transaction of a module's form. What the module does not refuse by a ChainError is a fault of the
 * program's, and ends the node: there is no outcome that others would have too.
 */
export function runFormTx(
  execution: Execution,
  journal: Journal,
  block: Block,
  { form, tx, gasWanted }: FormTx,
): TxOutcome {
  journal.takeEvents()
  try {
    const ctx = executing(execution, journal, block, 'deliver')
    const { gasUsed, data, error } = journal.attempt(() => form.run(ctx, tx))
    const outcome = { gasWanted, gasUsed, events: journal.takeEvents(), data: data ?? NO_BYTES }
    return error === undefined ? outcome : { ...outcome, error }
  } catch (error) {
    rethrowExhaustion(error)
    if (!(error instanceof ChainError)) throw error
    return { gasWanted, gasUsed: 0n, events: [], data: NO_BYTES, error }
  }
}

/** Runs the messages in order and answers TxMsgData. Each message's events carry its index, as the SDK's do. */
async function runMessages(
  router: Router,
  ctx: Context,
  tx: DecodedTx,
  pause?: () => Promise<void> | undefined,
): Promise<Uint8Array> {
  const msgResponses = []
  const all: Event[] = []
  for (const [i, { typeUrl, value }] of tx.messages.entries()) {
    const { handler, output } = router.messages.get(typeUrl)!
    const waiting = pause?.()
    if (waiting !== undefined) await waiting
    const from = ctx.journal.events.length
    handler.check?.(value)
    const running = handler.run(ctx, value)
    const response = running instanceof Promise ? await running : running
    msgResponses.push(packAny(output, response))
    for (const event of messageEvents(ctx.journal.events.slice(from), i, typeUrl, value)) all.push(event)
  }
  ctx.journal.replaceEvents(all)
  return TxMsgData.encode({ data: [], msgResponses }).finish()
}

function messageEvents(events: readonly Event[], index: number, typeUrl: string, value: unknown): Event[] {
  const attributes: [string, string][] = [['action', typeUrl]]
  const signer = signersOf({ typeUrl, value })[0]
  if (signer !== undefined) attributes.push(['sender', formatAddress(signer)])
  if (!events.some((e) => e.attributes.some(([key]) => key === 'module')))
    attributes.push(['module', nameOfUrl(typeUrl).split('.')[1]!])
  const tag = ['msg_index', String(index)] as const
  return [{ type: 'message', attributes }, ...events].map((e) => ({
    type: e.type,
    attributes: [...e.attributes, tag],
  }))
}
