import { expect } from 'chai'
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import * as tx from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { create, registerTypes } from '../../../../core/wire/registry.ts'
import { fillNumbers, readScalars } from '../../../../core/wire/scalars.ts'

registerTypes(tx, staking)

const COIN = 'cosmos.base.v1beta1.Coin'
const PARAMS = 'cosmos.staking.v1beta1.MsgUpdateParams'
const EDIT = 'cosmos.staking.v1beta1.MsgEditValidator'

function read(amount: string): string {
  const coin = Coin.fromPartial({ denom: 'afrx', amount })
  readScalars(COIN, coin)
  return coin.amount
}
const readRate = (minCommissionRate: string) =>
  readScalars(PARAMS, create(PARAMS, { params: { minCommissionRate } }))
const readDuration = (seconds: bigint, nanos: number) =>
  readScalars(PARAMS, create(PARAMS, { params: { unbondingTime: { seconds, nanos } } }))

describe('numbers in a message', () => {
  it("are read in every base that Go's integers have, into decimal digits", () => {
    const texts = ['0', '-0', '+7', '007', '0o17', '0x1F', '-0X1f', '0b101', '1_000', '0x_f', '0_7', '']
    expect(texts.map(read).join(' ')).to.equal('0 0 7 7 15 31 -31 5 1000 15 7 ')
    expect(read('0'.repeat(5000))).to.equal('0')
  })

  it('are refused where Go reads none', () => {
    for (const text of [
      '1.5',
      '1e3',
      ' 1',
      '1 ',
      '1\n',
      '08',
      '0x',
      '_1',
      '1_',
      '1__0',
      '--1',
      '-',
      'x',
      '٣',
    ])
      expect(() => read(text), JSON.stringify(text)).to.throw('not an integer')
  })

  it('have at most 256 bits, and decimals 315', () => {
    expect(read(`${2n ** 256n - 1n}`)).to.equal(`${2n ** 256n - 1n}`)
    for (const text of [`${2n ** 256n}`, `-${2n ** 256n}`, `0x${'f'.repeat(65)}`, '9'.repeat(100_000)])
      expect(() => read(text)).to.throw('out of range')
    readRate(`${2n ** 315n - 1n}`)
    expect(() => readRate(`${2n ** 315n}`)).to.throw('out of range')
  })

  it('that are missing become 0 where a message is encoded anew, but for those that may be missing', () => {
    const update = create(PARAMS, { params: {} }) as tx.MsgUpdateParams
    fillNumbers(PARAMS, update)
    expect(update.params.minCommissionRate).to.equal('0')
    const edit = create(EDIT, {}) as tx.MsgEditValidator
    fillNumbers(EDIT, edit)
    expect(edit.commissionRate).to.equal('')
  })

  it("of a duration are refused where Go's has no room for them", () => {
    for (const [seconds, nanos] of [
      [0n, 0],
      [-5n, -1],
      [9_223_372_036n, 854_775_807],
    ] as const)
      readDuration(seconds, nanos)
    for (const [seconds, nanos] of [
      [1n, -1],
      [-1n, 1],
      [0n, 1_000_000_000],
      [9_223_372_036n, 854_775_808],
      [315_576_000_001n, 0],
    ] as const)
      expect(() => readDuration(seconds, nanos), `${seconds} ${nanos}`).to.throw('duration out of range')
  })
})
