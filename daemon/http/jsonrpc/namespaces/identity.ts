import { type Methods, method } from '../method.ts'
import { encodeQuantity } from '../quantity.ts'

export interface Identity {
  /** By EIP-155. */
  readonly chainId: bigint
  /** Such as `Fornax/v0.1.0/linux-x64/node20.20.0`. */
  readonly clientVersion: string
}

/** Which chain and which program this is. */
export const identityMethods = ({ chainId, clientVersion }: Identity): Methods => ({
  eth_chainId: method([], () => encodeQuantity(chainId)),
  net_version: method([], () => chainId.toString()),
  web3_clientVersion: method([], () => clientVersion),
})

/** `rpc_modules`, which tells the namespaces of these methods with their versions. */
export function moduleMethods(served: Methods): Methods {
  const names = [...Object.keys(served), 'rpc_modules'].map((name) => name.slice(0, name.indexOf('_')))
  const versions = Object.fromEntries([...new Set(names)].sort().map((name) => [name, '1.0']))
  return { rpc_modules: method([], () => versions) }
}
