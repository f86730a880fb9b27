/**
 * Runs the compiled tests, all of them or the files whose path contains one of the arguments.
 * Exits 0 only if some ran and none failed.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Mocha from 'mocha'
import { FileReporter } from './reporter.ts'

const tests = fileURLToPath(new URL('..', import.meta.url))
const parts = process.argv.slice(2)
/** What was compiled from a file that is gone since is no test. */
const hasSource = (file: string): boolean => existsSync(`test/${file.replace(/\.js$/, '.ts')}`)
const files = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter(
    (f) => f.endsWith('.test.js') && (parts.length === 0 || parts.some((p) => f.includes(p))) && hasSource(f),
  )
  .sort()
const { timeout } = JSON.parse(readFileSync('.mocharc.json', 'utf8')) as { timeout: number }

const mocha = new Mocha({ timeout, reporter: FileReporter as Mocha.ReporterConstructor })
for (const file of files) mocha.addFile(tests + file)
await mocha.loadFilesAsync()
mocha.run((failures) => {
  const ran = mocha.suite.total()
  // A test that leaves a timer or a socket behind must not hold up the run; output to a pipe must be complete.
  process.stdout.write('', () => process.exit(failures > 0 || ran === 0 ? 1 : 0))
})
