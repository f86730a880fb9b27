import { expect } from 'chai'
import { RequestQuery } from 'cosmjs-types/tendermint/abci/types'
import { wireType } from '../../core/wire/registry.ts'
import { cometRpc } from '../../daemon/client/rpc.ts'
import { bindServices } from '../../daemon/services/bind.ts'
import { TestChain } from '../kit/app/chain.ts'
import { fuzzInputs, fuzzSeed, fuzzTimeoutMs, inBoundedMemory, mutated } from '../kit/hostile/fuzz.ts'
import { pick, type Random, randomness } from '../kit/random.ts'

const INPUTS = fuzzInputs(26)

/** Services that answer without CometBFT. */
const local = /\/(Simulate|TxDecode|TxEncode|Config)$/

describe('mutated queries', () => {
  let chain: TestChain
  before(async () => {
    chain = await TestChain.start()
    const facts = { appName: 'fornaxd', version: '0.0.0', minimumGasPrices: '1afrx' }
    bindServices({ chain: chain.state, rpc: cometRpc('http://127.0.0.1:1'), facts })
    const { methods } = chain.state.router
    for (const [path, { atHeight }] of methods) if (!atHeight && !local.test(path)) methods.delete(path)
    await chain.block()
    await chain.block(chain.send('alice', 'bob', 1n))
    await chain.block()
  })
  after(() => chain.stop())

  /** A well-formed request of every method, and of proofs. */
  function corpus(): RequestQuery[] {
    const { state } = chain
    const tx = chain.send('bob', 'alice', 1n)
    const fields = {
      address: chain.user('alice').text,
      addressString: chain.user('alice').text,
      addressBytes: chain.user('alice').address,
      denom: 'afrx',
      name: 'fee_collector',
      hash: 'ab'.repeat(32),
      query: 'tx.height=1',
      path: '/store/bank/key',
      height: 1n,
      txBytes: tx,
      pagination: { limit: 2n, countTotal: true },
    }
    const methods = [...state.router.methods].map(([path, { input }]) => ({
      path,
      data: wireType(input).encode(wireType(input).fromPartial(fields)).finish(),
    }))
    const keys = state.router.stores.map((name) => ({
      path: `/store/${name}/key`,
      data: Uint8Array.of(2, 1),
      prove: true,
    }))
    const others = [{ path: '/app/version' }, { path: '/p2p/filter/addr/1.2.3.4:5' }, { path: '' }]
    return [...methods, ...keys, ...others].map((r) => RequestQuery.fromPartial(r))
  }

  function mutation(random: Random, good: RequestQuery): RequestQuery {
    const path =
      random(4) === 0 ? Buffer.from(mutated(random, Buffer.from(good.path), 2)).toString() : good.path
    const data = random(4) === 0 ? good.data : mutated(random, good.data, 4)
    const height = pick(random, [0n, 0n, 1n, 2n, 3n, 4n, -1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)])
    return { path, data, height, prove: random(2) === 0 }
  }

  it(`are answered or refused with a code and never an internal error, ${INPUTS} of them (seed ${fuzzSeed})`, async () => {
    const random = randomness(fuzzSeed)
    const requests = corpus()
    let answered = 0
    await inBoundedMemory(INPUTS, async (n) => {
      const request = mutation(random, pick(random, requests))
      const { code, log, codespace } = await chain.app.query(request)
      const text = () =>
        `input ${n}: ${codespace} ${code} ${log}: ${Buffer.from(RequestQuery.encode(request).finish()).toString('hex')}`
      if (codespace === 'undefined' || (code === 0) !== (codespace === '')) throw new Error(text())
      if (/ at .*[.][jt]s:\d|TypeError|RangeError/.test(log)) throw new Error(text())
      if (code === 0) answered++
    })
    expect(answered).to.be.within(INPUTS / 100, INPUTS - 1)
  }).timeout(fuzzTimeoutMs(INPUTS))
})
