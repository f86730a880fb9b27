import { mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { RequestQuery } from 'cosmjs-types/tendermint/abci/types'
import { fromHex, fromUtf8, toBase64 } from '../../core/bytes.ts'
import { writeHalt } from '../../daemon/app/halt.ts'
import { nodeIdIn } from '../../daemon/comet/keys.ts'
import { TestChain } from '../kit/app/chain.ts'
import { DegradedChain } from '../kit/app/degraded-chain.ts'
import { fornaxd, type Run } from '../kit/fornaxd/fornaxd.ts'
import { tempDir } from '../kit/temp-dir.ts'

/** CometBFT's RPC before an application, as far as these commands ask it. */
function serveRpc(net: () => DegradedChain, id: () => string): Server {
  const answers = {
    status: () => ({
      node_info: { network: 'test', moniker: 'node', id: id() },
      sync_info: {
        latest_block_height: `${net().chain.height}`,
        latest_block_time: '2026-01-01T00:00:00Z',
        latest_app_hash: 'AA',
        catching_up: false,
      },
      validator_info: { voting_power: '100' },
    }),
    net_info: () => ({ n_peers: '3', peers: [] }),
    async abci_query({ path, data = '' }: { path: string; data?: string }) {
      const request = RequestQuery.fromPartial({ path, data: fromHex(data) })
      const { code, codespace, log, value, height } = await net().chain.app.query(request)
      return { response: { code, codespace, log, value: toBase64(value), height: `${height}` } }
    },
  }
  return createServer(async (request, response) => {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    const { id, method, params } = JSON.parse(text)
    const result = await answers[method as keyof typeof answers](params)
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
}

describe('An operator is told', function () {
  this.timeout(120_000)
  const dir = tempDir()
  const home = join(dir.path, 'node')
  const store = join(home, 'data', 'application.db')
  let net: DegradedChain
  let server: Server

  const run = (line: string): Promise<Run> => fornaxd([...line.split(' '), '--home', home])
  const json = async (line: string) => JSON.parse((await run(`${line} --output json`)).stdout)

  before(async () => {
    server = serveRpc(
      () => net,
      () => nodeIdIn(home)!,
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await run('init node')
    await run(`config set comet.rpc_address 127.0.0.1:${(server.address() as AddressInfo).port}`)
    mkdirSync(join(home, 'data'), { recursive: true })
  })
  after(() => {
    server.closeAllConnections()
    server.close()
    dir.remove()
  })

  describe('by a running node', () => {
    before(async () => {
      net = await DegradedChain.start({ validators: ['one', 'two'], path: store })
      await net.healthy()
    })
    after(() => net.stop())

    it('nothing of a halt where there is none', async () => {
      expect((await run('status')).stdout).to.not.match(/halted|committed|cleared/)
      const { stdout, stderr } = await run('query agents consensus')
      expect(stdout).to.include('agreeing: ')
      expect(stderr).to.equal('of the last committed height, 1\n')
      expect(await json('halt status')).to.deep.equal({
        halted: false,
        halt_height: null,
        cleared_height: null,
        committed_height: '1',
        decided_height: '1',
      })
    })

    it('nothing of a block whose commit is on its way to disk', async () => {
      const { app, height, store } = net.chain
      const ask = async () => {
        const { value } = await app.query(RequestQuery.fromPartial({ path: '/app/halt' }))
        const { committed_height, decided_height } = JSON.parse(fromUtf8(value))
        return [committed_height, decided_height]
      }
      const next = net.healthy()
      const seen: string[][] = []
      while (store.height === Number(height)) {
        seen.push(await ask())
        await new Promise(setImmediate)
      }
      await next
      for (const [committed, decided] of seen) expect(decided).to.equal(committed)
      expect(await ask()).to.deep.equal(['2', '2'])
    })

    it('of rounds whose commits are withheld', async () => {
      await net.withheld()
      expect((await run('status')).stdout).to.match(/^committed 2: .*the commit of a block is withheld$/m)
      const { stderr } = await run('query agents consensus --output json')
      expect(stderr).to.match(/^of the last committed height, 2\ndegraded since: .* height 3 are withheld/)
      expect((await run('halt status')).stdout).to.match(/^withheld {3}up to height 3/m)
    })

    it('of the halt, where it is, and what to do', async () => {
      await net.withheld()
      await net.withheld()
      const status = await run('status')
      expect(status.stdout).to.match(/^committed 2: .*the commit of 3 blocks is withheld$/m)
      expect(status.stdout).to.match(/^halted {4}at height 5: `fornaxd halt status` tells what to do$/m)
      expect((await json('status')).halt).to.include({ halted: true, halt_height: '5' })
      const consensus = await run('query agents consensus --output json')
      expect(JSON.parse(consensus.stdout)).to.have.all.keys('state')
      expect(consensus.stderr).to.match(/^the node is halted at height 5: `fornaxd halt status` tells/m)
      const halt = await run('halt status')
      expect([halt.code, halt.stderr]).to.deep.equal([0, ''])
      expect(halt.stdout).to.match(/^halted {5}yes, at height 5$/m)
      expect(halt.stdout).to.match(/verify --height 2`[\s\S]*Stop this node, then `fornaxd halt clear` and/)
      const clear = await run('halt clear')
      expect([clear.code, clear.stdout]).to.deep.equal([1, ''])
      expect(clear.stderr).to.include('the node is running: stop it first')
    })

    it('where to look, where the node does not tell', async () => {
      const { port } = server.address() as AddressInfo
      await run('config set comet.rpc_address 127.0.0.1:1')
      const { code, stdout, stderr } = await run('halt status')
      await run(`config set comet.rpc_address 127.0.0.1:${port}`)
      expect([code, stdout]).to.deep.equal([3, ''])
      expect(stderr).to.match(/the node is running, but does not tell .*: see its log/)
    })
  })

  describe('by a stopped node', () => {
    it('where it halted and what to do', async () => {
      const other = join(dir.path, 'other')
      mkdirSync(join(other, 'data'), { recursive: true })
      const chain = await TestChain.start({ path: join(other, 'data', 'application.db') })
      await chain.block()
      await writeHalt(chain.store, 4)
      await chain.store.close()
      const halted = await fornaxd(['halt', 'status', '--home', other])
      expect([halted.code, halted.stderr]).to.deep.equal([0, ''])
      expect(halted.stdout).to.match(/^halted {5}yes, at height 4\ncommitted {2}1\nWhat to do/)
      expect(halted.stdout).to.match(/Then `fornaxd halt clear` and `fornaxd start`/)
    })

    it('that there is no node in a folder without one', async () => {
      const none = join(dir.path, 'none')
      for (const command of ['status', 'clear']) {
        const { code, stdout, stderr } = await fornaxd(['halt', command, '--home', none])
        expect([code, stdout]).to.deep.equal([1, ''])
        expect(stderr).to.include(`no node in ${none}: `)
      }
    })
  })
})
