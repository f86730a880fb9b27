import { expect } from 'chai'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { SignaturesAhead } from '../../../../daemon/verifier/signatures-ahead.ts'
import { type AwaitedSignature, awaitedSignature } from '../../../../modules/ante/api.ts'
import { quietLog, TestChain } from '../../../kit/chain.ts'
import { eventually } from '../../../kit/eventually.ts'

describe('Signatures of transactions that wait for their check', () => {
  let chain: TestChain
  let ahead: SignaturesAhead
  let warnings: string[]

  const signatureOf = (tx: Uint8Array): AwaitedSignature | undefined => {
    const { txs, execution } = chain.state
    return awaitedSignature(chain.state.view('checked'), txs.decode(tx), execution.ante)
  }
  const isVerified = (tx: Uint8Array): boolean => signatureOf(tx) === undefined
  const withBadSignature = (tx: Uint8Array): Uint8Array => {
    const raw = TxRaw.decode(tx)
    const signatures = raw.signatures.map((signature) => signature.with(40, signature[40]! ^ 1))
    return TxRaw.encode({ ...raw, signatures }).finish()
  }

  beforeEach(async () => {
    chain = await TestChain.start({ users: ['alice', 'bob'] })
    await chain.block()
    warnings = []
    const warn = (_: object, message: string): void => {
      warnings.push(message)
    }
    ahead = new SignaturesAhead(chain.state, { ...quietLog, warn })
  })
  afterEach(async () => {
    await ahead.close()
    await chain.stop()
  })

  it('are verified in another thread, and CheckTx takes the transactions', async () => {
    const sends = [1n, 2n, 3n].map((amount) => chain.send('alice', 'bob', amount))
    expect(sends.map(isVerified)).to.deep.equal([false, false, false])
    ahead.awaited(sends)
    await eventually('the signatures', () => sends.every(isVerified))
    expect(sends.map((tx) => chain.check(tx).code)).to.deep.equal([0, 0, 0])
  })

  it('are remembered where they are good alone: CheckTx refuses the others as ever', async () => {
    const good = chain.send('alice', 'bob', 1n)
    const bad = withBadSignature(good)
    ahead.awaited([bad, good])
    await eventually('the good one', () => isVerified(good))
    expect(isVerified(bad)).to.equal(false)
    expect([chain.check(bad), chain.check(good)].map(({ code }) => code)).to.deep.equal([4, 0])
  })

  it('are left to CheckTx where they are of another kind or of nobody, and where there is no transaction', async () => {
    const good = chain.send('alice', 'bob', 1n)
    const raw = TxRaw.decode(good)
    const none = TxRaw.encode({ ...raw, signatures: [] }).finish()
    const two = TxRaw.encode({ ...raw, signatures: [...raw.signatures, ...raw.signatures] }).finish()
    const garbage = new Uint8Array(300).fill(7)
    const odd = [none, new Uint8Array(0), garbage, new Uint8Array(100_000)]
    ahead.awaited([...odd, two, good])
    await eventually('the good one', () => isVerified(good))
    expect(isVerified(none)).to.equal(true)
    expect(odd.map((tx) => chain.check(tx).code !== 0)).to.deep.equal([true, true, true, true])
    expect([chain.check(two), chain.check(good)].map(({ code }) => code)).to.deep.equal([4, 0])
  })

  it('are verified by CheckTx where the thread is gone', async () => {
    const sends = [1n, 2n].map((amount) => chain.send('alice', 'bob', amount))
    ahead.awaited(sends)
    await ahead.close()
    ahead.awaited(sends)
    expect(sends.map((tx) => chain.check(tx).code)).to.deep.equal([0, 0])
    expect(warnings).to.deep.equal([])
  })
})
