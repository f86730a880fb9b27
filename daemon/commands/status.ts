import { Command } from 'commander'
import type { Json } from '../../core/wire/json.ts'
import { examples, print } from './cli.ts'
import { clientOf, withNode } from './node.ts'

export function statusCommand(): Command {
  return withNode(new Command('status').description('tell where the node stands'))
    .addHelpText(
      'after',
      examples('fornaxd status', 'fornaxd status --node http://127.0.0.1:26667 --output json'),
    )
    .action(async (_options: unknown, command: Command) => {
      const { rpc } = clientOf(command)
      const status = await rpc.status()
      const peers = await rpc.peerCount()
      const { node_info: node, sync_info: sync, validator_info: validator } = status
      print(command, { ...(status as unknown as { [key: string]: Json }), peers }, () =>
        [
          `chain     ${node.network}`,
          `node      ${node.moniker} (${node.id})`,
          `height    ${sync.latest_block_height} at ${sync.latest_block_time}${sync.catching_up ? ', catching up' : ''}`,
          `app hash  ${sync.latest_app_hash}`,
          `power     ${validator.voting_power}`,
          `peers     ${peers}`,
        ].join('\n'),
      )
    })
}
