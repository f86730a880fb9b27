import { serveAbci } from '../../../daemon/abci/server.ts'
import { superviseComet } from '../../../daemon/comet/supervisor.ts'
import { acceptingHandler, recordingLog } from '../abci/handler.ts'

/**
 * A program: `supervisedNode.js <binary> <home> <rpc url> <address>` supervises CometBFT and prints its pid. With
 * the address `none` there is no application, and CometBFT keeps dialling.
 */
const [binary = '', home = '', rpcUrl = '', address = ''] = process.argv.slice(2)
const log = recordingLog()
if (address !== 'none') {
  await serveAbci({ address, handler: acceptingHandler(), onFatal: () => process.exit(1), log })
}
const comet = await superviseComet({ binary, home, rpcUrl, log })
process.stdout.write(`${comet.pid}\n`)
