import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The release that is built where no other binary is named, as pinned in `build/go.mod`. */
export const COMETBFT_VERSION = '0.38.25'

/** There is no CometBFT to run: the message says why and what to do. */
export class CometBinaryError extends Error {
  override readonly name = 'CometBinaryError'
}

export interface LocateOptions {
  /** Where the built binary is kept; default `.cache/bin` of the project. */
  readonly cacheDir?: string
  /** Where FORNAX_COMETBFT, PATH and Go's own variables are read; default the process's. */
  readonly env?: NodeJS.ProcessEnv
  /** Told what goes on while the binary is built; default a line on stderr. */
  readonly progress?: (line: string) => void
  /** Ends the search, and with it a build. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The path of a CometBFT of the 0.38 line, 0.38.25 or later: the one FORNAX_COMETBFT names, else the one built
 * before, else one built now (up to a minute, needs Go 1.23 or later and Go's module proxy).
 * Rejects with CometBinaryError.
 */
export async function locateComet(options: LocateOptions = {}): Promise<string> {
  const { env = process.env, progress = (line) => process.stderr.write(`${line}\n`), signal } = options
  const named = env['FORNAX_COMETBFT']
  if (named) {
    await checkVersion(named, signal)
    return named
  }
  const moduleDir = toolModule()
  const cacheDir = options.cacheDir ?? join(moduleDir, '../../../.cache/bin')
  const cached = join(cacheDir, `cometbft-v${COMETBFT_VERSION}`)
  if (!existsSync(cached)) await build(moduleDir, cached, { env, progress, signal })
  return cached
}

/** Whether CometBFT `version` ("0.38.25", perhaps with a suffix) is one this node runs under. */
export function isSupported(version: string): boolean {
  const parts = /^v?0\.38\.(\d+)(?![\w-])/.exec(version)
  return parts !== null && Number(parts[1]) >= 25
}

async function checkVersion(binary: string, signal?: AbortSignal): Promise<void> {
  let version: string
  try {
    const { stdout } = await run(binary, ['version'], {
      timeout: 10_000,
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    })
    version = stdout.trim()
  } catch (error) {
    throw new CometBinaryError(`FORNAX_COMETBFT names ${binary}, which does not run: ${reason(error)}`, {
      cause: error,
    })
  }
  if (!isSupported(version)) {
    throw new CometBinaryError(
      `FORNAX_COMETBFT names ${binary}, which is version ${version || '(none)'}: 0.38.25 or a later 0.38 is needed`,
    )
  }
}

async function build(
  moduleDir: string,
  target: string,
  { env, progress, signal }: Required<Pick<LocateOptions, 'env' | 'progress' | 'signal'>>,
): Promise<void> {
  await checkGo(env, signal)
  mkdirSync(dirname(target), { recursive: true })
  // A name of its own: two that build at once each finish theirs, and the rename replaces like with like.
  const unfinished = `${target}.${randomUUID()}.tmp`
  progress(`building CometBFT v${COMETBFT_VERSION} (once, about a minute)`)
  const start = performance.now()
  const ticking = setInterval(() => {
    progress(`building CometBFT: ${Math.round((performance.now() - start) / 1000)} s`)
  }, 15_000)
  try {
    await goBuild(moduleDir, unfinished, env, signal)
    renameSync(unfinished, target)
  } finally {
    clearInterval(ticking)
    rmSync(unfinished, { force: true })
  }
  progress(`built ${target} in ${Math.round((performance.now() - start) / 1000)} s`)
}

function goBuild(
  moduleDir: string,
  output: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<void> {
  const command = ['build', '-trimpath', '-buildvcs=false', '-mod=readonly', '-o', output]
  return new Promise((resolve, reject) => {
    const go = spawn('go', [...command, 'github.com/cometbft/cometbft/cmd/cometbft'], {
      cwd: moduleDir,
      env: { ...env, CGO_ENABLED: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(signal && { signal }),
    })
    let complaint = ''
    go.stderr.on('data', (chunk) => {
      complaint = (complaint + String(chunk)).slice(-2000)
    })
    go.on('error', reject)
    go.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new CometBinaryError(`building CometBFT failed:\n${complaint.trim()}`))
    })
  })
}

async function checkGo(env: NodeJS.ProcessEnv, signal: AbortSignal | undefined): Promise<void> {
  const remedy =
    'Install Go 1.23 or later (https://go.dev/dl), or set FORNAX_COMETBFT to a CometBFT 0.38 binary (0.38.25 or later).'
  let version: string
  try {
    const { stdout } = await run('go', ['env', 'GOVERSION'], {
      env,
      timeout: 60_000,
      ...(signal && { signal }),
    })
    version = stdout.trim()
  } catch (error) {
    throw new CometBinaryError(`CometBFT must be built and there is no working Go. ${remedy}`, {
      cause: error,
    })
  }
  const parts = /^go(\d+)\.(\d+)/.exec(version)
  // A development build ("devel …") has no number to judge by.
  const tooOld = parts && (Number(parts[1]) < 1 || (Number(parts[1]) === 1 && Number(parts[2]) < 23))
  if (tooOld) throw new CometBinaryError(`CometBFT must be built and Go is ${version}. ${remedy}`)
}

/** The folder of the Go module that pins CometBFT: beside the sources, not in `dist`. */
function toolModule(): string {
  const folder = join(import.meta.dirname, '../../../daemon/comet/build')
  if (!existsSync(join(folder, 'go.mod')))
    throw new CometBinaryError('daemon/comet/build/go.mod is not there')
  return folder
}

function reason(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}
