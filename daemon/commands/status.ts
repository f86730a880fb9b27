import { Command } from 'commander'
import type { Json } from '../../core/wire/json.ts'
import { type HaltReport, haltReport, withheldBlocks } from '../client/halt-report.ts'
import { type CometRpc, RpcError, RpcUnavailable, type Status } from '../client/rpc.ts'
import { examples, note, print } from './cli.ts'
import { clientOf, withNode } from './node.ts'
import { requireOwnStatus } from './own-node.ts'

export function statusCommand(): Command {
  return withNode(new Command('status').description('tell where the node stands'))
    .option('--wait', 'wait until the node answers and is in step with the network')
    .addHelpText(
      'after',
      examples(
        'fornaxd status',
        'fornaxd status --wait',
        'fornaxd status --node http://127.0.0.1:26667 --output json',
      ),
    )
    .action(async (options: { wait?: true }, command: Command) => {
      const client = clientOf(command)
      const { rpc } = client
      const ofThis = (status: Status): void => requireOwnStatus(command, status, client.url)
      if (options.wait) await inStep(rpc, ofThis)
      const status = await rpc.status()
      ofThis(status)
      const peers = await rpc.peerCount()
      const halt = await haltReport(client)
      const { node_info: node, sync_info: sync, validator_info: validator } = status
      const json = {
        ...(status as unknown as { [key: string]: Json }),
        peers,
        halt: halt ? { ...halt } : null,
      }
      print(command, json, () =>
        [
          `chain     ${node.network}`,
          `node      ${node.moniker} (${node.id})`,
          `height    ${sync.latest_block_height} at ${sync.latest_block_time}${sync.catching_up ? ', catching up' : ''}`,
          ...haltLines(halt),
          `app hash  ${sync.latest_app_hash}`,
          `power     ${validator.voting_power}`,
          `peers     ${peers}`,
        ].join('\n'),
      )
    })
}

const ASK_MS = 500
const TELL_MS = 5000

/** Waits until a node answers and catches up no longer, and tells of its height meanwhile. `check` throws for a wrong one. */
async function inStep(rpc: CometRpc, check: (status: Status) => void): Promise<void> {
  let told = performance.now()
  for (;;) {
    const state = await heightOf(rpc, check)
    if (state?.isBehind === false) return
    if (performance.now() - told > TELL_MS) {
      told = performance.now()
      note(state ? `at height ${state.height}, catching up` : 'the node does not answer yet')
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
  }
}

/** Nothing where the node does not answer. */
async function heightOf(
  rpc: CometRpc,
  check: (status: Status) => void,
): Promise<{ height: string; isBehind: boolean } | undefined> {
  try {
    const status = await rpc.status()
    check(status)
    const { latest_block_height, catching_up } = status.sync_info
    return { height: latest_block_height, isBehind: catching_up }
  } catch (error) {
    if (error instanceof RpcUnavailable || error instanceof RpcError) return undefined
    throw error
  }
}

function haltLines(report: HaltReport | undefined): string[] {
  if (report === undefined) return ['halted    unknown: the node does not tell']
  const { halted, halt_height, cleared_height, committed_height } = report
  const withheld = withheldBlocks(report)
  return [
    ...(withheld === 0
      ? []
      : [
          `committed ${committed_height}: since then rounds are degraded, and the commit of ${withheld === 1 ? 'a block' : `${withheld} blocks`} is withheld`,
        ]),
    ...(halted ? [`halted    at height ${halt_height}: \`fornaxd halt status\` tells what to do`] : []),
    ...(cleared_height === null
      ? []
      : [
          `cleared   the halt of height ${cleared_height}; the chain goes on when others have cleared it too`,
        ]),
  ]
}
