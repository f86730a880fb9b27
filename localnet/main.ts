/** `make localnet` and its like: `main.js start [--validators N] [--slot 5s]`, `main.js clean`, `main.js comet`. */
import { existsSync, rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CometBinaryError, locateComet } from '../daemon/comet/binary.ts'
import { ConfigError } from '../daemon/config/file.ts'
import { keepHangupIgnored, onEndSignals } from '../daemon/end-signals.ts'
import { leave } from '../daemon/leave.ts'
import { openOutput } from '../daemon/output.ts'
import { FRX } from '../genesis/document.ts'
import { developmentFunds } from '../genesis/presets.ts'
import { type LocalnetInfo, readInfo } from './info.ts'
import { aborted, type Localnet, LocalnetError, startLocalnet } from './localnet.ts'
import { endLeftover } from './node-process.ts'
import { terminalProgress } from './progress.ts'

const folder = resolve('.localnet')

/** Whoever reads these, and whether somebody does, is nothing to the network. */
const [out, err] = [openOutput(1), openOutput(2)]

async function start(validators: string, slot: string): Promise<void> {
  const begin = Date.now()
  const stopping = stoppedBySignal()
  let net: Localnet
  try {
    net = await startLocalnet({
      folder,
      ...(validators !== '' && { validators: Number(validators) }),
      ...(slot !== '' && { slotTime: slot }),
      progress: terminalProgress(out),
      signal: stopping,
    })
  } catch (error) {
    if (!stopping.aborted) throw error
    out.write('\nStopped before it had started.\n')
    return
  }
  out.write(summary(net.info, Math.round((Date.now() - begin) / 1000)))
  await untilEnd(net, stopping)
}

/** Aborted at the first signal. At a second one the process ends, and its nodes are killed. */
function stoppedBySignal(): AbortSignal {
  const stopping = new AbortController()
  onEndSignals(
    () => stopping.abort(),
    (signal) => {
      err.write(`\nError: a second signal, ${signal}: ended at once, the nodes are killed.\n`)
      leave(1)
    },
  )
  return stopping.signal
}

async function untilEnd(net: Localnet, stopping: AbortSignal): Promise<void> {
  const ended = await Promise.race([net.lost, aborted(stopping)])
  out.write('\nStopping … ')
  const begin = Date.now()
  await net.stop()
  out.write(`${Math.round((Date.now() - begin) / 1000)} s. make localnet goes on where it was.\n`)
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
    `Chain ${chain_id} runs with ${nodes.length === 1 ? '1 validator' : `${nodes.length} validators`}, a block about every ${slot_time} (${seconds} s to start).`,
    '',
    `NODE    ${'REST'.padEnd(23)}${'JSON-RPC'.padEnd(23)}${'RPC'.padEnd(24)}P2P`,
    ...nodes.map(
      (n) =>
        `${n.name.padEnd(8)}${n.rest.padEnd(23)}${n.jsonrpc.padEnd(23)}${n.rpc.padEnd(24)}${n.p2p.slice(n.p2p.indexOf('@') + 1)}`,
    ),
    '',
    `Accounts with ${developmentFunds / FRX} FRX each. Development only: everyone knows these keys.`,
    ...accounts.flatMap((a) => [
      `${a.name.padEnd(width)}  ${a.address}  ${a.evm_address}${a.key_type === 'secp256k1' ? '  (coin type 118: not for wallets of Ethereum)' : ''}`,
      `${''.padEnd(width)}  ${a.mnemonic}`,
    ]),
    '',
    'Try:',
    `  bin/fornaxd status --home ${home}`,
    `  bin/fornaxd tx bank send bob 1.5frx --from alice --yes --home ${home}`,
    `  bin/fornaxd query bank all-balances bob --home ${home}`,
    `  curl -H 'content-type: application/json' -d '{"address":"${accounts[1]?.address ?? 'ADDRESS'}"}' ${nodes[0]?.rest ?? ''}/faucet`,
    '',
    'The same facts, and private keys, are in .localnet/info.json. Logs: make localnet-logs. Ctrl-C stops, make localnet-clean deletes.',
    '',
  ]
  return `${lines.join('\n')}\n`
}

async function clean(): Promise<void> {
  for (const node of readInfo(folder)?.nodes ?? []) await endLeftover(node)
  const there = existsSync(folder)
  rmSync(folder, { recursive: true, force: true })
  rmSync(`${folder}.unfinished`, { recursive: true, force: true })
  out.write(there ? '.localnet is deleted\n' : 'there is no local network\n')
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { validators: { type: 'string', default: '' }, slot: { type: 'string', default: '' } },
  })
  if (positionals[0] === 'start') return start(values.validators, values.slot)
  if (positionals[0] === 'clean') return clean()
  if (positionals[0] === 'comet') {
    await locateComet({ progress: (line) => out.write(`${line}\n`) })
    return
  }
  throw new LocalnetError('usage: main.js start [--validators N] [--slot 5s] | clean | comet')
}

keepHangupIgnored()
let exitCode = 0
try {
  await main()
} catch (error) {
  const known = [LocalnetError, ConfigError, CometBinaryError].some((type) => error instanceof type)
  err.write(`\nError: ${known ? (error as Error).message : ((error as Error).stack ?? error)}\n`)
  exitCode = 1
}
await Promise.all([out.flush(500), err.flush(500)])
leave(exitCode)
