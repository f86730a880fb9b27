import type { StdioOptions } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultConfig, renderConfig, withSettings } from '../../../daemon/config/file.ts'
import { type Home, homeLayout } from '../../../daemon/config/home.ts'
import { type NodeInfo, nodeInfo } from '../../../localnet/info.ts'
import { initialise } from '../../../localnet/initialise.ts'
import { heightOf } from '../../../localnet/localnet.ts'
import { eventually } from '../eventually.ts'
import { freePorts } from '../ports.ts'
import { type Family, startFamily } from './family.ts'

const program = fileURLToPath(new URL('../../../../bin/fornaxd', import.meta.url))

/** The home of a chain of one validator, with free ports, blocks every 100 ms and a log of everything. */
export interface OwnNode {
  readonly home: Home
  /** Runs `fornaxd start` on it. */
  start(stdio: StdioOptions, env?: Record<string, string>): StartedNode
  /** The same as `nohup` does it: SIGHUP is ignored. */
  startIgnoringHangup(stdio: StdioOptions): StartedNode
}

export interface StartedNode extends Family {
  /** Waits until the node works. */
  works(): Promise<void>
}

export async function ownNode(folder: string, chainId: string): Promise<OwnNode> {
  const made = await initialise({ folder: join(folder, 'net'), validators: 1, slotTime: '100ms', chainId })
  const [rest, jsonrpc, rpc, p2p, metrics] = (await freePorts(5)) as [number, number, number, number, number]
  const info = nodeInfo({ ...made.nodes[0]!, nodeId: '' }, { rest, jsonrpc, rpc, p2p, metrics })
  const home = homeLayout(info.home)
  const settings = [
    ['comet.rpc_address', `127.0.0.1:${rpc}`],
    ['comet.p2p_address', `127.0.0.1:${p2p}`],
    ['comet.private_network', 'true'],
    ['rest.address', `127.0.0.1:${rest}`],
    ['jsonrpc.address', `127.0.0.1:${jsonrpc}`],
    ['metrics.address', `127.0.0.1:${metrics}`],
    ['slot_time', '100ms'],
    ['log.level', 'trace'],
  ] as const
  writeFileSync(home.appToml, renderConfig(withSettings(defaultConfig(), settings)))
  const args = ['start', '--home', home.path]
  const started = (family: Family): StartedNode =>
    Object.assign(family, { works: () => nodeWorks(info, () => family.child.exitCode !== null) })
  return {
    home,
    start: (stdio, env) => started(startFamily(program, args, { stdio, ...(env && { env }) })),
    startIgnoringHangup: (stdio) =>
      started(startFamily('sh', ['-c', 'trap "" HUP; exec "$0" "$@"', program, ...args], { stdio })),
  }
}

/** Waits until a node has made two more blocks and REST answers. */
export async function nodeWorks(info: NodeInfo, hasEnded: () => boolean): Promise<void> {
  const from = await eventually('a block', () => (hasEnded() ? -1 : heightOf(info)))
  if (from < 0) throw new Error('it has ended')
  await eventually('two more blocks', async () => ((await heightOf(info)) ?? 0) > from + 1)
  await eventually('REST', () =>
    fetch(`${info.rest}/ready`).then(
      (answer) => answer.ok,
      () => false,
    ),
  )
}
