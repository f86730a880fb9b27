import { get } from 'node:http'
import { expect } from 'chai'
import { RequestQuery, type ResponseQuery } from 'cosmjs-types/tendermint/abci/types'
import type { AbciHandler } from '../../daemon/abci/handler.ts'
import { BlockBudget } from '../../daemon/app/block-budget.ts'
import { cometRpc } from '../../daemon/client/rpc.ts'
import { paced } from '../../daemon/node/paced-app.ts'
import { COMETBFT } from '../../daemon/read-queue.ts'
import { Reads } from '../../daemon/read-turns.ts'
import { RestChain } from '../kit/http/rest.ts'

describe('reads under load', () => {
  let rest: RestChain
  let release: () => void
  before(async () => {
    const released = new Promise<void>((resolve) => (release = resolve))
    const rpc = {
      ...cometRpc('http://127.0.0.1:1'),
      async txSearch() {
        await released
        return { txs: [], total_count: '0' }
      },
    }
    rest = await RestChain.start({}, { rpc })
  })
  after(() => rest.stop())

  const statusOf = (path: string, localAddress: string): Promise<number> =>
    new Promise((resolve, reject) => {
      get(rest.server.url + path, { localAddress, agent: false }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      }).on('error', reject)
    })

  it('of the state are answered while five others have all their searches wait for CometBFT', async () => {
    const search = '/cosmos/tx/v1beta1/txs?query=tx.height=1'
    const searches = [2, 3, 4, 5, 6].flatMap((host) =>
      Array.from({ length: 50 }, () => statusOf(search, `127.0.0.${host}`)),
    )
    const balance = `/cosmos/bank/v1beta1/balances/${rest.chain.user('alice').text}`
    for (let i = 0; i < 20; i++) expect(await statusOf(balance, '127.0.0.1')).to.equal(200)
    const newcomer = statusOf(search, '127.0.0.1')
    release()
    expect(await newcomer).to.equal(200)
    expect(new Set(await Promise.all(searches))).to.deep.equal(new Set([200, 429, 503]))
    expect(rest.faults).to.deep.equal([])
  })

  it('over ABCI are refused with a clear answer where CometBFT itself asks too much', async () => {
    const { state } = rest.chain
    const reads = new Reads()
    const answer = { code: 0 } as ResponseQuery
    const handler = { query: () => answer } as unknown as AbciHandler
    const { query } = paced(state, handler, new BlockBudget(1000), reads)
    const request = RequestQuery.fromPartial({ path: '/app/version' })
    expect(await query(request)).to.equal(answer)
    const waiting = Array.from({ length: 51 }, () => reads.run(COMETBFT, () => 1))
    const refused = await query(request)
    expect([refused.codespace, refused.code, refused.log]).to.deep.equal([
      'sdk',
      39,
      'the node is busy: try again',
    ])
    await Promise.allSettled(waiting)
  })
})
