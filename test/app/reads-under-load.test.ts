import { get } from 'node:http'
import { expect } from 'chai'
import { RequestQuery, type ResponseQuery } from 'cosmjs-types/tendermint/abci/types'
import type { AbciHandler } from '../../daemon/abci/handler.ts'
import { BlockBudget } from '../../daemon/app/block-budget.ts'
import { encodeExtendedCommit } from '../../daemon/app/extended-commit.ts'
import { type BlockJson, cometRpc } from '../../daemon/client/rpc.ts'
import { paced } from '../../daemon/node/paced-app.ts'
import { COMETBFT } from '../../daemon/read-queue.ts'
import { Reads } from '../../daemon/read-turns.ts'
import { ExtendedCommit } from '../../proto/gen/fornax/abci/v1/abci.ts'
import { eventually } from '../kit/eventually.ts'
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

  const statusOf = (path: string, localAddress: string, asked = rest): Promise<number> =>
    new Promise((resolve, reject) => {
      get(asked.server.url + path, { localAddress, agent: false }, (answer) => {
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

  it('of what CometBFT has answered are shown one at a time, the sockets being read between them', async () => {
    const votes = Array.from({ length: 175 }, () => ({}))
    const tx = encodeExtendedCommit(ExtendedCommit.fromPartial({ votes }))
    const result = { code: 0, codespace: '', data: null, log: '', info: '', gas_wanted: '0', gas_used: '0' }
    const found = {
      hash: 'AA',
      height: '1',
      index: 0,
      tx: Buffer.from(tx).toString('base64'),
      tx_result: { ...result, events: null },
    }
    let waiting = 0
    let answer: () => void = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    const rpc = {
      ...cometRpc('http://127.0.0.1:1'),
      async txSearch() {
        waiting++
        await answered
        return { txs: [found, found], total_count: '2' }
      },
      block: async () => ({ block: { header: { time: '2026-01-01T00:00:00Z' } } }) as BlockJson,
    }
    const own = await RestChain.start({}, { rpc })
    let turn = 0
    let isOver = false
    const next = (): void => {
      turn++
      if (!isOver) setImmediate(next)
    }
    next()
    const turns = new Set<number>()
    const { decode } = ExtendedCommit
    ExtendedCommit.decode = (...args) => {
      turns.add(turn)
      return decode(...args)
    }
    try {
      const search = '/cosmos/tx/v1beta1/txs?query=tx.height=1'
      const searches = [2, 3, 4, 5].flatMap((host) =>
        Array.from({ length: 2 }, () => statusOf(search, `127.0.0.${host}`, own)),
      )
      await eventually('all of them have asked CometBFT', () => waiting === searches.length)
      answer()
      expect(new Set(await Promise.all(searches))).to.deep.equal(new Set([200]))
    } finally {
      ExtendedCommit.decode = decode
      isOver = true
      await own.stop()
    }
    expect(turns.size).to.equal(8)
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
