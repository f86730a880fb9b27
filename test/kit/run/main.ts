/**
 * Runs the compiled tests, all of them or the files whose path contains one of the arguments. Tells a line per file; then
 * what was skipped, the failures in full, and as the last line exactly `N passed, N failed`. Exits 0 only if some ran and
 * none failed.
 */
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runAll } from './pool.ts'
import { add, nothing, summary, type Tally } from './tally.ts'

const tests = fileURLToPath(new URL('../..', import.meta.url))
const parts = process.argv.slice(2)
/** A file compiled from a source that is gone since is no test. */
const hasSource = (file: string): boolean => existsSync(`test/${file.replace(/\.js$/, '.ts')}`)
const files = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter(
    (f) => f.endsWith('.test.js') && (parts.length === 0 || parts.some((p) => f.includes(p))) && hasSource(f),
  )
  .sort()

/** Their networks take all cores that there are. */
const needsAll = (file: string): boolean => file.startsWith('localnet/')
const sharesNetwork = (file: string): boolean => dirname(file) === 'localnet/one-network'

const total = nothing()
let done = 0
const tell = (group: readonly string[], tally: Tally, seconds: number): void => {
  add(total, tally)
  done += group.length
  const names = group.map((file) => file.slice(tests.length).replace(/\.test\.js$/, '')).join(', ')
  console.log(`[${done}/${files.length}] ${names}: ${summary(tally)} (${seconds.toFixed(1)} s)`)
}

const path = (file: string): string => tests + file
// The longest ones are among the last in the alphabet.
const alone = files.filter((f) => !needsAll(f)).reverse()
await runAll(
  alone.map((file) => [path(file)]),
  Math.max(1, Math.min(4, availableParallelism(), alone.length)),
  tell,
)
const networks = files.filter((f) => needsAll(f) && !sharesNetwork(f)).map((file) => [path(file)])
const shared = files.filter(sharesNetwork).map(path)
await runAll(shared.length > 0 ? [...networks, shared] : networks, 1, tell)

if (total.skipped.length > 0) console.log(`\nSkipped:\n${total.skipped.map((t) => `  ${t}`).join('\n')}`)
for (const failure of total.failures) console.log(`\n${failure}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
// What tests left behind must not hold up the run; output to a pipe must be complete.
process.stdout.write('', () => process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0))
