import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Dialect, senders } from './accounts.ts'
import { latestHeight } from './load.ts'

export interface NodeOptions {
  /** CometBFT's timeout_commit; 500 where nothing is said. */
  readonly commitMs?: number
  /** Transactions that the mempool holds; 60,000 where nothing is said. */
  readonly mempool?: number
}

/** A node under load: one validator, recheck on, no fees. */
export interface Subject {
  readonly name: string
  readonly dialect: Dialect
  readonly rpc: string
  /** Where it answers REST, and where its metrics are; absent where nobody asks for them. */
  readonly rest?: string
  readonly metrics?: string
  /** Transactions that its mempool holds. */
  readonly mempool: number
  /** Transactions in each block that are the chain's own. */
  readonly ownTxs: number
  /** Account number of the first sender. */
  readonly firstNumber: number
  /** Makes a fresh home with `accounts` funded senders. */
  prepare(accounts: number): void
  /** Answers the process's id. */
  start(): Promise<number>
  stop(): Promise<void>
}

const CHAIN_ID = 'fornax-9000'
const FUNDS = '1000000000000000000000'

interface Genesis {
  app_state: {
    auth: { accounts: object[] }
    bank: { balances: object[]; supply: object[] }
  }
  consensus?: { params: { block: { max_gas: string } } }
  consensus_params?: { block: { max_gas: string } }
}

/** Adds the senders to a genesis file, behind the `firstNumber` accounts that are there. */
function addSenders(file: string, accounts: number, { prefix, denom }: Dialect, firstNumber: number): void {
  const genesis = JSON.parse(readFileSync(file, 'utf8')) as Genesis
  const { auth, bank } = genesis.app_state
  for (const [i, { address }] of senders(accounts, prefix).entries()) {
    auth.accounts.push({
      '@type': '/cosmos.auth.v1beta1.BaseAccount',
      address,
      pub_key: null,
      account_number: String(firstNumber + i),
      sequence: '0',
    })
    bank.balances.push({ address, coins: [{ denom, amount: FUNDS }] })
  }
  bank.supply = []
  const params = genesis.consensus?.params ?? genesis.consensus_params
  params!.block.max_gas = '-1'
  writeFileSync(file, JSON.stringify(genesis))
}

function replaceIn(file: string, changes: Readonly<Record<string, string>>): void {
  let text = readFileSync(file, 'utf8')
  for (const [key, value] of Object.entries(changes)) {
    const line = new RegExp(`^${key} = .*$`, 'm')
    if (!line.test(text)) throw new Error(`${file} has no ${key}`)
    text = text.replace(line, `${key} = ${value}`)
  }
  writeFileSync(file, text)
}

class Running {
  #child: ChildProcess | undefined

  async start(command: string, args: string[], log: string, rpc: string, env = process.env): Promise<number> {
    const out = openSync(log, 'w')
    const child = spawn(command, args, { stdio: ['ignore', out, out], env })
    this.#child = child
    for (let i = 0; i < 600; i++) {
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: see ${log}`)
      const height = await latestHeight(rpc).catch(() => 0)
      if (height >= 2) return child.pid!
      await new Promise((r) => setTimeout(r, 200))
    }
    throw new Error(`${command} made no block in two minutes: see ${log}`)
  }

  stop(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null) return Promise.resolve()
    return new Promise((resolve) => {
      child.once('exit', () => resolve())
      child.kill('SIGTERM')
    })
  }
}

export function simdSubject(
  binary: string,
  folder: string,
  { commitMs = 500, mempool = 60_000 }: NodeOptions = {},
): Subject {
  const home = join(folder, 'simd')
  const rpc = 'http://127.0.0.1:36657'
  const dialect = { prefix: 'cosmos', denom: 'stake', chainId: CHAIN_ID }
  const running = new Running()
  const run = (...args: string[]): void => {
    execFileSync(binary, [...args, '--home', home], { stdio: ['ignore', 'ignore', 'pipe'] })
  }
  return {
    name: 'simd',
    dialect,
    rpc,
    mempool,
    ownTxs: 0,
    firstNumber: 1,
    prepare(accounts) {
      rmSync(home, { recursive: true, force: true })
      run('init', 'bench', '--chain-id', CHAIN_ID)
      run('keys', 'add', 'validator', '--keyring-backend', 'test')
      run('genesis', 'add-genesis-account', 'validator', '1000000000000stake', '--keyring-backend', 'test')
      run(
        'genesis',
        'gentx',
        'validator',
        '100000000stake',
        '--chain-id',
        CHAIN_ID,
        '--keyring-backend',
        'test',
      )
      run('genesis', 'collect-gentxs')
      addSenders(join(home, 'config/genesis.json'), accounts, dialect, 1)
      replaceIn(join(home, 'config/config.toml'), {
        laddr: '"tcp://127.0.0.1:36657"',
        timeout_commit: `"${commitMs}ms"`,
        size: `${mempool}`,
        cache_size: `${mempool * 2}`,
        max_txs_bytes: '1073741824',
      })
      replaceIn(join(home, 'config/app.toml'), { 'minimum-gas-prices': '"0stake"' })
    },
    start: () =>
      running.start(
        binary,
        [
          'start',
          '--home',
          home,
          '--grpc.enable=false',
          '--api.enable=false',
          '--p2p.laddr',
          'tcp://127.0.0.1:36656',
          '--rpc.laddr',
          'tcp://127.0.0.1:36657',
          '--log_level',
          'error',
        ],
        join(folder, 'simd.log'),
        rpc,
      ),
    stop: () => running.stop(),
  }
}

/** What slots take beside timeout_commit (daemon/comet/config.ts). */
const slotOf = (commitMs: number): number => commitMs + (commitMs < 970 ? 30 : 400)

export function fornaxSubject(
  program: string,
  folder: string,
  { commitMs = 500, mempool = 60_000 }: NodeOptions = {},
): Subject {
  const home = join(folder, 'fornaxd')
  const rpc = 'http://127.0.0.1:36757'
  const dialect = { prefix: 'fornax', denom: 'afrx', chainId: CHAIN_ID }
  const running = new Running()
  const run = (...args: string[]): void => {
    execFileSync(process.execPath, [program, ...args, '--home', home], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  }
  return {
    name: 'fornaxd',
    dialect,
    rpc,
    mempool,
    rest: 'http://127.0.0.1:36717',
    metrics: 'http://127.0.0.1:36760/metrics',
    // The extended commit.
    ownTxs: 1,
    firstNumber: 1,
    prepare(accounts) {
      rmSync(home, { recursive: true, force: true })
      run('init', 'bench', '--chain-id', CHAIN_ID)
      run('keys', 'add', 'validator', '--keyring-backend', 'test')
      run('genesis', 'add-account', 'validator', '1000000000000000000000afrx', '--keyring-backend', 'test')
      run('genesis', 'gentx', 'validator', '100000000000000000000afrx', '--keyring-backend', 'test')
      run('genesis', 'collect')
      addSenders(join(home, 'config/genesis.json'), accounts, dialect, 1)
    },
    start: () =>
      running.start(
        process.execPath,
        [
          program,
          'start',
          '--home',
          home,
          '--slot-time',
          `${slotOf(commitMs)}ms`,
          '--minimum-gas-prices',
          '0afrx',
          '--comet.mempool-size',
          `${mempool}`,
          '--comet.rpc-address',
          '127.0.0.1:36757',
          '--comet.p2p-address',
          '127.0.0.1:36756',
          '--rest.address',
          '127.0.0.1:36717',
          // Transactions of its own would be counted.
          '--agents.telemetry',
          'false',
          '--metrics.address',
          '127.0.0.1:36760',
        ],
        join(folder, 'fornaxd.log'),
        rpc,
      ),
    stop: () => running.stop(),
  }
}

/** CometBFT over an application that does nothing: what is left of a node's time is the application's. */
export function floorSubject(
  program: string,
  folder: string,
  { commitMs = 500, mempool = 60_000 }: NodeOptions = {},
): Subject {
  const home = join(folder, 'floor')
  const port = 36857
  const rpc = `http://127.0.0.1:${port}`
  const running = new Running()
  return {
    name: 'floor',
    dialect: { prefix: 'fornax', denom: 'afrx', chainId: CHAIN_ID },
    rpc,
    mempool,
    ownTxs: 0,
    firstNumber: 1,
    prepare: () => rmSync(home, { recursive: true, force: true }),
    start: () =>
      running.start(
        process.execPath,
        [program, home, `${port}`, `${slotOf(commitMs)}`, `${mempool}`],
        join(folder, 'floor.log'),
        rpc,
      ),
    stop: () => running.stop(),
  }
}
