import { Command } from 'commander'
import type { Json } from '../../core/wire/json.ts'
import { localUrl } from '../config/kinds.ts'
import { configOrDefaults, examples, globals, note, print } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { requireOwn } from './own-node.ts'

const explanation = `
Exits with 0 where nothing is wrong, with 1 where something is. The node says the same in its log as it comes and goes, at
GET /agents/telemetry, and as the metric fornax_telemetry_fault. docs/agents.md tells what telemetry is for.`

/** The answer of `GET /agents/telemetry`. */
interface Telemetry {
  readonly validator: string | null
  readonly height: number
  readonly last: {
    readonly height: number
    readonly cpu_pct: number
    readonly latency_ms: number
    readonly connections: number
    readonly net_contrib: number
  } | null
  readonly clock_ms: number | null
  /** How long there has been no block; older nodes do not tell. */
  readonly block_age_ms?: number
  readonly stalled?: boolean
  readonly findings: readonly { readonly fault: string; readonly what: string; readonly remedy: string }[]
}

export function agentCommand(): Command {
  return new Command('agent')
    .description("see to the agents of this node's validator")
    .addCommand(
      new Command('check')
        .description('ask the running node what is wrong with what it tells of its host')
        .option('--rest <url>', "the node's REST interface; default: that of this home")
        .addHelpText(
          'after',
          examples('fornaxd agent check', 'fornaxd agent check --rest http://127.0.0.1:1327 --output json'),
        )
        .action(check)
        .addHelpText('after', explanation),
    )
}

async function check(options: { rest?: string }, command: Command): Promise<void> {
  const url = options.rest ?? restOf(command)
  if (!/^https?:\/\/[^\s/]+/.test(url))
    throw new CliError(`--rest must be a URL such as http://127.0.0.1:1317, not ${url}`, exitCodes.usage)
  const base = url.replace(/\/+$/, '')
  if (options.rest === undefined) await requireOwnRest(command, base)
  const told = await telemetryOf(base)
  print(command, told as unknown as { [key: string]: Json }, () => describe(told))
  if (told.findings.length > 0 || told.stalled === true) process.exitCode = exitCodes.failure
}

function restOf(command: Command): string {
  const { rest } = configOrDefaults(globals(command).home)
  if (!rest.enabled) throw new CliError('the node serves no REST (rest.enabled): name another by --rest')
  return localUrl(rest.address)
}

const PATIENCE_MS = 10_000

const ask = (url: string, path: string): Promise<Response> =>
  fetch(`${url}${path}`, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => {
    throw new CliError(`the node does not answer at ${url}: is it running?`, exitCodes.unreachable)
  })

/** Of the answer of REST. */
interface NodeInfo {
  readonly default_node_info: { readonly default_node_id: string; readonly moniker: string }
}

async function requireOwnRest(command: Command, url: string): Promise<void> {
  const answer = await ask(url, '/cosmos/base/tendermint/v1beta1/node_info')
  if (!answer.ok) {
    // Without its CometBFT, a node tells of its agents all the same.
    note(`Note: ${url} does not tell whose node it is (${answer.status})`)
    return
  }
  const { default_node_id: id, moniker } = ((await answer.json()) as NodeInfo).default_node_info
  requireOwn(command, { id, moniker, url }, { by: '--rest', setting: 'rest.address' })
}

async function telemetryOf(url: string): Promise<Telemetry> {
  const answer = await ask(url, '/agents/telemetry')
  if (!answer.ok)
    throw new CliError(
      `${url}/agents/telemetry answers ${answer.status}: it is not a node’s REST, or an older one’s`,
    )
  return (await answer.json()) as Telemetry
}

function describe(told: Telemetry): string {
  const { validator, height, last, clock_ms, stalled, findings } = told
  if (validator === null)
    return [
      `at height ${height} this node's agent key is no validator's: it tells nothing. A validator registers its key (fornaxd agent-key prove)`,
      ...(stalled ? [blockLine(told)] : []),
    ].join('\n')
  const telemetry =
    last === null
      ? 'nothing yet: it is taken for average'
      : `${height - last.height} blocks ago: processors ${last.cpu_pct} %, latency ${last.latency_ms} ms, ${last.connections} connections, ${last.net_contrib} kB/s`
  const clock =
    clock_ms === null
      ? 'unknown'
      : `${(clock_ms / 1000).toFixed(1)} s after the last block's time, when it came`
  return [
    `validator  ${validator}`,
    `told       ${telemetry}`,
    `clock      ${clock}`,
    blockLine(told),
    ...(findings.length === 0 && !stalled ? ['all is well'] : []),
    ...findings.flatMap(({ fault, what, remedy }) => [`${fault.padEnd(9)}  ${what}`, `           ${remedy}`]),
  ].join('\n')
}

function blockLine({ block_age_ms, stalled }: Telemetry): string {
  if (block_age_ms === undefined) return 'block      unknown: the node is an older one'
  const seconds = block_age_ms / 1_000
  return stalled
    ? `block      no block for ${seconds.toFixed(0)} s: the network, or this node, stands still`
    : `block      the last came ${seconds.toFixed(1)} s ago`
}
