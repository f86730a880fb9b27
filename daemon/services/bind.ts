import { methodPath } from '../app/router.ts'
import { nodeService } from './node.ts'
import type { ServedNode } from './service.ts'
import { tendermintService } from './tendermint.ts'
import { txService } from './tx.ts'

/** Adds the node's own gRPC methods to those of the modules. */
export function bindServices(node: ServedNode): void {
  for (const query of [...txService, ...tendermintService, ...nodeService])
    node.chain.router.methods.set(methodPath(query), {
      ...query,
      atHeight: false,
      run: (_, request) => query.run(node, request),
    })
}
