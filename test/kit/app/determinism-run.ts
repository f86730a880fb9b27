import { formatAddress } from '../../../core/address.ts'
import { toHex } from '../../../core/bytes.ts'
import { packAny } from '../../../core/wire/registry.ts'
import { createAddress } from '../../../modules/evm/machine/contract-address.ts'
import { WorldState } from '../../../modules/evm/world-state.ts'
import { withScore } from '../classifier/altered-report.ts'
import { CREATION, REVERTED, word } from '../evm/contract.ts'
import { EthAccount } from '../evm/eth-account.ts'
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
const wallets = Array.from({ length: 4 }, (_, i) => new EthAccount(`wallet ${i}`))
const contract = createAddress(wallets[0]!.address, 0n)
const fund = (wallet: EthAccount, from: string): Uint8Array =>
  chain.sign(from, {
    messages: [
      packAny('cosmos.bank.v1beta1.MsgSend', {
        fromAddress: chain.user(from).text,
        toAddress: formatAddress(wallet.address),
        amount: [{ denom: 'afrx', amount: '1000000000000000000' }],
      }),
    ],
  })
/** Contracts made, called, reverted, out of gas, and transactions that are refused. */
const fromWallet = (): Uint8Array => {
  const wallet = wallets[next(4)]!
  const to = `0x${toHex(contract)}` as const
  const kind = next(6)
  if (kind === 0) return wallet.sign({ data: CREATION })
  if (kind === 1) return wallet.sign({ to, data: REVERTED })
  if (kind === 2)
    return wallet.sign({ to, data: word(BigInt(next(1000))), gasLimit: BigInt(21_500 + next(3000)) })
  if (kind === 3)
    return wallet.sign({ to: wallets[next(4)]!.hex, value: BigInt(next(10 ** 9)), type: next(3) })
  if (kind === 4) return wallet.sign({ to, value: 10n ** 20n })
  return wallet.sign({ to, data: word(BigInt(next(1000))) })
}
for (let height = 1; height <= 30; height++) {
  const txs: Uint8Array[] = []
  if (height === 1) for (const [i, wallet] of wallets.entries()) txs.push(fund(wallet, users[i]!))
  if (height === 2) txs.push(wallets[0]!.sign({ data: CREATION }))
  if (height > 2) for (let i = next(6); i > 0; i--) txs.push(fromWallet())
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
  for (const wallet of wallets)
    wallet.nonce = new WorldState(chain.state.view('committed')).nonce(wallet.address)
  if (restarts && height % 3 === 0) await chain.restart()
}
await net.stop()
