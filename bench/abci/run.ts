import { join } from 'node:path'
import { Request, ResponseCheckTx } from 'cosmjs-types/tendermint/abci/types'
import { serveAbci } from '../../daemon/abci/server.ts'
import { AbciClient, encodeRequest } from '../../test/kit/abci/client.ts'
import { acceptingHandler, recordingLog } from '../../test/kit/abci/handler.ts'
import { tempDir } from '../../test/kit/temp-dir.ts'

/**
 * CheckTx calls per second through a unix socket, pipelined 256 deep as CometBFT does it, with a handler that does
 * nothing. The client runs in the same process, so the server's share is about half of the time. Answers are
 * counted by their bytes, not decoded.
 */
const dir = tempDir()
const server = await serveAbci({
  address: `unix://${join(dir.path, 'a.sock')}`,
  handler: acceptingHandler({ checkTx: () => ResponseCheckTx.fromPartial({ gasWanted: 100_000n }) }),
  onFatal: (error) => {
    throw error
  },
  log: recordingLog(),
})
const client = await AbciClient.connect(server.address)
const depth = 256
const answerBytes = 7
const batch = Buffer.concat(
  Array.from({ length: depth }, () =>
    encodeRequest(Request.fromPartial({ checkTx: { tx: new Uint8Array(300) } })),
  ),
)
client.socket.removeAllListeners('data')
let received = 0
let wake: () => void = () => {}
client.socket.on('data', (chunk) => {
  received += chunk.length
  if (received % (depth * answerBytes) === 0) wake()
})

async function run(seconds: number): Promise<number> {
  const start = performance.now()
  let calls = 0
  while (performance.now() - start < seconds * 1000) {
    const answered = new Promise<void>((resolve) => (wake = resolve))
    client.send(batch)
    await answered
    calls += depth
  }
  return (calls / (performance.now() - start)) * 1000
}

await run(1)
const before = process.cpuUsage()
const rate = await run(3)
const used = process.cpuUsage(before)
console.log(
  `CheckTx of 300 bytes: ${Math.round(rate)} per second, ${((used.user + used.system) / rate / 3).toFixed(2)} µs of CPU each (client included)`,
)
await client.close()
await server.close()
dir.remove()
