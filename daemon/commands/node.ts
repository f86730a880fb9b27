import type { Command } from 'commander'
import { NodeClient } from '../client/node.ts'
import { localUrl } from '../config/kinds.ts'
import { configOrDefaults, globals } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'

/** Adds the option that clientOf reads. */
export const withNode = (command: Command): Command =>
  command.option('--node <url>', "a node's CometBFT RPC; default $FORNAX_RPC_URL, or the node of this home")

const namedNode = (command: Command): string | undefined =>
  command.opts<{ node?: string }>().node ?? process.env['FORNAX_RPC_URL']

/** Whether the options or the environment name a node; else this home's is asked. */
export const isNodeNamed = (command: Command): boolean => Boolean(namedNode(command))

/** A client of the node that the options, the environment or app.toml name. */
export function clientOf(command: Command): NodeClient {
  const asked = namedNode(command)
  if (asked) {
    const url = asked.replace(/^tcp:/, 'http:')
    if (!/^https?:\/\/[^\s/]+/.test(url))
      throw new CliError(`--node must be a URL such as http://127.0.0.1:26657, not ${asked}`, exitCodes.usage)
    return new NodeClient(url)
  }
  return clientOfHome(command)
}

/** A client of the node of this home. */
export function clientOfHome(command: Command): NodeClient {
  return new NodeClient(localUrl(configOrDefaults(globals(command).home).comet.rpc_address))
}
