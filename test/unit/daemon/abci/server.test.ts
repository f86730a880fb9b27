import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { Request, ResponseCheckTx, ResponseFinalizeBlock } from 'cosmjs-types/tendermint/abci/types'
import type { AbciHandler } from '../../../../daemon/abci/handler.ts'
import { type AbciOptions, type AbciServer, serveAbci } from '../../../../daemon/abci/server.ts'
import { AbciClient, encodeRequest, frame } from '../../../kit/abci/client.ts'
import { acceptingHandler, recordingLog } from '../../../kit/abci/handler.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

const request = Request.fromPartial
const tx = (...bytes: number[]) => request({ checkTx: { tx: new Uint8Array(bytes) } })
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('abci server', () => {
  const dir = tempDir()
  const log = recordingLog()
  const fatal: string[] = []
  const servers: AbciServer[] = []
  const clients: AbciClient[] = []

  async function serve(handler: Partial<AbciHandler> = {}, options: Partial<AbciOptions> = {}) {
    const address = `unix://${join(mkdtempSync(join(dir.path, 's')), 'a.sock')}`
    const onFatal = (error: unknown, method: string) => fatal.push(`${method}: ${String(error)}`)
    const server = await serveAbci({ address, handler: acceptingHandler(handler), onFatal, log, ...options })
    servers.push(server)
    return server
  }

  async function connect(server: AbciServer) {
    const client = await AbciClient.connect(server.address)
    clients.push(client)
    return client
  }

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
    for (const server of servers.splice(0)) await server.close()
    log.lines.length = 0
    fatal.length = 0
  })
  after(() => dir.remove())

  it('answers every call of ABCI 2.0 with its own response', async () => {
    const client = await connect(await serve())
    const names = [
      'echo',
      'flush',
      'info',
      'initChain',
      'query',
      'checkTx',
      'prepareProposal',
      'processProposal',
      'extendVote',
      'verifyVoteExtension',
      'finalizeBlock',
      'commit',
      'listSnapshots',
      'offerSnapshot',
      'loadSnapshotChunk',
      'applySnapshotChunk',
    ] as const
    for (const name of names) {
      const response = await client.call(Request.fromJSON({ [name]: {} }))
      expect(response[name], name).to.be.an('object')
    }
    expect((await client.call(request({ echo: { message: 'hello' } }))).echo?.message).to.equal('hello')
    expect((await client.call(tx(1, 2, 3))).checkTx?.gasWanted).to.equal(3n)
  })

  it('answers InsertTx and ReapTxs of later CometBFTs', async () => {
    const seen: string[] = []
    const server = await serve({
      insertTx: (q) => {
        seen.push(Buffer.from(q.tx).toString('hex'))
        return { code: 5 }
      },
      reapTxs: (q) => {
        seen.push(`${q.maxBytes}/${q.maxGas}`)
        return { txs: [new Uint8Array([1]), new Uint8Array([2, 3])] }
      },
    })
    const client = await connect(server)
    const received: Buffer[] = []
    client.socket.removeAllListeners('data')
    client.socket.on('data', (chunk) => received.push(chunk))
    client.send(frame(new Uint8Array([0xaa, 1, 4, 0x0a, 2, 7, 8])))
    client.send(frame(new Uint8Array([0xb2, 1, 4, 0x08, 100, 0x10, 9])))
    while (Buffer.concat(received).length < 6 + 11) await sleep(1)
    expect(seen).to.deep.equal(['0708', '100/9'])
    expect(Buffer.concat(received).toString('hex')).to.equal('05b201020805' + '0aba01070a01010a020203')
  })

  it('listens on tcp', async () => {
    const server = await serve({}, { address: 'tcp://127.0.0.1:0' })
    expect(server.address).to.match(/^tcp:\/\/127\.0\.0\.1:[1-9]\d+$/)
    const client = await connect(server)
    expect((await client.call(tx(1))).checkTx?.code).to.equal(0)
  })

  it('answers in the order of the requests, however slow an answer is', async () => {
    const server = await serve({
      checkTx: async ({ tx }) => {
        await sleep(tx[0] === 0 ? 30 : 1)
        return ResponseCheckTx.fromPartial({ code: tx[0] ?? 0 })
      },
    })
    const client = await connect(server)
    client.send(
      Buffer.concat([
        ...[0, 1, 2, 3].map((n) => encodeRequest(tx(n))),
        encodeRequest(request({ flush: {} })),
      ]),
    )
    for (const n of [0, 1, 2, 3]) expect((await client.next()).checkTx?.code).to.equal(n)
    expect((await client.next()).flush).to.be.an('object')
  })

  it('takes requests in whatever pieces they come', async () => {
    const client = await connect(await serve())
    const bytes = Buffer.concat([encodeRequest(tx(1, 2)), encodeRequest(request({ flush: {} }))])
    for (const byte of bytes) {
      client.send(new Uint8Array([byte]))
      await sleep(1)
    }
    expect((await client.next()).checkTx?.gasWanted).to.equal(2n)
    expect((await client.next()).flush).to.be.an('object')
  })

  it('answers a query while a block is being executed, and never runs two consensus calls at once', async () => {
    let inside = 0
    let most = 0
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const exclusive = async <T>(answer: T): Promise<T> => {
      most = Math.max(most, ++inside)
      await released
      inside--
      return answer
    }
    const server = await serve({
      finalizeBlock: () => exclusive(ResponseFinalizeBlock.fromPartial({})),
      extendVote: () => exclusive({ voteExtension: new Uint8Array(0) }),
      commit: () => exclusive({ retainHeight: 0n }),
    })
    const [consensus, other, query] = [await connect(server), await connect(server), await connect(server)]
    const answers = [
      consensus.call(request({ finalizeBlock: {} })),
      consensus.call(request({ commit: {} })),
      other.call(request({ extendVote: {} })),
    ]
    expect((await query.call(request({ query: { path: '/x' } }))).query?.code).to.equal(0)
    expect(inside).to.equal(1)
    release()
    await Promise.all(answers)
    expect(most).to.equal(1)
  })

  it('stops reading from a peer that does not read its answers, and answers them all later', async () => {
    const value = new Uint8Array(100_000)
    let calls = 0
    const server = await serve({
      query: () => {
        calls++
        return { code: 0, log: '', info: '', index: 0n, key: value, value, height: 0n, codespace: '' }
      },
    })
    const client = await connect(server)
    client.socket.pause()
    const one = encodeRequest(request({ query: { path: '/x' } }))
    const count = 500
    client.send(Buffer.concat(Array.from({ length: count }, () => one)))
    await sleep(50)
    expect(calls).to.be.lessThan(20)
    client.socket.resume()
    for (let i = 0; i < count; i++) expect((await client.next()).query?.value.length).to.equal(value.length)
  })

  it('stops reading while a call is under way and too much waits', async () => {
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let calls = 0
    const server = await serve({
      checkTx: async () => {
        calls++
        await released
        return ResponseCheckTx.fromPartial({})
      },
    })
    const client = await connect(server)
    const one = encodeRequest(request({ checkTx: { tx: new Uint8Array(10_000) } }))
    const count = 1000
    client.send(Buffer.concat(Array.from({ length: count }, () => one)))
    await sleep(50)
    expect(client.socket.writableLength).to.be.greaterThan(0)
    release()
    for (let i = 0; i < count; i++) await client.next()
    expect(calls).to.equal(count)
  })

  it('closes a connection that sends garbage with one line, and goes on with the others', async () => {
    const server = await serve({}, { maxFrameBytes: 1000 })
    const honest = await connect(server)
    const reasons = [
      [
        new Uint8Array([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        'the frame length is not a varint of at most 5 bytes',
      ],
      [frame(new Uint8Array(1001)).subarray(0, 2), 'a frame of 1001 bytes is over the limit of 1000 bytes'],
      [frame(new Uint8Array([0x3a, 0])), 'request field 7 is of no ABCI call known here'],
      [frame(new Uint8Array([0x2a, 1, 0xff])), 'request field 5 does not decode'],
    ] as const
    for (const [bytes, reason] of reasons) {
      log.lines.length = 0
      const client = await connect(server)
      client.send(bytes)
      await client.closed
      const lines = log.lines.filter((line) => line.level !== 'debug')
      expect(lines.map((line) => line.message)).to.deep.equal(['abci connection closed: not an ABCI peer'])
      expect(lines[0]?.fields).to.include({ reason })
    }
    expect((await honest.call(tx(1))).checkTx?.code).to.equal(0)
    expect(fatal).to.deep.equal([])
  })

  it('answers with code 1 when the application throws in CheckTx or Query, and logs it once', async () => {
    const boom = () => {
      throw new Error('boom at /secret/path')
    }
    const server = await serve({ checkTx: boom, query: async () => boom() })
    const client = await connect(server)
    for (let i = 0; i < 3; i++) {
      const { checkTx } = await client.call(tx(1))
      expect(checkTx).to.include({ code: 1, codespace: 'sdk', log: 'internal error' })
    }
    const { query } = await client.call(request({ query: {} }))
    expect(query).to.include({ code: 1, codespace: 'sdk', log: 'internal error' })
    expect(log.lines.filter((line) => line.level === 'error')).to.have.length(2)
    expect(fatal).to.deep.equal([])
  })

  it('answers a snapshot call in which the application throws with what stops that snapshot', async () => {
    const boom = () => {
      throw new Error('boom')
    }
    const server = await serve({
      listSnapshots: boom,
      offerSnapshot: boom,
      loadSnapshotChunk: boom,
      applySnapshotChunk: boom,
    })
    const client = await connect(server)
    expect((await client.call(request({ listSnapshots: {} }))).listSnapshots?.snapshots).to.deep.equal([])
    expect((await client.call(request({ offerSnapshot: {} }))).offerSnapshot?.result).to.equal(2)
    expect((await client.call(request({ loadSnapshotChunk: {} }))).loadSnapshotChunk?.chunk.length).to.equal(
      0,
    )
    expect((await client.call(request({ applySnapshotChunk: {} }))).applySnapshotChunk?.result).to.equal(2)
    expect(fatal).to.deep.equal([])
  })

  it('answers nothing more once a consensus call has thrown, and tells its owner once', async () => {
    for (const name of ['finalizeBlock', 'commit', 'processProposal', 'info'] as const) {
      fatal.length = 0
      const server = await serve({ [name]: () => Promise.reject(new Error('broken')) })
      const [consensus, query] = [await connect(server), await connect(server)]
      let answered = 0
      const late = (call: Promise<unknown>) => call.then(() => answered++).catch(() => {})
      late(consensus.call(Request.fromJSON({ [name]: {} })))
      late(consensus.call(Request.fromJSON({ [name]: {} })))
      while (fatal.length === 0) await sleep(1)
      late(query.call(tx(1)))
      await sleep(10)
      expect(answered, name).to.equal(0)
      expect(fatal).to.have.length(1)
      expect(fatal[0]).to.match(/^[A-Z]\w+: Error: broken$/)
    }
  })

  it('treats an answer that cannot be encoded as a throw', async () => {
    const server = await serve({ commit: () => JSON.parse('null') })
    const client = await connect(server)
    client.call(request({ commit: {} })).catch(() => {})
    while (fatal.length === 0) await sleep(1)
    expect(fatal[0]).to.match(/^Commit: TypeError/)
  })

  it('tells how long each call took', async () => {
    const seen: [string, number][] = []
    const server = await serve(
      {
        commit: async () => {
          await sleep(15)
          return { retainHeight: 0n }
        },
      },
      { observe: (method, seconds) => seen.push([method, seconds]) },
    )
    const client = await connect(server)
    await client.call(tx(1))
    await client.call(request({ commit: {} }))
    expect(seen.map(([method]) => method)).to.deep.equal(['CheckTx', 'Commit'])
    expect(seen[1]?.[1]).to.be.within(0.01, 1)
  })

  it('waits for the call under way when it is closed, and removes its socket', async () => {
    let ended = false
    const server = await serve({
      commit: async () => {
        await sleep(30)
        ended = true
        return { retainHeight: 0n }
      },
    })
    const client = await connect(server)
    client.call(request({ commit: {} })).catch(() => {})
    await sleep(10)
    await server.close()
    expect(ended).to.equal(true)
    expect(existsSync(server.address.slice('unix://'.length))).to.equal(false)
  })

  it('replaces the socket of a killed server, but not that of a live one nor another file', async () => {
    const live = await serve()
    const failure = async (address: string) => {
      try {
        await serve({}, { address })
      } catch (error) {
        return error instanceof Error ? `${error.name}: ${error.message}` : ''
      }
      return 'listens'
    }
    expect(await failure(live.address)).to.match(/^ListenError: .* another server is using it$/)
    const tcp = await serve({}, { address: 'tcp://127.0.0.1:0' })
    expect(await failure(tcp.address)).to.match(/^ListenError: .* another server is using it$/)

    const file = join(dir.path, 'file')
    writeFileSync(file, 'precious')
    expect(await failure(`unix://${file}`)).to.match(/a file that is no socket is there$/)
    expect(existsSync(file)).to.equal(true)

    const stale = join(dir.path, 'stale.sock')
    await leaveSocketBehind(stale)
    expect(existsSync(stale)).to.equal(true)
    expect(await failure(`unix://${stale}`)).to.equal('listens')
  })

  it('says what is wrong with an address', async () => {
    const failure = (address: string) => serve({}, { address }).then(String, (error: Error) => error.message)
    expect(await failure(`unix:///${'x'.repeat(107)}`)).to.match(
      /has 108 bytes, the system allows 107: use a shorter/,
    )
    expect(await failure('unix://')).to.equal('the address unix:// names no path')
    expect(await failure('localhost:26658')).to.match(/write unix:\/\/\/path or tcp:\/\/host:port/)
    expect(await failure('tcp://127.0.0.1:70000')).to.match(/cannot listen on/)
    expect(await failure(`unix://${dir.path}/none/a.sock`)).to.match(/^cannot listen on .*ENOENT|EACCES/)
  })
})

/** Leaves a socket file on which nobody listens, as a killed process does. */
async function leaveSocketBehind(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(`${path}.live`, resolve))
  renameSync(`${path}.live`, path)
  await new Promise((resolve) => server.close(resolve))
}
