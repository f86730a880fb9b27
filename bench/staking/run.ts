import { existsSync } from 'node:fs'
import type { RequestFinalizeBlock, ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import { toHex } from '../../core/bytes.ts'
import { DENOM, POWER } from '../../test/kit/oracle/cast.ts'
import { Consensus } from '../../test/kit/oracle/consensus.ts'
import { delegate, type Operation } from '../../test/kit/oracle/messages.ts'
import { signAll } from '../../test/kit/oracle/signing.ts'
import { tempDir } from '../../test/kit/temp-dir.ts'
import { delegatorName, genesisOf, validatorName } from './genesis.ts'
import { type Measured, type Spent, startFornax, startSimd } from './subjects.ts'

/**
 * Blocks of a chain with many delegations, on simd and on Fornax in turns, each behind its ABCI socket: every
 * validator votes, every other block has transactions that pay fees and move power, which the next one shares out.
 */
const VALIDATORS = Number(process.env['VALIDATORS'] ?? 100)
const DELEGATIONS = Number(process.env['DELEGATIONS'] ?? 100_000)
const BLOCKS = Number(process.env['BLOCKS'] ?? 200)
const TXS = 10
const WARM_UP = 20
const simd = '.cache/bin/simd'

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

class Runner {
  readonly subject: Measured
  readonly times = { empty: [] as number[], busy: [] as number[], commit: [] as number[] }
  genesisMs = 0
  appHash = ''
  /** Of the process, over all counted blocks. */
  cpuMs = 0
  before: Spent = { begin: {}, end: {} }
  #consensus!: Consensus

  constructor(subject: Measured) {
    this.subject = subject
  }

  async begin(): Promise<void> {
    const request = genesisOf(this.subject, VALIDATORS, DELEGATIONS)
    const started = performance.now()
    const { validators } = await this.subject.initChain(request)
    this.#consensus = new Consensus(validators)
    await this.block(0)
    this.genesisMs = performance.now() - started
  }

  /** Plays a block; answers what must be the same on all chains. */
  async block(number: number): Promise<string> {
    const isBusy = number % 2 === 1
    const txs = isBusy ? await signAll(this.subject, delegations(number)) : []
    const request = this.#consensus.next({ txs })
    const answer = await this.#timed(request, number > WARM_UP, isBusy ? 'busy' : 'empty')
    this.#consensus.decided(request, answer.validatorUpdates)
    return [
      ...answer.txResults.map(({ code, log }) => `${code} ${log}`),
      ...answer.validatorUpdates.map(({ pubKey, power }) => `${toHex(pubKey.ed25519!)} ${power}`).sort(),
    ].join('\n')
  }

  async #timed(
    request: RequestFinalizeBlock,
    counts: boolean,
    kind: 'empty' | 'busy',
  ): Promise<ResponseFinalizeBlock> {
    const cpuBefore = this.subject.cpuMs()
    const started = performance.now()
    const answer = await this.subject.finalizeBlock(request)
    const finalized = performance.now()
    this.appHash = toHex(answer.appHash)
    await this.subject.commit()
    if (counts) {
      this.times[kind].push(finalized - started)
      this.times.commit.push(performance.now() - finalized)
      this.cpuMs += this.subject.cpuMs() - cpuBefore
    }
    return answer
  }
}

const delegations = (block: number): Operation[] =>
  Array.from({ length: TXS }, (_, i) => ({
    ...delegate(delegatorName(i), validatorName((block * 7 + i * 13) % VALIDATORS), POWER),
    fee: [{ denom: DENOM, amount: '5000' }],
  }))

const ms = (value: number): string => `${value.toFixed(2)} ms`

function report(runner: Runner, spent: Spent): number {
  const { subject, times, genesisMs, before } = runner
  console.log(`${subject.label}`)
  console.log(
    `  FinalizeBlock, median: empty ${ms(median(times.empty))}, with ${TXS} delegations ${ms(median(times.busy))}; Commit ${ms(median(times.commit))}`,
  )
  let total = 0
  for (const phase of ['begin', 'end'] as const) {
    const parts = Object.entries(spent[phase])
      .map(([module, sum]) => [module, (sum - (before[phase][module] ?? 0)) / (BLOCKS - WARM_UP)] as const)
      .filter(([, mean]) => mean >= 0.005)
    const sum = parts.reduce((all, [, mean]) => all + mean, 0)
    total += sum
    const list = parts.map(([module, mean]) => `${module} ${mean.toFixed(2)}`).join(', ')
    console.log(`  ${phase} block, mean: ${ms(sum)} (${list})`)
  }
  console.log(
    `  processor time of a block with its Commit, all threads: ${ms(runner.cpuMs / (BLOCKS - WARM_UP))}`,
  )
  console.log(
    `  resident ${(subject.resident() / 2 ** 20).toFixed(0)} MiB; genesis and first block ${(genesisMs / 1000).toFixed(1)} s; app hash ${runner.appHash.slice(0, 16)}`,
  )
  return total
}

if (!existsSync(simd)) {
  console.error('simd is missing: run `make peers`')
  process.exit(1)
}
const dir = tempDir()
try {
  console.log(
    `staking: ${VALIDATORS} validators, ${DELEGATIONS} delegations, ${BLOCKS} blocks with all votes, every other with ${TXS} delegations`,
  )
  const runners: Runner[] = []
  for (const start of [
    () => startSimd(simd, dir.path),
    () => startFornax(dir.path, 'sdk'),
    () => startFornax(dir.path, 'all'),
  ])
    runners.push(new Runner(await start()))
  for (const runner of runners) await runner.begin()
  for (let number = 1; number <= BLOCKS; number++) {
    const answers: string[] = []
    for (const runner of runners) answers.push(await runner.block(number))
    if (new Set(answers).size > 1)
      throw new Error(`block ${number} came out differently:\n${answers.join('\n\n')}`)
    if (number === WARM_UP) for (const runner of runners) runner.before = await runner.subject.spent()
  }
  const totals: number[] = []
  for (const runner of runners) totals.push(report(runner, await runner.subject.spent()))
  const [theirs, ours] = runners as [Runner, Runner]
  const ratio = (kind: keyof Runner['times']): string =>
    (median(theirs.times[kind]) / median(ours.times[kind])).toFixed(2)
  console.log(
    `simd / fornax, the same modules: begin and end block ${(totals[0]! / totals[1]!).toFixed(2)}, FinalizeBlock empty ${ratio('empty')}, with delegations ${ratio('busy')}, Commit ${ratio('commit')}, processor time ${(theirs.cpuMs / ours.cpuMs).toFixed(2)}, resident ${(theirs.subject.resident() / ours.subject.resident()).toFixed(2)}, genesis ${(theirs.genesisMs / ours.genesisMs).toFixed(2)}`,
  )
  for (const { subject } of runners) await subject.stop()
} finally {
  dir.remove()
}
