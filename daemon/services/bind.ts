import { sdk } from '../../core/error.ts'
import type { ServiceMethod } from '../app/router.ts'
import { RpcUnavailable } from '../comet/rpc.ts'
import { nodeService } from './node.ts'
import type { ServedNode } from './service.ts'
import { tendermintService } from './tendermint.ts'
import { txService } from './tx.ts'

/** The same method for ABCI queries, where CometBFT's silence is sdk/39 and not a fault of this program. */
const overAbci = (method: ServiceMethod): ServiceMethod => ({
  ...method,
  async run(request) {
    try {
      return await method.run(request)
    } catch (error) {
      throw error instanceof RpcUnavailable ? sdk.io(error.message) : error
    }
  },
})

/** The node's own gRPC methods; from here on `app` answers them by ABCI query too. */
export function bindServices(node: ServedNode): ServiceMethod[] {
  const methods = [...txService(node), ...tendermintService(node), ...nodeService(node)]
  for (const method of methods) node.app.services.set(`/${method.service}/${method.method}`, overAbci(method))
  return methods
}
