import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse, type TomlTable } from 'smol-toml'
import { utf8 } from '../../core/bytes.ts'
import { type AbciServer, serveAbci } from '../../daemon/abci/server.ts'
import { askComet } from '../../daemon/client/comet.ts'
import { type CometRpc, cometRpc, RpcError, RpcUnavailable } from '../../daemon/client/rpc.ts'
import { writeCometConfig } from '../../daemon/comet/config.ts'
import { ensureKeys } from '../../daemon/comet/keys.ts'
import { type CometSupervisor, superviseComet } from '../../daemon/comet/supervisor.ts'
import { broadcastResponse } from '../../daemon/services/tx-response.ts'
import { acceptingHandler, recordingLog } from '../kit/abci/handler.ts'
import { type CometHome, cometBinary, cometHome } from '../kit/comet/comet.ts'
import { eventually } from '../kit/eventually.ts'
import { tempDir } from '../kit/temp-dir.ts'

describe('CometBFT runs the abci server', () => {
  const dir = tempDir()
  const log = recordingLog()
  const called = new Map<string, number>()
  const handler = acceptingHandler()
  let binary: string
  let node: CometHome
  let server: AbciServer
  let comet: CometSupervisor
  let rpc: CometRpc

  before(async function () {
    this.timeout(300_000)
    binary = await cometBinary()
    node = await cometHome(dir.path, { overrides: { rpc: { max_body_bytes: 5_000_000 } } })
    server = await serveAbci({
      address: node.appAddress,
      handler: {
        ...handler,
        async checkTx(request) {
          const answer = await handler.checkTx(request)
          return { ...answer, data: Uint8Array.of(0xab, 0xcd, 0xef, request.tx.length) }
        },
      },
      onFatal: (error) => {
        throw error
      },
      log,
      observe: (method) => called.set(method, (called.get(method) ?? 0) + 1),
    })
    process.env['CMTHOME'] = '/nonexistent'
    comet = await superviseComet({ binary, home: node.home, rpcUrl: node.rpcUrl, log })
    delete process.env['CMTHOME']
    rpc = cometRpc(node.rpcUrl)
  })
  after(async () => {
    await comet?.stop()
    await server?.close()
    dir.remove()
  })

  it('and has the data of CheckTx as they were answered, in hexadecimal', async () => {
    await eventually('the RPC', () =>
      rpc.status().then(
        () => true,
        () => false,
      ),
    )
    const { data } = await broadcastResponse(rpc, utf8('data=1'))
    expect(data).to.equal('ABCDEF06')
  })

  it('for several heights, with every call of a round', async () => {
    await eventually('height 4', async () => {
      const height = await rpc.status().then(
        (status) => Number(status.sync_info.latest_block_height),
        () => 0,
      )
      return height >= 4
    })
    const round = [
      'Info',
      'InitChain',
      'PrepareProposal',
      'ProcessProposal',
      'ExtendVote',
      'FinalizeBlock',
      'Commit',
    ]
    for (const method of round) expect(called.get(method), method).to.be.greaterThan(0)
    expect(called.get('FinalizeBlock')).to.be.greaterThanOrEqual(4)
    expect(log.lines.filter((line) => line.level === 'error')).to.deep.equal([])
  })

  it('and a transaction of 200 kB goes into a block and can be found', async () => {
    const tx = new Uint8Array(200_000).fill(7)
    const hash = createHash('sha256').update(tx).digest()
    const committed = await rpc.broadcastTxCommit(tx)
    expect(committed.check_tx.gas_wanted).to.equal('200000')
    expect(committed.tx_result.code).to.equal(0)
    expect(committed.hash).to.equal(hash.toString('hex').toUpperCase())
    const height = BigInt(committed.height)
    const found = await eventually('the indexed transaction', () => rpc.tx(hash).catch(() => undefined))
    expect(found.height).to.equal(committed.height)
    expect((await rpc.txSearch(`tx.height=${height}`, { descending: true })).total_count).to.equal('1')
    expect((await rpc.block(height)).block.data.txs).to.have.length(1)
    expect((await rpc.blockResults(height)).txs_results).to.have.length(1)
    expect((await rpc.broadcastTxSync(new Uint8Array([1]))).code).to.equal(0)
  })

  it('and the rpc client reads what it needs', async () => {
    const { validators } = await rpc.validators()
    expect(validators.map((validator) => validator.address.toLowerCase())).to.deep.equal([
      Buffer.from(node.keys.validator.address).toString('hex'),
    ])
    expect((await rpc.status()).node_info.id).to.equal(node.keys.nodeId)
    expect((await rpc.genesis()).genesis['chain_id']).to.equal('test-1')
    expect(await rpc.peerCount()).to.equal(0)
    expect((await rpc.position()).height).to.be.greaterThan(1)
    const { value } = await askComet(node.rpcUrl, (comet) =>
      comet.abciQuery({ path: '/x', data: new Uint8Array([1, 2]) }),
    )
    expect(value).to.deep.equal(new Uint8Array([1, 2]))
    const missing = await rpc.tx(new Uint8Array(32)).catch((error: unknown) => error)
    expect(missing).to.be.instanceOf(RpcError)
    expect(String(missing)).to.match(/^RpcError: tx: Internal error: tx \(0+\) not found/)
    const nobody = await cometRpc('http://127.0.0.1:1')
      .status()
      .catch((error: unknown) => error)
    expect(nobody).to.be.instanceOf(RpcUnavailable)
    expect(String(nobody)).to.match(
      /^RpcUnavailable: status: CometBFT at http:\/\/127\.0\.0\.1:1 does not answer/,
    )
  })

  it('and takes our settings for production and for state sync', () => {
    const { home } = node
    const production = join(dir.path, 'production')
    ensureKeys(production)
    copyFileSync(join(home, 'config/genesis.json'), join(production, 'config/genesis.json'))
    writeCometConfig(production, {
      moniker: 'a "quoted" name',
      appAddress: 'unix:///run/fornax/app.sock',
      rpcAddress: 'tcp://127.0.0.1:26657',
      p2pAddress: 'tcp://0.0.0.0:26656',
      slotMs: 5000,
      corsOrigins: ['*'],
      stateSync: {
        rpcServers: ['http://a:26657', 'http://b:26657'],
        trustHeight: 5,
        trustHash: '00'.repeat(32),
        trustPeriodHours: 100,
      },
    })
    const key = execFileSync(binary, ['show-validator', '--home', production], { encoding: 'utf8' })
    expect(JSON.parse(key).type).to.equal('tendermint/PubKeyEd25519')
  })

  it('in a home like one that CometBFT makes itself', () => {
    const ask = (...args: string[]) =>
      execFileSync(binary, [...args, '--home', node.home], { encoding: 'utf8' }).trim()
    expect(ask('show-node-id')).to.equal(node.keys.nodeId)
    expect(JSON.parse(ask('show-validator')).value).to.equal(
      Buffer.from(node.keys.validator.publicKey).toString('base64'),
    )
    const own = join(dir.path, 'own')
    execFileSync(binary, ['init', '--home', own])
    const names = (home: string) =>
      settingNames(parse(readFileSync(join(home, 'config/config.toml'), 'utf8')))
    expect(names(node.home)).to.deep.equal(names(own))
  })
})

function settingNames(table: TomlTable, prefix = ''): string[] {
  return Object.entries(table)
    .flatMap(([name, value]) =>
      typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
        ? settingNames(value, `${name}.`)
        : [`${prefix}${name}`],
    )
    .sort()
}
