import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveAbci } from '../../daemon/abci/server.ts'
import { locateComet } from '../../daemon/comet/binary.ts'
import { writeCometConfig } from '../../daemon/comet/config.ts'
import { ensureKeys } from '../../daemon/comet/keys.ts'
import { superviseComet } from '../../daemon/comet/supervisor.ts'
import { acceptingHandler, recordingLog } from '../../test/kit/abci/handler.ts'
import { genesis } from '../../test/kit/comet/comet.ts'

/**
 * The floor: CometBFT as a node runs it, over an application that accepts everything, keeps nothing and tells no events.
 * `floor.js <home> <rpc port> <slot in ms> <mempool's size>`.
 */
const [home = '', port = '', slotMs = '', mempool = ''] = process.argv.slice(2)
const appAddress = `unix://${join(home, 'app.sock')}`
const rpc = `127.0.0.1:${port}`
mkdirSync(join(home, 'config'), { recursive: true, mode: 0o700 })
writeCometConfig(home, {
  moniker: 'floor',
  appAddress,
  rpcAddress: `tcp://${rpc}`,
  p2pAddress: 'tcp://127.0.0.1:0',
  slotMs: Number(slotMs),
  localNetwork: true,
  mempool: { maxTxs: Number(mempool) },
})
writeFileSync(join(home, 'config/genesis.json'), JSON.stringify(genesis(ensureKeys(home))))
const server = await serveAbci({
  address: appAddress,
  handler: acceptingHandler(),
  onFatal: (error) => {
    throw error
  },
  log: recordingLog(),
})
const comet = await superviseComet({
  binary: await locateComet(),
  home,
  rpcUrl: `http://${rpc}`,
  log: recordingLog(),
})
process.once('SIGTERM', () => {
  void comet.stop().then(() => server.close())
})
