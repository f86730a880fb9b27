import type { CheckTxType } from 'cosmjs-types/tendermint/abci/types'
import { ordinary, type Refused } from './inputs.ts'
import { typical } from './processor.ts'
import { refusedInputs } from './refused.ts'
import type { Subject } from './subject.ts'
import { type Cost, ratioTo } from './table.ts'

/** At two sizes it is seen what grows faster than its bytes; the mempool takes up to 1 MiB. */
const SIZES = [64 * 1024, 512 * 1024] as const

/** Inputs nobody has seen, as many as a measurement needs. */
function variants(subject: Subject, { size, make }: Refused, wanted: number): Uint8Array[] {
  const bytes = size ?? wanted
  const count = bytes > 300_000 ? 2 : bytes > 20_000 ? 8 : 200
  return Array.from({ length: count }, (_, turn) => make(subject, turn + Math.floor(bytes), bytes))
}

async function costOf(subject: Subject, input: Refused, size: number, type: CheckTxType): Promise<Cost> {
  const { app } = subject.chain
  const txs = variants(subject, input, size)
  const { code, codespace, gasUsed } = app.checkTx({ tx: txs[0]!, type })
  const ms = await typical((turn) => app.checkTx({ tx: txs[turn % txs.length]!, type }))
  const bytes = txs.reduce((sum, tx) => sum + tx.length, 0) / txs.length
  return { name: input.name, bytes, gas: Number(gasUsed), ms, outcome: `${codespace}/${code}` }
}

/** Beyond this, a measurement is made again before it is believed: noise only adds. */
const DOUBTFUL = 5

/** CheckTx of everything that is refused, at the size that costs most for its bytes; the ordinary send comes first. */
export async function checkAll(subject: Subject, type: CheckTxType): Promise<Cost[]> {
  const usual = await ordinaryCost(subject, type)
  const costs: Cost[] = []
  for (const input of refusedInputs) {
    let dearest: Cost | undefined
    for (const size of input.size === undefined ? SIZES : [input.size]) {
      let cost = await costOf(subject, input, size, type)
      for (let i = 0; i < 2 && ratioTo(usual, cost) > DOUBTFUL; i++) {
        const again = await costOf(subject, input, size, type)
        if (again.ms < cost.ms) cost = again
      }
      if (dearest === undefined || cost.ms / cost.bytes > dearest.ms / dearest.bytes) dearest = cost
    }
    costs.push(dearest!)
  }
  return [usual, ...costs]
}

/** When it is warm. */
async function ordinaryCost(subject: Subject, type: CheckTxType): Promise<Cost> {
  let last = await costOf(subject, ordinary, 0, type)
  for (let i = 0; i < 7; i++) last = await costOf(subject, ordinary, 0, type)
  return last
}
