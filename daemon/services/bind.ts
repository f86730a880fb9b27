import type { ServiceMethod } from '../app/router.ts'
import { nodeService } from './node.ts'
import type { ServedNode } from './service.ts'
import { tendermintService } from './tendermint.ts'
import { txService } from './tx.ts'

/** The node's own gRPC methods; from here on `app` answers them by ABCI query too. */
export function bindServices(node: ServedNode): ServiceMethod[] {
  const methods = [...txService(node), ...tendermintService(node), ...nodeService(node)]
  for (const method of methods) node.chain.services.set(`/${method.service}/${method.method}`, method)
  return methods
}
