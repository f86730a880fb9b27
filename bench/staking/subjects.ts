import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Request, type Response } from 'cosmjs-types/tendermint/abci/types'
import { sectionToJson } from '../../core/genesis-section.ts'
import { AbciClient } from '../../test/kit/abci/client.ts'
import { CHAIN_ID } from '../../test/kit/app/chain.ts'
import { eventually } from '../../test/kit/eventually.ts'
import { sdkModules } from '../../test/kit/oracle/sdk-modules.ts'
import type { Subject } from '../../test/kit/oracle/subject.ts'
import { freePorts } from '../../test/kit/ports.ts'

/** Linux counts processor time in these. */
const TICK_MS = 10

/** Milliseconds that an application says it spent, summed over blocks. */
export interface Spent {
  /** By module. */
  readonly begin: Readonly<Record<string, number>>
  readonly end: Readonly<Record<string, number>>
}

export interface Measured extends Subject {
  readonly label: string
  /** What the application counted since it started. */
  spent(): Promise<Spent>
  /** Bytes. */
  resident(): number
  /** Milliseconds of processor time of all its threads since it started. */
  cpuMs(): number
}

/** `simd` as an ABCI server on goleveldb, its telemetry on. */
export async function startSimd(binary: string, folder: string): Promise<Measured> {
  const home = join(folder, 'simd')
  execFileSync(binary, ['init', 'bench', '--chain-id', CHAIN_ID, '--home', home], { stdio: 'ignore' })
  const [port] = await freePorts(1)
  const config = join(home, 'config/app.toml')
  const telemetry = readFileSync(config, 'utf8')
    .replace(/(\[telemetry\][^[]*?\nenabled = )false/, '$1true')
    .replace(/(\nprometheus-retention-time = )0/, '$13600')
    .replace(/(\[api\][^[]*?\nenable = )false/, '$1true')
    .replace(/(\[api\][^[]*?\naddress = )"[^"]*"/, `$1"tcp://127.0.0.1:${port}"`)
  writeFileSync(config, telemetry)
  const socket = join(folder, 'simd.sock')
  const child = spawn(
    binary,
    [
      ...['start', '--home', home, '--with-comet=false', '--transport', 'socket'],
      ...['--address', `unix://${socket}`, '--grpc.enable=false', '--minimum-gas-prices', '0stake'],
      ...['--pruning', 'nothing', '--db_backend', 'goleveldb', '--log_level', 'error'],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  return {
    label: 'simd',
    ...(await attach(child, socket)),
    name: 'simd',
    dialect: 'cosmos',
    emptyState: () => JSON.parse(readFileSync(join(home, 'config/genesis.json'), 'utf8')).app_state,
    has: () => true,
    serves: () => true,
    async spent() {
      const page = await fetch(`http://127.0.0.1:${port}/metrics?format=prometheus`)
      return readTelemetry(await page.text())
    },
  }
}

function readTelemetry(text: string): Spent {
  const spent = { begin: {} as Record<string, number>, end: {} as Record<string, number> }
  for (const [, phase, module, sum] of text.matchAll(/^(begin|end)_blocker_sum\{module="(\w+)"\} (\S+)$/gm))
    spent[phase as 'begin' | 'end'][module!] = Number(sum)
  return spent
}

/** Our application, with the SDK's modules alone or with all. */
export async function startFornax(folder: string, which: 'sdk' | 'all'): Promise<Measured> {
  const socket = join(folder, `${which}.sock`)
  const program = join(import.meta.dirname, 'fornax.js')
  const flags = process.env['NODE_FLAGS']?.split(' ') ?? []
  const child = spawn(process.execPath, [...flags, program, socket, join(folder, which), which], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const spent = { begin: {} as Record<string, number>, end: {} as Record<string, number> }
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const block = JSON.parse(line) as Spent
    for (const phase of ['begin', 'end'] as const)
      for (const [module, ms] of Object.entries(block[phase]))
        spent[phase][module] = (spent[phase][module] ?? 0) + ms
  })
  return {
    label: which === 'sdk' ? 'fornax' : 'fornax, all modules',
    ...(await attach(child, socket)),
    name: 'fornax',
    dialect: 'fornax',
    emptyState: () =>
      Object.fromEntries(
        sdkModules.flatMap(({ name, genesis }) =>
          genesis ? [[name, sectionToJson(genesis, genesis.defaults())]] : [],
        ),
      ),
    has: (module) => sdkModules.some(({ name }) => name === module),
    serves: () => true,
    spent: async () => structuredClone(spent),
  }
}

async function attach(child: ChildProcess, socket: string) {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  process.once('exit', () => child.kill('SIGKILL'))
  const client = await eventually('an ABCI server listens', () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    return AbciClient.connect(`unix://${socket}`).catch(() => undefined)
  })
  async function call<K extends keyof Response>(
    request: Partial<Request>,
    answer: K,
  ): Promise<NonNullable<Response[K]>> {
    const [response] = await Promise.all([
      client.call(Request.fromPartial(request)),
      client.call(Request.fromPartial({ flush: {} })),
    ])
    if (response.exception) throw new Error(response.exception.error)
    return response[answer]!
  }
  return {
    initChain: (initChain: Request['initChain']) => call({ initChain: initChain! }, 'initChain'),
    finalizeBlock: (finalizeBlock: Request['finalizeBlock']) =>
      call({ finalizeBlock: finalizeBlock! }, 'finalizeBlock'),
    async commit() {
      await call({ commit: {} }, 'commit')
    },
    query: (query: Request['query']) => call({ query: query! }, 'query'),
    resident(): number {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) * 1024
    },
    cpuMs(): number {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return TICK_MS * (Number(fields[11]) + Number(fields[12]))
    },
    async stop() {
      await client.close()
      child.kill('SIGTERM')
      await exited
    },
  }
}
