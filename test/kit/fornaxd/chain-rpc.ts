import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fromHex, toBase64 } from '../../../core/bytes.ts'
import type { TestChain } from '../app/chain.ts'
import { fornaxd, type Run } from './fornaxd.ts'

export interface AskedChain {
  /** Runs a `fornaxd query` command's words against the chain. */
  readonly query: (line: string) => Promise<Run>
  readonly close: () => void
}

/** The part of CometBFT's RPC that answers queries, over a chain that is driven block by block. */
export async function askable(chain: TestChain): Promise<AskedChain> {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    const { id, params } = JSON.parse(text)
    const { path, data, height = '0' } = params as Record<string, string>
    const answer = await chain.app.query({
      path: path!,
      data: fromHex(data!),
      height: BigInt(height),
      prove: false,
    })
    const { code, codespace, log, info, value } = answer
    const told = { code, codespace, log, info, index: '0', key: null, value: toBase64(value) }
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id, result: { response: { ...told, height: `${answer.height}` } } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const node = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    query: (line) => fornaxd(['query', ...line.split(' '), '--node', node]),
    close: () => server.close(),
  }
}
