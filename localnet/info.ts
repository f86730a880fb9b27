import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAddress } from '../core/address.ts'
import type { KeyType } from '../core/crypto/account-key.ts'
import { checksumAddress } from '../core/hex-address.ts'
import { writeFileAtomically } from '../daemon/files.ts'
import { type Ports, portsOf } from './ports.ts'

/** info.json of a local network: what scripts need to know. */
export interface LocalnetInfo {
  readonly chain_id: string
  /** Such as `5s`. */
  readonly slot_time: string
  readonly nodes: readonly NodeInfo[]
  /** Funded, for development only. */
  readonly accounts: readonly AccountInfo[]
  /** Lets its bearer act for the first account through the first node's REST interface. */
  readonly token: string
}

export interface AccountInfo {
  readonly name: string
  /** Those of ethsecp256k1 are accounts of Ethereum's wallets too; those of secp256k1 of Cosmos's alone. */
  readonly key_type: KeyType
  /** fornax1… */
  readonly address: string
  /** The same bytes as 0x…, with their checksum. */
  readonly evm_address: string
  /** Its key is at the path that wallets have for the kind of key. */
  readonly mnemonic: string
  /** 32 bytes, 0x…. A network that was made before has none written down. */
  readonly private_key?: string
}

export interface NodeInfo {
  readonly name: string
  readonly operator_address: string
  /** URLs. */
  readonly rpc: string
  readonly rest: string
  readonly jsonrpc: string
  readonly metrics: string
  /** nodeid@host:port. */
  readonly p2p: string
  readonly home: string
}

const fileOf = (folder: string): string => join(folder, 'info.json')

/** Undefined where there is no local network in the folder. */
export function readInfo(folder: string): LocalnetInfo | undefined {
  let text: string
  try {
    text = readFileSync(fileOf(folder), 'utf8')
  } catch {
    return undefined
  }
  const info = JSON.parse(text) as LocalnetInfo
  // Of a network that was made before its nodes had all their interfaces.
  const nodes = info.nodes.map((node, i) => ({ ...node, jsonrpc: node.jsonrpc ?? url(portsOf(i).jsonrpc) }))
  return { ...info, nodes, accounts: info.accounts.map(withForms) }
}

/** An account of a network that was made when there was one kind of key. */
const withForms = (account: AccountInfo): AccountInfo =>
  account.key_type
    ? account
    : { ...account, key_type: 'secp256k1', evm_address: checksumAddress(parseAddress(account.address)) }

export function writeInfo(folder: string, info: LocalnetInfo): void {
  writeFileAtomically(fileOf(folder), `${JSON.stringify(info, null, 2)}\n`)
}

const url = (port: number): string => `http://127.0.0.1:${port}`

const portOf = (address: string): number => Number(address.slice(address.lastIndexOf(':') + 1))

export const portsOfNode = (node: NodeInfo): Ports => ({
  rest: portOf(node.rest),
  jsonrpc: portOf(node.jsonrpc),
  rpc: portOf(node.rpc),
  p2p: portOf(node.p2p),
  metrics: Number(new URL(node.metrics).port),
})

/** A node's entry with its addresses at these ports. */
export function nodeInfo(
  node: Pick<NodeInfo, 'name' | 'operator_address' | 'home'> & { readonly nodeId: string },
  ports: Ports,
): NodeInfo {
  return {
    name: node.name,
    operator_address: node.operator_address,
    rpc: url(ports.rpc),
    rest: url(ports.rest),
    jsonrpc: url(ports.jsonrpc),
    metrics: `${url(ports.metrics)}/metrics`,
    p2p: `${node.nodeId}@127.0.0.1:${ports.p2p}`,
    home: node.home,
  }
}

export const nodeIdOf = (node: NodeInfo): string => node.p2p.slice(0, node.p2p.indexOf('@'))
