import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Runs the suites named (default all), one after the other. Ends with 1 where one fails. */
const suites = [
  'abci',
  'agents',
  'evm-precompiles',
  'evm-worst',
  'flood',
  'hostile',
  'staking',
  'store',
  'transfers',
]
const asked = process.argv.slice(2).filter((name) => name !== 'all')
const unknown = asked.filter((name) => !suites.includes(name))
if (unknown.length > 0) {
  console.error(`no such suite: ${unknown.join(', ')}; there are ${suites.join(', ')}`)
  process.exit(2)
}

function run(suite: string): Promise<number> {
  console.log(`\n== ${suite} ==`)
  const program = join(import.meta.dirname, suite, 'run.js')
  const child = spawn(process.execPath, ['--enable-source-maps', program], { stdio: 'inherit' })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

let failed = false
for (const suite of asked.length === 0 ? suites : asked) if ((await run(suite)) !== 0) failed = true
process.exit(failed ? 1 : 0)
