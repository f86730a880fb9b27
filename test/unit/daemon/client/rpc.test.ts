import { createServer, type Server } from 'node:http'
import { expect } from 'chai'
import { cometRpc } from '../../../../daemon/client/rpc.ts'

describe('comet rpc', () => {
  let server: Server
  let answer: string | undefined
  let asked: { method: string; params: object }
  let url: string

  before(async () => {
    server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text) => {
        asked = JSON.parse(text)
      })
      request.on('end', () => answer === undefined || response.end(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const failure = (options = {}) => cometRpc(url, options).status().then(String, String)

  it('tells an error of CometBFT from no answer and from something else', async () => {
    answer = JSON.stringify({
      error: { code: -32603, message: 'Internal error', data: 'height 9 is not there' },
    })
    expect(await failure()).to.equal('RpcError: status: Internal error: height 9 is not there')
    answer = '<html>'
    expect(await failure()).to.equal(`RpcUnavailable: status: CometBFT at ${url} does not speak JSON-RPC`)
    answer = '{}'
    expect(await failure()).to.equal(`RpcUnavailable: status: CometBFT at ${url} does not speak JSON-RPC`)
    answer = 'null'
    expect(await failure()).to.equal(`RpcUnavailable: status: CometBFT at ${url} does not speak JSON-RPC`)
    answer = undefined
    expect(await failure({ timeoutMs: 100 })).to.equal(
      `RpcUnavailable: status: CometBFT at ${url} did not answer within 100 ms`,
    )
  })

  it('tells what is wrong with a query that CometBFT cannot read', async () => {
    const refusal = async (data: string): Promise<string> => {
      answer = JSON.stringify({ error: { code: -32603, message: 'Internal error', data } })
      return cometRpc(url).txSearch('garbage').then(String, String)
    }
    const like = "; one is such as message.sender='fornax1…' AND tx.height>5"
    expect(await refusal('EOF')).to.equal(
      `RpcError: tx_search: Invalid params: failed to parse query: it ends in the midst of a condition${like}`,
    )
    expect(await refusal('offset 3: got "x", wanted y')).to.equal(
      `RpcError: tx_search: Invalid params: failed to parse query: offset 3: got "x", wanted y${like}`,
    )
    expect(await refusal('page should be within [1, 1] range')).to.equal(
      'RpcError: tx_search: Internal error: page should be within [1, 1] range',
    )
  })

  it('asks as CometBFT wants to be asked', async () => {
    answer = JSON.stringify({ result: { n_peers: '3' } })
    const rpc = cometRpc(url)
    expect(await rpc.peerCount()).to.equal(3)
    await rpc.block(7n)
    expect(asked).to.include({ method: 'block' })
    expect(asked.params).to.deep.equal({ height: '7' })
    await rpc.block()
    expect(asked.params).to.deep.equal({})
  })

  it('tells where consensus is, and how much of the power has voted in that round', async () => {
    const voteSet = (round: number, prevotes: string) => ({
      round,
      prevotes: [],
      prevotes_bit_array: `BA{4:xx__} ${prevotes}`,
      precommits: [],
      precommits_bit_array: 'BA{4:____} 0/400 = 0.00',
    })
    const at = { 'height/round/step': '831/1/4' }
    const height_vote_set = [voteSet(0, '300/400 = 0.75'), voteSet(1, '200/400 = 0.50')]
    answer = JSON.stringify({ result: { round_state: { ...at, height_vote_set } } })
    const position = { height: 831, round: 1, step: 4 }
    expect(await cometRpc(url).position()).to.deep.equal({
      ...position,
      votes: { prevotes: '200/400', precommits: '0/400' },
    })
    for (const none of [undefined, null, []]) {
      answer = JSON.stringify({ result: { round_state: { ...at, height_vote_set: none } } })
      expect(await cometRpc(url).position()).to.deep.equal(position)
    }
  })
})
