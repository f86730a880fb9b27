import Mocha from 'mocha'

const { EVENT_RUN_END, EVENT_SUITE_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } =
  Mocha.Runner.constants

interface FileTally {
  passed: number
  failed: number
  skipped: number
  /** ms since the epoch at the first event of the file. */
  begin: number
}

/**
 * One line per test file while the tests run; then what was skipped, the failures in full, and as the last line
 * exactly `N passed, N failed`.
 */
export class FileReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    // mocha empties its list of suites while it runs.
    const lastOf = new Map(runner.suite.suites.map((s) => [s.file, s]))
    const tallies = new Map<string, FileTally>()
    const skipped: string[] = []
    let done = 0
    let last = Date.now()

    const tally = (file = '?'): FileTally => {
      const known = tallies.get(file)
      if (known) return known
      const fresh = { passed: 0, failed: 0, skipped: 0, begin: last }
      tallies.set(file, fresh)
      return fresh
    }
    runner.on(EVENT_TEST_PASS, (test) => void tally(test.file).passed++)
    runner.on(EVENT_TEST_PENDING, (test) => {
      tally(test.file).skipped++
      skipped.push(test.fullTitle())
    })
    runner.on(EVENT_TEST_FAIL, (test) => {
      // A failing hook has its suite's file only.
      tally(test.file ?? test.parent?.file).failed++
      console.log(`  FAILED ${test.fullTitle()}`)
    })
    runner.on(EVENT_SUITE_END, (suite) => {
      if (suite.file === undefined || lastOf.get(suite.file) !== suite) return
      const { passed, failed, skipped, begin } = tally(suite.file)
      last = Date.now()
      const counts = [`${passed} passed`]
      if (failed > 0) counts.push(`${failed} failed`)
      if (skipped > 0) counts.push(`${skipped} skipped`)
      const name = suite.file.replace(/^.*\/dist\/test\//, '').replace(/\.test\.js$/, '')
      const seconds = ((last - begin) / 1000).toFixed(1)
      console.log(`[${++done}/${lastOf.size}] ${name}: ${counts.join(', ')} (${seconds} s)`)
    })
    runner.once(EVENT_RUN_END, () => {
      if (skipped.length > 0) console.log(`\nSkipped:\n${skipped.map((t) => `  ${t}`).join('\n')}`)
      if (this.failures.length > 0) Mocha.reporters.Base.list(this.failures)
      console.log(`\n${this.stats.passes} passed, ${this.stats.failures} failed`)
    })
  }
}
