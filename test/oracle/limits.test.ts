import { expect } from 'chai'
import { MAX_MESSAGES, MAX_SIGNERS } from '../../core/tx/decode.ts'
import { account, DENOM } from '../kit/oracle/cast.ts'
import type { Dialect } from '../kit/oracle/dialect.ts'
import { MAX_BLOCK_GAS } from '../kit/oracle/genesis.ts'
import { message, type Operation } from '../kit/oracle/messages.ts'
import { fourValidators, withTwins } from '../kit/oracle/suite.ts'
import { ChainsDiffer, type Twins } from '../kit/oracle/twins.ts'

const coins = [{ denom: DENOM, amount: '1' }]

const byAlice = (text: string, messages: Operation['messages']): Operation => ({
  signer: 'alice',
  text,
  messages,
})
const sends = (count: number, from: (i: number) => string) => (d: Dialect) =>
  Array.from({ length: count }, (_, i) =>
    message('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: account(d, from(i)),
      toAddress: account(d, 'bob'),
      amount: coins,
    }),
  )
const inputs = (count: number) => (d: Dialect) => [
  message('cosmos.bank.v1beta1.MsgMultiSend', {
    inputs: Array.from({ length: count }, () => ({ address: account(d, 'alice'), coins })),
    outputs: [{ address: account(d, 'bob'), coins }],
  }),
]

/** The codes of a transaction on the SDK and on Fornax, where they are not the same. */
async function codes(twins: Twins, operation: Operation): Promise<readonly (string | undefined)[]> {
  try {
    const [result] = await twins.block([operation])
    const code = `${result!.codespace}/${result!.code}`
    return [code, code]
  } catch (error) {
    if (!(error instanceof ChainsDiffer)) throw error
    return ['simd', 'fornax'].map(
      (name) => new RegExp(`txs\\[0\\]\\.code\\n(?:.*\\n)?\\s+${name}\\s+"(.*)"`).exec(error.message)?.[1],
    )
  }
}

describe('Where Fornax has a limit that the Cosmos SDK has not', () => {
  it('the SDK refuses too many signers as well, with another code, and the states stay equal', () =>
    withTwins(fourValidators, async (twins) => {
      await twins.block([])
      const many = byAlice(
        'many',
        sends(MAX_SIGNERS + 1, (i) => `somebody ${i}`),
      )
      expect(await codes(twins, many)).to.deep.equal(['sdk/4', 'sdk/14'])
      const most = byAlice(
        'most',
        sends(MAX_SIGNERS, (i) => `somebody ${i}`),
      )
      expect(await codes(twins, most)).to.deep.equal(['sdk/4', 'sdk/4'])
      await twins.compare()
    }))

  it('more gas than a block has is refused as there', () =>
    withTwins(fourValidators, async (twins) => {
      await twins.block([])
      const asking = (gas: bigint): Operation => ({
        ...byAlice(
          'a send',
          sends(1, () => 'alice'),
        ),
        gas,
      })
      expect(await codes(twins, asking(MAX_BLOCK_GAS + 1n))).to.deep.equal(['sdk/41', 'sdk/41'])
      expect(await codes(twins, asking(MAX_BLOCK_GAS))).to.deep.equal(['/0', '/0'])
      await twins.compare()
    }))

  it('a MultiSend of one account’s many inputs fails there too', () =>
    withTwins(fourValidators, async (twins) => {
      await twins.block([])
      expect(await codes(twins, byAlice('two', inputs(2)))).to.deep.equal(['bank/9', 'bank/9'])
      const [theirs, ours] = await codes(twins, byAlice('many', inputs(MAX_SIGNERS + 1)))
      expect([theirs, ours]).to.deep.equal(['bank/9', 'sdk/14'])
    }))

  it(`${MAX_MESSAGES} messages run on both, and one more on the SDK alone`, () =>
    withTwins(fourValidators, async (twins) => {
      await twins.block([])
      const most = byAlice(
        'most',
        sends(MAX_MESSAGES, () => 'alice'),
      )
      expect(await codes(twins, most)).to.deep.equal(['/0', '/0'])
      await twins.compare()
      const more = byAlice(
        'more',
        sends(MAX_MESSAGES + 1, () => 'alice'),
      )
      expect(await codes(twins, more)).to.deep.equal(['/0', 'sdk/2'])
    }))
})
