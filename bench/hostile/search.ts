import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { CheckTxType } from 'cosmjs-types/tendermint/abci/types'
import { toHex } from '../../core/bytes.ts'
import { Journal } from '../../core/journal.ts'
import type { Any } from '../../core/wire/registry.ts'
import { sdkTx } from '../../daemon/app/app-tx.ts'
import { runTx } from '../../daemon/app/execute.ts'
import { mutated } from '../../test/kit/hostile/fuzz.ts'
import { mutatedAnyMessage } from '../../test/kit/oracle/wire-mutation.ts'
import { pick, type Random, randomness } from '../../test/kit/random.ts'
import { executedInputs } from './executed.ts'
import { ordinary } from './inputs.ts'
import { processorMs } from './processor.ts'
import { refusedInputs } from './refused.ts'
import type { Subject } from './subject.ts'
import { transaction } from './transaction.ts'

/** The dearest input that mutations came upon, as a ratio to the ordinary send. */
export interface Found {
  readonly ratio: number
  readonly of: string
  readonly tx: Uint8Array
  readonly tried: number
  /** Of a thousand gas, where it was judged by its gas. */
  readonly micros?: number
}

interface Candidate {
  readonly of: string
  readonly tx: Uint8Array
  readonly score: number
}

const MAX_BYTES = 8 * 1024
const POOL = 24

/** The least of so many runs: what is left of noise makes it larger, never smaller. */
async function least(runs: number, run: () => unknown): Promise<number> {
  let ms = Number.POSITIVE_INFINITY
  for (let i = 0; i < runs; i++) {
    const before = processorMs()
    await run()
    ms = Math.min(ms, processorMs() - before)
  }
  return ms
}

/** Its messages, of which one has a field changed, or comes twice. */
function withMutatedMessage(random: Random, tx: Uint8Array): Uint8Array {
  try {
    const raw = TxRaw.decode(tx)
    const body = TxBody.decode(raw.bodyBytes)
    const at = random(Math.max(1, body.messages.length))
    const chosen = body.messages[at]
    if (chosen === undefined) return mutated(random, tx)
    const messages = body.messages.slice()
    if (random(6) === 0 && messages.length < 60) messages.push(chosen)
    else messages[at] = mutatedAnyMessage(random, 'fornax', chosen)
    return TxRaw.encode({ ...raw, bodyBytes: TxBody.encode({ ...body, messages }).finish() }).finish()
  } catch {
    // What does not decode has no fields to change.
    return mutated(random, tx)
  }
}

/**
 * Climbs: of the dearest inputs so far one is changed, and stays where it is dearer than the least of them. `ratioOf` tells
 * how dear one is; the best is measured again before it is believed.
 */
async function climb(
  seconds: number,
  pool: Candidate[],
  change: (candidate: Candidate) => Pick<Candidate, 'of' | 'tx'> | undefined,
  random: Random,
  ratioOf: (tx: Uint8Array, runs: number) => Promise<number>,
): Promise<Found> {
  const until = processorMs() + seconds * 1000
  let tried = 0
  while (processorMs() < until) {
    const next = change(pick(random, pool))
    tried++
    if (next === undefined || next.tx.length > MAX_BYTES) continue
    const floor = pool.at(-1)!.score
    if ((await ratioOf(next.tx, 1)) <= floor) continue
    const score = await ratioOf(next.tx, 5)
    if (score <= floor) continue
    pool.push({ ...next, score })
    pool.sort((a, b) => b.score - a.score)
    pool.length = Math.min(pool.length, POOL)
  }
  let best = pool[0]!
  let ratio = 0
  for (const candidate of pool.slice(0, 5)) {
    const score = await ratioOf(candidate.tx, 15)
    if (score > ratio) [best, ratio] = [candidate, score]
  }
  return { ratio, of: best.of, tx: best.tx, tried }
}

/** Looks for transactions that are dearer to refuse in CheckTx than as many bytes of ordinary sends. */
export async function searchCheckTx(subject: Subject, seed: number, seconds: number): Promise<Found> {
  const { app, state } = subject.chain
  const random = randomness(seed)
  const check = (tx: Uint8Array): unknown => {
    try {
      return app.checkTx({ tx, type: CheckTxType.NEW })
    } finally {
      // One that passed must not be in the way of the next.
      state.checked = new Journal(state.working)
    }
  }
  const base = ordinary.make(subject, 1, 300)
  for (let i = 0; i < 300; i++) check(base)
  const baseMs = await least(200, () => check(base))
  const ratioOf = async (tx: Uint8Array, runs: number): Promise<number> =>
    (await least(runs, () => check(tx))) / (baseMs * Math.max(1, Math.floor(tx.length / base.length)))
  const pool: Candidate[] = []
  for (const { name, size, make } of [ordinary, ...refusedInputs]) {
    const tx = make(subject, 3, size ?? 2048)
    if (tx.length <= MAX_BYTES) pool.push({ of: name, tx, score: await ratioOf(tx, 5) })
  }
  pool.sort((a, b) => b.score - a.score)
  const change = ({ of, tx }: Candidate) => ({
    of,
    tx: random(2) === 0 ? mutated(random, tx) : withMutatedMessage(random, tx),
  })
  return climb(seconds, pool, change, random, ratioOf)
}

/** Looks for messages that are dearer to carry out than an ordinary send for the same gas. */
export async function searchFinalizeBlock(subject: Subject, seed: number, seconds: number): Promise<Found> {
  const { state } = subject.chain
  const random = randomness(seed)
  const by = subject.users[5]!
  const deliver = async (tx: Uint8Array): Promise<number> => {
    try {
      const outcome = await runTx(
        state.execution,
        new Journal(state.working),
        state.nextBlock,
        'deliver',
        sdkTx(tx),
      )
      return Number(outcome.gasUsed)
    } catch {
      return 0
    }
  }
  const sign = (messages: readonly Any[]): Uint8Array =>
    transaction(by, messages, { gas: 20_000_000n, isSigned: true })
  const send = executedInputs[0]!
  const base = sign(send.messages(subject, 1, by))
  for (let i = 0; i < 100; i++) await deliver(base)
  const baseGas = await deliver(base)
  const perGas = (await least(100, () => deliver(base))) / baseGas
  const ratioOf = async (tx: Uint8Array, runs: number): Promise<number> => {
    const gas = await deliver(tx)
    // What is refused before its fee is due is the mempool's search.
    if (gas < baseGas / 3) return 0
    return (await least(runs, () => deliver(tx))) / (perGas * gas)
  }
  const pool: Candidate[] = []
  for (const input of executedInputs) {
    const tx = sign(input.messages(subject, 2, by))
    if (tx.length <= MAX_BYTES) pool.push({ of: input.name, tx, score: await ratioOf(tx, 3) })
  }
  pool.sort((a, b) => b.score - a.score)
  const change = ({ of, tx }: Candidate) => {
    try {
      const { messages } = TxBody.decode(TxRaw.decode(withMutatedMessage(random, tx)).bodyBytes)
      return { of, tx: sign(messages) }
    } catch {
      return undefined
    }
  }
  const found = await climb(seconds, pool, change, random, ratioOf)
  return { ...found, micros: found.ratio * perGas * 1_000_000 }
}

export const describeFound = ({ ratio, of, tx, tried, micros }: Found): string =>
  `${ratio.toFixed(2)} times an ordinary send${micros === undefined ? '' : ` (${micros.toFixed(1)} µs for 1,000 gas)`}, from ${JSON.stringify(of)}, ${tx.length} bytes, ${tried} tried: ${toHex(tx).slice(0, 2000)}`
