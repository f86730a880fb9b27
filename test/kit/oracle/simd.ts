import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Request, type Response } from 'cosmjs-types/tendermint/abci/types'
import type { Json } from '../../../core/wire/json.ts'
import { AbciClient } from '../abci/client.ts'
import { CHAIN_ID } from '../app/chain.ts'
import { eventually } from '../eventually.ts'
import { tempDir } from '../temp-dir.ts'
import type { Subject } from './subject.ts'

const binary = '.cache/bin/simd'

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** The end of its log; of a Go panic the message without the stack. */
const lastWords = (file: string): string =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(-12)
    .join('\n')
    .replace(/\\ngoroutine .*$/gm, '')

/** ibc-go's simd (Cosmos SDK 0.50) as a bare ABCI server, its state in memory. */
export const startSimd = (): Promise<Subject> => startSimdOn('memdb')

/** What `simd export` prints: a genesis file. */
export interface SimdExport {
  readonly initial_height: number
  readonly consensus: { readonly validators: readonly Json[] }
  readonly app_state: { readonly [module: string]: Json }
}

export interface ExportableSimd extends Subject {
  /** Ends the server. The options are those of the command. */
  exported(...options: string[]): Promise<SimdExport>
}

/** The same on disk, so that its state can be exported. */
export const startExportableSimd = (): Promise<ExportableSimd> => startSimdOn('goleveldb')

async function startSimdOn(backend: 'memdb' | 'goleveldb'): Promise<ExportableSimd> {
  if (!existsSync(binary)) throw new Error(`${binary} is missing: make peers builds it`)
  const dir = tempDir()
  const home = join(dir.path, 'simd')
  const socket = join(dir.path, 'abci.sock')
  const logFile = join(dir.path, 'simd.log')
  execFileSync(binary, ['init', 'oracle', '--chain-id', CHAIN_ID, '--home', home], { stdio: 'ignore' })
  const log = openSync(logFile, 'w')
  const child = spawn(
    binary,
    [
      ...['start', '--home', home, '--with-comet=false', '--transport', 'socket'],
      ...['--address', `unix://${socket}`, '--grpc.enable=false', '--api.enable=false'],
      ...['--minimum-gas-prices', '0stake', '--pruning', 'nothing', '--db_backend', backend],
      ...['--log_level', 'error', '--log_no_color'],
    ],
    { stdio: ['ignore', log, log] },
  )
  closeSync(log)
  running.add(child)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void exited.then(() => running.delete(child))
  const client = await eventually('simd listens', () => {
    if (child.exitCode !== null) throw new Error(`simd ended:\n${lastWords(logFile)}`)
    return AbciClient.connect(`unix://${socket}`).catch(() => undefined)
  })

  async function call<K extends keyof Response>(
    request: Partial<Request>,
    answer: K,
  ): Promise<NonNullable<Response[K]>> {
    const responses = Promise.all([
      client.call(Request.fromPartial(request)),
      client.call(Request.fromPartial({ flush: {} })),
    ])
    const [response] = await responses.catch(() => {
      throw new Error(`simd hung up:\n${lastWords(logFile)}`)
    })
    if (response.exception)
      throw new Error(`simd raised an exception: ${response.exception.error}\n${lastWords(logFile)}`)
    return response[answer]!
  }

  return {
    name: 'simd',
    dialect: 'cosmos',
    emptyState: () => JSON.parse(readFileSync(join(home, 'config/genesis.json'), 'utf8')).app_state,
    initChain: (initChain) => call({ initChain }, 'initChain'),
    finalizeBlock: (finalizeBlock) => call({ finalizeBlock }, 'finalizeBlock'),
    async commit() {
      await call({ commit: {} }, 'commit')
    },
    query: (query) => call({ query }, 'query'),
    has: () => true,
    serves: () => true,
    async exported(...options: string[]): Promise<SimdExport> {
      child.kill('SIGTERM')
      await exited
      // On standard output there is a log too.
      const file = join(dir.path, 'exported.json')
      execFileSync(binary, ['export', '--home', home, '--output-document', file, ...options], {
        stdio: 'pipe',
      })
      return JSON.parse(readFileSync(file, 'utf8')) as SimdExport
    },
    async stop() {
      await client.close()
      child.kill('SIGTERM')
      await exited
      dir.remove()
    },
  }
}
