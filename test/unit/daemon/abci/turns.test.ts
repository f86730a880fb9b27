import { join } from 'node:path'
import { expect } from 'chai'
import {
  Request,
  ResponseCheckTx,
  ResponseFinalizeBlock,
  ResponseQuery,
} from 'cosmjs-types/tendermint/abci/types'
import type { AbciHandler } from '../../../../daemon/abci/handler.ts'
import { type AbciServer, serveAbci } from '../../../../daemon/abci/server.ts'
import { Turns } from '../../../../daemon/abci/turns.ts'
import { AbciClient, encodeRequest } from '../../../kit/abci/client.ts'
import { acceptingHandler, recordingLog } from '../../../kit/abci/handler.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

const request = Request.fromPartial
const aTx = encodeRequest(request({ checkTx: { tx: new Uint8Array(300) } }))
const accepted = ResponseCheckTx.fromPartial({})
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  it('step their workers in rotation until the time is over', async () => {
    let time = 0
    const turns = new Turns({ ms: 4, now: () => time })
    const done: string[] = []
    const worker = (name: string, count: number) => ({
      step() {
        if (count === 0) return false
        count--
        time++
        done.push(name)
        return true
      },
      rest: () => done.push(`${name} rests`),
    })
    turns.add(worker('a', 5))
    turns.add(worker('b', 1))
    await settled()
    expect(done).to.deep.equal(['a', 'b', 'a', 'b rests', 'a', 'a rests'])
    done.length = 0
    await settled()
    expect(done).to.deep.equal(['a', 'a', 'a rests'])
  })
})

describe('abci server under a load of CheckTx', () => {
  const dir = tempDir()
  const servers: AbciServer[] = []
  const clients: AbciClient[] = []
  const FLOOD = 10_000
  /** Transactions in a turn. */
  const TURN = 4

  async function serve(handler: Partial<AbciHandler>, now: () => number) {
    const server = await serveAbci({
      address: `unix://${join(dir.path, 'a.sock')}`,
      handler: acceptingHandler(handler),
      onFatal: (error) => expect.fail(String(error)),
      log: recordingLog(),
      turns: { ms: TURN, now },
    })
    servers.push(server)
    const connect = async () => {
      const client = await AbciClient.connect(server.address)
      clients.push(client)
      return client
    }
    return { mempool: await connect(), consensus: await connect(), query: await connect() }
  }

  const flood = (mempool: AbciClient) => mempool.send(Buffer.concat(Array.from({ length: FLOOD }, () => aTx)))

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
    for (const server of servers.splice(0)) await server.close()
  })
  after(() => dir.remove())

  it('lets a consensus call and a query wait for two turns at most, and answers everything', async () => {
    let checked = 0
    const seen = new Map<string, number>()
    const { mempool, consensus, query } = await serve(
      {
        checkTx() {
          checked++
          if (checked === 100) {
            consensus.send(encodeRequest(request({ finalizeBlock: {} })))
            query.send(encodeRequest(request({ query: {} })))
          }
          return accepted
        },
        finalizeBlock() {
          seen.set('finalizeBlock', checked)
          return ResponseFinalizeBlock.fromPartial({})
        },
        query() {
          seen.set('query', checked)
          return ResponseQuery.fromPartial({})
        },
      },
      // A tick each.
      () => checked,
    )
    await consensus.call(request({ commit: {} }))
    flood(mempool)
    for (let i = 0; i < FLOOD; i++) expect((await mempool.next()).checkTx?.code).to.equal(0)
    expect(seen.get('finalizeBlock')).to.be.within(100, 100 + 2 * TURN)
    expect(seen.get('query')).to.be.within(100, 100 + 2 * TURN)
  })

  it('checks nothing while a consensus call is under way, and goes on when it is over', async () => {
    let checked = 0
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const { mempool, consensus, query } = await serve(
      {
        checkTx() {
          checked++
          return accepted
        },
        commit: () => released.then(() => ({ retainHeight: 0n })),
      },
      () => 0,
    )
    expect((await mempool.call(request({ checkTx: {} }))).checkTx?.code).to.equal(0)
    const committed = consensus.call(request({ commit: {} }))
    expect((await query.call(request({ query: {} }))).query?.code).to.equal(0)
    flood(mempool)
    for (let i = 0; i < 10; i++) expect((await query.call(request({ query: {} }))).query?.code).to.equal(0)
    expect(checked).to.equal(1)
    release()
    await committed
    for (let i = 0; i < FLOOD; i++) expect((await mempool.next()).checkTx?.code).to.equal(0)
    expect(checked).to.equal(1 + FLOOD)
  })
})
