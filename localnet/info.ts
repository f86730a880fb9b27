import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../daemon/files.ts'
import { type Ports, portsOf } from './ports.ts'

/** info.json of a local network: what scripts need to know. */
export interface LocalnetInfo {
  readonly chain_id: string
  /** Such as `5s`. */
  readonly slot_time: string
  readonly nodes: readonly NodeInfo[]
  /** Funded, for development only. */
  readonly accounts: readonly { readonly name: string; readonly address: string; readonly mnemonic: string }[]
  /** Lets its bearer act for the first account through the first node's REST interface. */
  readonly token: string
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
  return { ...info, nodes }
}

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
