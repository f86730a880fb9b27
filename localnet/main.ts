/** `make localnet` and its like: `main.js start [--validators N] [--slot 5s]`, `main.js clean`, `main.js comet`. */
import { existsSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CometBinaryError, locateComet } from '../daemon/comet/binary.ts'
import { ConfigError } from '../daemon/config/file.ts'
import { FRX } from '../genesis/document.ts'
import { developmentFunds } from '../genesis/presets.ts'
import { type LocalnetInfo, readInfo } from './info.ts'
import { type Localnet, LocalnetError, startLocalnet } from './localnet.ts'
import { endLeftover } from './node-process.ts'
import { terminalProgress } from './progress.ts'

const folder = resolve('.localnet')

async function start(validators: string, slot: string): Promise<void> {
  const begin = Date.now()
  const net = await startLocalnet({
    folder,
    ...(validators !== '' && { validators: Number(validators) }),
    ...(slot !== '' && { slotTime: slot }),
    progress: terminalProgress(),
  })
  process.stdout.write(summary(net.info, Math.round((Date.now() - begin) / 1000)))
  await untilEnd(net)
}

async function untilEnd(net: Localnet): Promise<void> {
  const ended = await Promise.race([
    net.lost,
    new Promise<undefined>((resolve) => {
      let signals = 0
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.on(signal, () => {
          resolve(undefined)
          if (signals++ > 0) for (const node of net.nodes) node.kill('SIGKILL')
        })
    }),
  ])
  process.stdout.write('\nStopping … ')
  const begin = Date.now()
  await net.stop()
  process.stdout.write(`${Math.round((Date.now() - begin) / 1000)} s. make localnet goes on where it was.\n`)
  if (ended)
    throw new LocalnetError(
      `${ended.info.name} has ended; the last lines of ${ended.log}:\n\n${ended.lastLines()}`,
    )
}

function summary({ chain_id, slot_time, nodes, accounts }: LocalnetInfo, seconds: number): string {
  const home = relative('', nodes[0]?.home ?? '')
  const width = Math.max(...accounts.map((a) => a.name.length))
  const lines = [
    '',
    `Chain ${chain_id} runs with ${nodes.length === 1 ? '1 validator' : `${nodes.length} validators`}, a block every ${slot_time} (${seconds} s to start).`,
    '',
    `NODE    ${'REST'.padEnd(23)}${'RPC'.padEnd(24)}P2P`,
    ...nodes.map(
      (n) =>
        `${n.name.padEnd(8)}${n.rest.padEnd(23)}${n.rpc.padEnd(24)}${n.p2p.slice(n.p2p.indexOf('@') + 1)}`,
    ),
    '',
    `Accounts with ${developmentFunds / FRX} FRX each. Development only: everyone knows these mnemonics.`,
    ...accounts.map((a) => `${a.name.padEnd(width)}  ${a.address}  ${a.mnemonic}`),
    '',
    'Try:',
    `  bin/fornaxd status --home ${home}`,
    `  bin/fornaxd tx bank send bob 1000000000000000000afrx --from alice --yes --home ${home}`,
    `  bin/fornaxd query bank all-balances bob --home ${home}`,
    '',
    'The same facts are in .localnet/info.json. Logs: make localnet-logs. Ctrl-C stops, make localnet-clean deletes.',
    '',
  ]
  return `${lines.join('\n')}\n`
}

async function clean(): Promise<void> {
  for (const node of readInfo(folder)?.nodes ?? []) await endLeftover(node)
  const there = existsSync(folder)
  rmSync(folder, { recursive: true, force: true })
  rmSync(`${folder}.unfinished`, { recursive: true, force: true })
  console.log(there ? '.localnet is deleted' : 'there is no local network')
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { validators: { type: 'string', default: '' }, slot: { type: 'string', default: '' } },
  })
  if (positionals[0] === 'start') return start(values.validators, values.slot)
  if (positionals[0] === 'clean') return clean()
  if (positionals[0] === 'comet') {
    await locateComet({ progress: (line) => console.log(line) })
    return
  }
  throw new LocalnetError('usage: main.js start [--validators N] [--slot 5s] | clean | comet')
}

try {
  await main()
  process.exit(0)
} catch (error) {
  const known = [LocalnetError, ConfigError, CometBinaryError].some((type) => error instanceof type)
  process.stderr.write(`\nError: ${known ? (error as Error).message : ((error as Error).stack ?? error)}\n`)
  process.exit(1)
}
