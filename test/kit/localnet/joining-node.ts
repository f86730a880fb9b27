import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readConfig, renderConfig, withSettings } from '../../../daemon/config/file.ts'
import { homeLayout } from '../../../daemon/config/home.ts'
import { nodeInfo } from '../../../localnet/info.ts'
import type { Localnet } from '../../../localnet/localnet.ts'
import { NodeProcess } from '../../../localnet/node-process.ts'
import { fornaxd } from '../fornaxd/fornaxd.ts'
import { freePorts } from '../ports.ts'
import { SLOT } from './localnet.ts'

/** A node of its own home that joins a local network as an outsider would: by `fornaxd init`, genesis and a peer. */
export async function joiningNode(
  net: Localnet,
  folder: string,
  name: string,
): Promise<{ readonly home: ReturnType<typeof homeLayout>; readonly node: NodeProcess }> {
  const home = homeLayout(join(folder, name))
  const [rest, jsonrpc, rpc, p2p, metrics] = (await freePorts(5)) as [number, number, number, number, number]
  const { code, stderr } = await fornaxd(['init', name, '--chain-id', net.info.chain_id, '--home', home.path])
  expect(code, stderr).to.equal(0)
  copyFileSync(homeLayout(net.info.nodes[0]!.home).genesis, home.genesis)
  const settings = withSettings(readConfig(home.appToml), [
    ['comet.persistent_peers', net.info.nodes[2]!.p2p],
    ['comet.private_network', 'true'],
    ['comet.rpc_address', `127.0.0.1:${rpc}`],
    ['comet.p2p_address', `127.0.0.1:${p2p}`],
    ['rest.address', `127.0.0.1:${rest}`],
    ['jsonrpc.address', `127.0.0.1:${jsonrpc}`],
    ['metrics.address', `127.0.0.1:${metrics}`],
    ['slot_time', SLOT],
  ])
  writeFileSync(home.appToml, renderConfig(settings))
  const names = { name, operator_address: '', home: home.path, nodeId: '' }
  return { home, node: new NodeProcess(nodeInfo(names, { rest, jsonrpc, rpc, p2p, metrics })) }
}
