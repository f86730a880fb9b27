/** Runs one group of compiled test files after the other, as `Worker` tells it, and answers with a tally of each. */
import { readFileSync } from 'node:fs'
import { format } from 'node:util'
import Mocha from 'mocha'
import { bePatient } from '../patience.ts'
import { nothing, type Tally } from './tally.ts'

const { EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants
const { timeout } = JSON.parse(readFileSync('.mocharc.json', 'utf8')) as { timeout: number }

function reporterTo(tally: Tally): typeof Mocha.reporters.Base {
  return class extends Mocha.reporters.Base {
    constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
      super(runner, options)
      runner.on(EVENT_TEST_PASS, () => void tally.passed++)
      runner.on(EVENT_TEST_PENDING, (test) => void tally.skipped.push(test.fullTitle()))
      runner.on(EVENT_TEST_FAIL, (test) => {
        tally.failed++
        tally.failures.push(inFull(test))
        console.log(`  FAILED ${test.fullTitle()}`)
      })
    }
  }
}

function inFull(failure: Mocha.Runnable): string {
  const lines: string[] = []
  const { Base } = Mocha.reporters
  const { consoleLog } = Base
  Base.consoleLog = (...args: unknown[]) => void lines.push(format(...args))
  Base.list([failure as Mocha.Test])
  Base.consoleLog = consoleLog
  return lines.join('\n').trim()
}

async function run(files: readonly string[]): Promise<Tally> {
  const tally = nothing()
  try {
    const mocha = new Mocha({ timeout, reporter: reporterTo(tally) as Mocha.ReporterConstructor })
    for (const file of files) mocha.addFile(file)
    await mocha.loadFilesAsync()
    let runner: Mocha.Runner | undefined
    await new Promise((resolve) => {
      runner = mocha.run(resolve)
    })
    // Its listeners of the process.
    runner?.dispose()
  } catch (error) {
    tally.failed++
    tally.failures.push(`${files.join(', ')}: ${(error as Error).stack}`)
  }
  return tally
}

bePatient()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))
process.on('disconnect', () => process.exit(1))
process.on('message', (files: readonly string[]) => {
  void run(files).then((tally) => process.send?.(tally))
})
