import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Fornax's store against cosmos/iavl in Go, in one run on one machine: 5,000 random updates a commit, persisted.
 * `node dist/bench/store/run.js [--rounds 20] [--leaves 100000,1000000]`, from the project's root. Ends with code 1 where
 * a bound is broken.
 */
const UPDATES = 5000
const MAX_RESIDENT_BYTES = 1.5 * 2 ** 30
const MAX_RESTART_MS = 10_000

interface Measured {
  readonly commitMs: readonly number[]
  readonly root: string
  readonly residentBytes: number
  readonly restartMs?: number
}

function option(name: string, fallback: string): string {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]!
}

function buildGo(cache: string): string {
  const binary = join(cache, 'store-go')
  execFileSync('go', ['build', '-o', binary, '.'], {
    cwd: resolve('bench/store/go'),
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: 'inherit',
  })
  return binary
}

function measure(command: string, args: readonly string[], directory: string, leaves: number): Measured {
  const path = mkdtempSync(join(directory, 'store-'))
  try {
    const output = execFileSync(command, [...args, join(path, 'data'), `${leaves}`, `${UPDATES}`, rounds], {
      encoding: 'utf8',
    })
    return JSON.parse(output) as Measured
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)]!
}

function row(name: string, { commitMs, residentBytes, restartMs }: Measured): string {
  const mean = commitMs.reduce((sum, ms) => sum + ms, 0) / commitMs.length
  const cells = [quantile(commitMs, 0.5), mean, quantile(commitMs, 0.9)].map((ms) =>
    `${ms.toFixed(0)} ms`.padStart(9),
  )
  const memory = `${(residentBytes / 2 ** 20).toFixed(0)} MiB`.padStart(10)
  return `  ${name.padEnd(8)}${cells.join('')}${memory}${restartMs ? `   restart ${(restartMs / 1000).toFixed(1)} s` : ''}`
}

const rounds = option('rounds', '20')
const cache = resolve('.cache/bench')
mkdirSync(cache, { recursive: true })
const go = buildGo(cache)
const fornax = fileURLToPath(new URL('fornax.js', import.meta.url))
for (const leaves of option('leaves', '100000,1000000').split(',').map(Number)) {
  const theirs = measure(go, [], cache, leaves)
  const ours = measure(process.execPath, [fornax], cache, leaves)
  console.log(`${leaves.toLocaleString('en')} leaves, ${UPDATES} updates a commit, ${rounds} commits`)
  console.log('             median     mean      p90  resident')
  console.log(row('Go iavl', theirs))
  console.log(row('Fornax', ours))
  const ratio = quantile(theirs.commitMs, 0.5) / quantile(ours.commitMs, 0.5)
  console.log(
    `  ${ratio.toFixed(2)} times Go's rate; ${Math.round((UPDATES * 1000) / quantile(ours.commitMs, 0.5))} leaves/s\n`,
  )
  const broken = [
    ours.root !== theirs.root && 'the root hashes differ',
    ratio < 1 && 'slower than Go',
    ours.residentBytes > MAX_RESIDENT_BYTES && 'more than 1.5 GiB resident',
    (ours.restartMs ?? 0) > MAX_RESTART_MS && 'more than 10 s to restart',
  ].filter((reason) => reason !== false)
  if (broken.length === 0) continue
  console.error(`  broken: ${broken.join(', ')}`)
  process.exitCode = 1
}
