import { withScore } from '../classifier/altered-report.ts'
import { type Conduct, ScoredChain } from './scored-chain.ts'

/**
 * Runs a fixed history of blocks and prints the app hash of each height, one a line. A child process of the
 * determinism test; the argument `restarts` closes and reopens the node after every third block.
 */
const restarts = process.argv.includes('restarts')
const users = Array.from({ length: 20 }, (_, i) => `user ${i}`)
const validators = ['one', 'two', 'three', 'four', 'five']
const net = await ScoredChain.start({ users, validators })
const { chain } = net
let random = 12345
const next = (n: number): number => {
  random = (random * 1_103_515_245 + 12_345) % 2 ** 31
  return (random >>> 8) % n
}
/** Somebody sleeps or somebody lies, not both: no round is degraded, and no restart loses one. Once one votes twice. */
const conductAt = (height: number): Conduct => {
  const name = validators[1 + next(4)]!
  const score = next(10_001)
  const what = height === 20 ? 'equivocates' : ['votes', 'sleeps', 'lies'][next(3)]
  if (what === 'equivocates') return { equivocators: ['four'] }
  if (what === 'sleeps') return { absent: [name] }
  return what === 'lies' ? { reports: { [name]: (honest) => withScore(honest, next(4), score) } } : {}
}
for (let height = 1; height <= 30; height++) {
  const txs: Uint8Array[] = []
  for (let i = next(12); i > 0; i--) {
    const [from, to] = [users[next(20)]!, `anyone ${next(50)}`]
    const fee = {
      amount: [{ denom: 'afrx', amount: String(next(1000)) }],
      gasLimit: BigInt(40_000 + next(60_000)),
    }
    txs.push(
      chain.send(
        from,
        next(3) === 0 ? to : users[next(20)]!,
        next(2) === 0 ? 10n ** 25n : BigInt(next(10 ** 9)),
        { fee },
      ),
    )
    if (next(9) === 0) txs.push(Uint8Array.of(1, 2, 3))
  }
  const { appHash, txResults } = await net.block(height > 5 ? conductAt(height) : {}, ...txs)
  const codes = txResults.map((r) => `${r.codespace}${r.code}:${r.gasUsed}`).join(' ')
  process.stdout.write(`${height} ${Buffer.from(appHash).toString('hex')} ${codes}\n`)
  for (const u of chain.users.values()) u.sequence = await chain.sequence(u.name)
  if (restarts && height % 3 === 0) await chain.restart()
}
await net.stop()
