import { expect } from 'chai'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Agent } from '../../daemon/validator/agent-signer.ts'
import { StandingWatch } from '../../daemon/validator/standing-watch.ts'
import { user } from '../kit/app/chain.ts'
import { message } from '../kit/app/governance.ts'
import { type Conduct, ScoredChain } from '../kit/app/scored-chain.ts'
import { withScore } from '../kit/classifier/altered-report.ts'

const range = (count: number): string[] => Array.from({ length: count }, (_, i) => `v${i}`)
const lie = (honest: Uint8Array): Uint8Array => withScore(withScore(honest, 0, 9_999), 1, 9_999)

describe('The operator of a validator', () => {
  let net: ScoredChain
  afterEach(() => net.stop())

  it('is told once of each change of its standing: a penalty, the jail, the way back, evidence', async () => {
    net = await ScoredChain.start({ validators: range(7), coldTwin: false })
    const logged: string[] = []
    const write = (level: string) => (fields: object, text: string) => {
      const { reason, remedy } = fields as { reason?: string; remedy?: string }
      logged.push(`${level}: ${text.replace(/\d+/, 'N')}${reason ? ` (${reason})` : ''}${remedy ? ' …' : ''}`)
    }
    const watch = new StandingWatch({ info: write('info'), warn: write('warn'), error: write('error') })
    const { address: operator } = user('v3')
    const name = formatAddress(operator, VALIDATOR_PREFIX)
    const block = async (conduct: Conduct = {}, ...txs: Uint8Array[]): Promise<void> => {
      await net.block(conduct, ...txs)
      watch.look(net.chain.state.view('committed'), { operator, name } as Agent)
    }
    const until = async (standing: string, conduct: Conduct = {}): Promise<void> => {
      for (let i = 0; i < 200 && watch.standing !== standing; i++) await block(conduct)
      expect(watch.standing).to.equal(standing)
    }
    await until('good')
    for (let i = 0; i < 5; i++) await block()
    await until('jailed', { reports: { v3: lie } })
    // The agents' jail is over, and the SDK's goes on until MsgUnjail.
    for (let i = 0; i < 121; i++) await block()
    await block({}, net.sign('v3', message('cosmos.slashing.v1beta1.MsgUnjail', { validatorAddr: name })))
    await until('horizon')
    await until('good')
    await block({ equivocators: ['v3'] })
    await until('banned')
    expect(logged).to.deep.equal([
      'warn: this validator has a Moderate penalty: it is in the Horizon Pool while its cause lasts, and then for a while (Disagreement) …',
      'error: this validator has a Heavy penalty: it is in jail until height N (Disagreement) …',
      'error: this validator is in jail: it may come out by MsgUnjail …',
      'warn: this validator is not in the set …',
      'warn: this validator is in the Horizon Pool until height N …',
      'info: this validator is in good standing',
      'error: this validator is tombstoned: its consensus key is out of the set for good …',
      'error: this validator was banned at height N: only governance can lift that (ByzantineVote) …',
    ])
  }).timeout(120_000)
})
