import type { Command } from 'commander'
import type { Status } from '../client/rpc.ts'
import { nodeIdIn } from '../comet/keys.ts'
import { configOf, globals } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { isNodeNamed } from './node.ts'

export interface Answerer {
  /** Hex. */
  readonly id: string
  readonly moniker: string
  /** Where it was asked. */
  readonly url: string
}

/** By what another node is asked on purpose, and which setting of this home says where its own is. */
export interface Named {
  readonly by: string
  readonly setting: 'comet.rpc_address' | 'rest.address'
}

/**
 * Refuses an answer of another node than this home's. A home without a node key has none, and with comet.external the
 * key that counts is in CometBFT's own home.
 */
export function requireOwn(command: Command, { id, moniker, url }: Answerer, { by, setting }: Named): void {
  const { home } = globals(command)
  const own = configOf(home)?.comet.external ? undefined : nodeIdIn(home.path)
  if (own === undefined || own === id) return
  throw new CliError(
    `at ${url} answers the node ${JSON.stringify(moniker)} (${id}), not that of ${home.path} (${own}), which is not running, or ` +
      `has the same ${setting} as that one in ${home.appToml}; ${by} asks another node on purpose`,
    exitCodes.unreachable,
  )
}

/** The same of a status, where neither the options nor the environment name a node. */
export function requireOwnStatus(
  command: Command,
  { node_info: { id, moniker } }: Status,
  url: string,
): void {
  if (!isNodeNamed(command))
    requireOwn(command, { id, moniker, url }, { by: '--node', setting: 'comet.rpc_address' })
}
