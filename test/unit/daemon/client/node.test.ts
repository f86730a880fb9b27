import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { NodeClient } from '../../../../daemon/client/node.ts'

describe('A client of a node', () => {
  let server: Server
  let client: NodeClient
  let url: string
  let answer: unknown
  let asked: { method: string; params: object }

  before(async () => {
    server = createServer(async (request, response) => {
      let text = ''
      for await (const part of request.setEncoding('utf8')) text += part
      asked = JSON.parse(text)
      response.end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    client = new NodeClient(url)
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const path = '/cosmos.bank.v1beta1.Query/Balance'
  const data = new Uint8Array([255, 1])
  const queried = (response: object): unknown => ({ jsonrpc: '2.0', id: 1, result: { response } })
  const failure = (height?: bigint): Promise<string> => client.query(path, data, height).then(String, String)

  it('asks the application, at a height or at the last', async () => {
    answer = queried({ code: 0, log: '', info: '', index: '0', key: null, value: 'AQI=', height: '7' })
    expect(await client.query(path, data)).to.deep.equal(new Uint8Array([1, 2]))
    expect(asked).to.deep.include({ method: 'abci_query', params: { path, data: 'ff01' } })
    await client.query(path, data, 3n)
    expect(asked.params).to.deep.equal({ path, data: 'ff01', height: '3' })
    answer = queried({ code: 0, value: null })
    expect(await client.query(path, data)).to.deep.equal(new Uint8Array(0))
  })

  it('tells what the application refuses from what CometBFT does', async () => {
    answer = queried({ code: 22, codespace: 'sdk', log: 'rpc error: code = NotFound desc = not here' })
    expect(await failure()).to.equal('ChainError: not here')
    answer = { error: { code: -32603, message: 'Internal error', data: 'height 9 is not there' } }
    expect(await failure()).to.equal('RpcError: abci_query: Internal error: height 9 is not there')
  })

  it('hands a transaction in, and says what CheckTx did', async () => {
    answer = {
      result: { code: 5, data: '', log: 'too little', codespace: 'sdk', hash: 'AB'.repeat(32) },
    }
    const outcome = await client.broadcast(data)
    expect(outcome).to.deep.equal({
      hash: 'AB'.repeat(32),
      code: 5,
      codespace: 'sdk',
      log: 'too little',
    })
    expect(asked).to.deep.include({ method: 'broadcast_tx_sync', params: { tx: '/wE=' } })
  })

  it('takes nothing for an answer that is none', async () => {
    const form = `RpcUnavailable: CometBFT at ${url} answers in no form of CometBFT 0.38: `
    for (const response of [
      { code: 0, value: 7 },
      { code: 0, value: 'not base64' },
      { code: 'none', value: '' },
      { code: 0, value: '', height: '9007199254740993' },
    ]) {
      answer = queried(response)
      expect((await failure()).slice(0, form.length), JSON.stringify(response)).to.equal(form)
    }
    for (const result of [null, {}, [], 'text', { response: null }]) {
      answer = { result }
      expect((await failure()).slice(0, form.length), JSON.stringify(result)).to.equal(form)
    }
    answer = {}
    expect(await failure()).to.equal(`RpcUnavailable: abci_query: CometBFT at ${url} does not speak JSON-RPC`)
    for (const hash of ['', 'xyz', 7]) {
      answer = { result: { code: 0, hash } }
      const refusal = await client.broadcast(data).then(String, String)
      expect(refusal.slice(0, form.length), String(hash)).to.equal(form)
    }
  })

  it('asks nobody for a height that no block has', async () => {
    expect(await failure(1n << 60n)).to.equal(`FieldError: no block has the height ${1n << 60n}`)
  })
})
