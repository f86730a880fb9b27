import { CheckTxType } from 'cosmjs-types/tendermint/abci/types'
import { QUERY_GAS } from '../../daemon/app/query-meter.ts'
import {
  type BlockCosts,
  executedBlocks,
  fullExecutedBlock,
  fullRefusedBlock,
  type Idle,
  idleBlock,
  refusedBlocks,
} from './blocks.ts'
import { checkAll } from './mempool.ts'
import { processorMs } from './processor.ts'
import { queryCosts, routeCosts, simulationCosts } from './queries.ts'
import { queuedWork } from './queues.ts'
import { describeFound, searchCheckTx, searchFinalizeBlock } from './search.ts'
import { Subject } from './subject.ts'
import { type Cost, printTable, ratioTo } from './table.ts'
import { extendedCommitCosts, extensionCosts, preparationCosts } from './votes.ts'

/**
 * The dearest input for each stage of the application, against an ordinary refused send, and three rules: nothing
 * refused costs ten times what as many bytes of ordinary refused sends do, no admissible block takes a slot, and no
 * query takes a tenth of a second.
 */
const SECONDS = Number(process.env['HOSTILE_SECONDS'] ?? 60)
const SEED = Number(process.env['HOSTILE_SEED'] ?? 1)
const ROWS = Number(process.env['ROWS'] ?? 10)
const MOST_TIMES = 10
const SLOT_MS = 5_000
const MOST_QUERY_MS = 100

const broken = { refusals: [] as string[], blocks: [] as string[], queries: [] as string[] }
const isRefused = ({ outcome }: Cost): boolean => !/^(?:\/0|accepted|proposed)$/.test(outcome)

/** Prints a stage, and notes what is refused at too high a price. */
function tell(stage: string, costs: readonly Cost[], judged: (cost: Cost) => boolean = isRefused): void {
  printTable(stage, costs, ROWS)
  for (const cost of costs.slice(1)) {
    const ratio = ratioTo(costs[0]!, cost)
    if (ratio > MOST_TIMES && judged(cost))
      broken.refusals.push(`${stage}: ${cost.name}, ${ratio.toFixed(1)} times (${cost.outcome})`)
  }
}

function noteBlock(name: string, ms: number): void {
  if (ms > SLOT_MS) broken.blocks.push(`${name}: ${ms.toFixed(0)} ms`)
}

async function mempool(subject: Subject): Promise<void> {
  tell('CheckTx', await checkAll(subject, CheckTxType.NEW))
  tell('recheck', await checkAll(subject, CheckTxType.RECHECK))
}

async function votes(subject: Subject): Promise<void> {
  tell('VerifyVoteExtension, to an honest report', await extensionCosts(subject))
  tell('PrepareProposal, to honest votes', await preparationCosts(subject))
  tell('ProcessProposal, extended commits, to an honest one', await extendedCommitCosts(subject))
}

const dearest = (blocks: readonly BlockCosts[]): BlockCosts[] =>
  blocks.filter((b) => b.isAdmissible).sort((a, b) => b.fullMs - a.fullMs)

async function blocks(subject: Subject, idle: Idle): Promise<void> {
  const executed = await executedBlocks(subject, idle)
  const refused = await refusedBlocks(subject, idle)
  tell(
    'ProcessProposal',
    refused.map((b) => b.process),
  )
  // What ProcessProposal rejects is in no block that is executed.
  const admissible = refused.filter((b) => b.isAdmissible).map((b) => b.finalize)
  tell('FinalizeBlock and Commit, refused', admissible)
  printTable(
    'FinalizeBlock and Commit, carried out',
    executed.map((b) => b.finalize),
    30,
  )
  console.log('\nwhole blocks: the dearest, reckoned from a quarter of one, and played')
  for (const { finalize, fullMs } of dearest([...executed, ...refused]).slice(0, 12)) {
    console.log(`  ${fullMs.toFixed(0).padStart(6)} ms  ${finalize.name}`)
    noteBlock(finalize.name, fullMs)
  }
  for (const { finalize } of dearest(executed).slice(0, 3))
    show(finalize.name, await fullExecutedBlock(subject, finalize.name))
  const others = dearest(refused).filter(({ finalize }) => finalize.name !== 'ordinary send')
  for (const one of others.slice(0, 5)) show(one.finalize.name, await fullRefusedBlock(subject, one))
}

function show(name: string, block: Awaited<ReturnType<typeof fullExecutedBlock>>): void {
  const { processMs, finalizeMs, commitMs, totalMs, isAdmissible } = block
  const parts = [processMs, finalizeMs, commitMs].map((ms) => ms.toFixed(0)).join(' + ')
  console.log(
    `  ${totalMs.toFixed(0).padStart(6)} ms  ${name}, played: ${parts}${isAdmissible ? '' : ', rejected'}`,
  )
  if (isAdmissible) noteBlock(name, totalMs)
}

/** Queries and the like by their time, and the gas that the dearest of them might take in a tenth of a second. */
function tellQueries(stage: string, costs: readonly Cost[]): void {
  console.log(`\n${stage}`)
  console.log(
    `  ${'ms'.padStart(8)} ${'bytes'.padStart(8)} ${'gas'.padStart(10)} ${'µs/1,000 gas'.padStart(13)}`,
  )
  for (const { name, ms, bytes, gas, outcome } of [...costs].sort((a, b) => b.ms - a.ms).slice(0, ROWS)) {
    const perGas = gas > 0 ? ((ms / gas) * 1_000_000).toFixed(1) : ''
    console.log(
      `  ${ms.toFixed(1).padStart(8)} ${`${bytes}`.padStart(8)} ${`${gas}`.padStart(10)} ${perGas.padStart(13)}  ${name} (${outcome})`,
    )
  }
  for (const { name, ms } of costs)
    if (ms > MOST_QUERY_MS) broken.queries.push(`${name}: ${ms.toFixed(0)} ms`)
  // What costs by its bytes is bounded by them.
  const metered = costs
    .filter(({ gas, bytes }) => gas > 300_000 && gas > 20 * bytes)
    .sort((a, b) => b.ms / b.gas - a.ms / a.gas)
  for (const { name, ms, gas } of metered.slice(0, 3)) {
    const allowed = (MOST_QUERY_MS / ms) * gas
    console.log(`  ${(allowed / 1e6).toFixed(1)} million gas of ${name} take ${MOST_QUERY_MS} ms`)
    if (allowed < Number(QUERY_GAS))
      broken.queries.push(
        `${name}: ${((Number(QUERY_GAS) / gas) * ms).toFixed(0)} ms for the ${QUERY_GAS} gas that a query may use`,
      )
  }
}

async function queues(subject: Subject, idle: Idle): Promise<void> {
  console.log('\nwork that waits in state for one block')
  for (const { name, entries, ms, gas } of await queuedWork(subject, idle)) {
    const many = SLOT_MS / (ms / entries)
    console.log(
      `  ${((ms / entries) * 1000).toFixed(0)} µs each, ${(gas / entries).toFixed(0)} gas paid before: ${many.toFixed(0)} take a slot, ${((many * gas) / entries / 1e8).toFixed(0)} full blocks of gas; ${name}`,
    )
  }
}

async function search(subject: Subject): Promise<void> {
  console.log(`\nsearch, seed ${SEED}, ${SECONDS} s`)
  const check = await searchCheckTx(subject, SEED, SECONDS / 2)
  console.log(`  CheckTx: ${describeFound(check)}`)
  if (check.ratio > MOST_TIMES)
    broken.refusals.push(`CheckTx, found by search: ${check.ratio.toFixed(1)} times`)
  const deliver = await searchFinalizeBlock(subject, SEED, SECONDS / 2)
  console.log(`  FinalizeBlock, for its gas: ${describeFound(deliver)}`)
}

function verdict(number: number, rule: string, against: readonly string[]): void {
  console.log(`${against.length === 0 ? 'PASS' : 'FAIL'} (${number}) ${rule}`)
  for (const line of against) console.log(`     ${line}`)
}

const subject = await Subject.start()
const stages: readonly (readonly [string, () => Promise<void>])[] = [
  ['mempool', () => mempool(subject)],
  ['votes', () => votes(subject)],
  ['blocks', async () => blocks(subject, await idleBlock(subject))],
  ['search', () => search(subject)],
  [
    'queries',
    async () => {
      tellQueries('queries', await queryCosts(subject))
      tellQueries('REST routes', await routeCosts(subject))
      tellQueries('simulations', await simulationCosts(subject))
    },
  ],
  ['queues', async () => queues(subject, await idleBlock(subject))],
]
const only = process.env['STAGES']?.split(',')
for (const [name, run] of stages) {
  if (only !== undefined && !only.includes(name)) continue
  const started = processorMs()
  await run()
  console.log(`  ${name}: ${((processorMs() - started) / 1000).toFixed(0)} s of processor time`)
}
await subject.stop()
console.log()
verdict(
  1,
  `nothing refused costs ${MOST_TIMES} times as many bytes of ordinary refused sends`,
  broken.refusals,
)
verdict(2, `no admissible block takes ${SLOT_MS} ms`, broken.blocks)
verdict(3, `no query, route or simulation takes ${MOST_QUERY_MS} ms`, broken.queries)
process.exitCode = Object.values(broken).some((list) => list.length > 0) ? 1 : 0
