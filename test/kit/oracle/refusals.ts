import { expect } from 'chai'
import { account, authority, operatorAddress } from './cast.ts'
import { addressText, type Dialect } from './dialect.ts'
import { message, type Operation, submitProposal, vote } from './messages.ts'
import { DAY, type Step } from './scenario.ts'
import { ask } from './state.ts'
import { ChainsDiffer, type Twins } from './twins.ts'

/** Fields laid over those of a valid message. */
export type Change = object | ((dialect: Dialect) => object)
/** What is refused, by `codespace/code`. */
export type Refusals = Readonly<Record<string, readonly Change[]>>

/** A valid message of one signer. */
export interface Valid {
  readonly signer: string
  /** Without its first part: `staking.v1beta1.MsgDelegate`. */
  readonly name: string
  readonly value: (dialect: Dialect) => object
}

const laidOver = (change: Change, dialect: Dialect): object =>
  typeof change === 'function' ? change(dialect) : change

const describe = (change: Change): string =>
  JSON.stringify(laidOver(change, 'cosmos'), (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v)).slice(
    0,
    200,
  )

export const changed = ({ signer, name, value }: Valid, change: Change = {}): Operation => ({
  signer,
  text: `${signer} sends ${name} with ${describe(change)}`,
  messages: (d) => [message(`cosmos.${name}`, { ...value(d), ...laidOver(change, d) })],
})

/** The state but for what every block counts. */
async function stateOf(twins: Twins): Promise<object> {
  const { 'slashing.v1beta1.Query/SigningInfos()': _, ...state } = await twins.compare()
  return state
}

/**
 * The valid message with each of the changes, in a block of its own: both chains refuse it with the code, and nothing
 * has changed afterwards.
 */
export const refuses = (valid: Valid, refusals: Refusals): Step => ({
  text: `${valid.name} is refused`,
  async play(twins) {
    const before = await stateOf(twins)
    const wrong: string[] = []
    for (const [code, changes] of Object.entries(refusals))
      for (const change of changes) {
        const operation = changed(valid, change)
        twins.now = operation.text
        try {
          const [result] = await twins.block([operation])
          const got = `${result!.codespace}/${result!.code}`
          if (got !== code)
            wrong.push(`${got} for ${code}: ${describe(change)}: ${result!.log.slice(0, 150)}`)
        } catch (error) {
          if (!(error instanceof ChainsDiffer)) throw error
          wrong.push(error.message)
        }
      }
    expect(wrong.join('\n'), valid.name).to.equal('')
    expect(await stateOf(twins)).to.deep.equal(before)
  },
})

const STATUS_FAILED = 5

/**
 * A proposal for each of the changes to a message of governance's, all of which pass and fail in what they do:
 * nothing has changed afterwards.
 */
export const failsWhenPassed = (name: string, value: Valid['value'], changes: readonly Change[]): Step => ({
  text: `${name} fails when it is passed`,
  async play(twins) {
    const before = await parametersOf(twins)
    const first = twins.proposalCount + 1n
    for (const change of changes) {
      const messages = (d: Dialect) => [
        message(`cosmos.${name}`, { authority: authority(d), ...value(d), ...laidOver(change, d) }),
      ]
      twins.now = `${name} with ${describe(change)} is proposed`
      const [result] = await twins.block([
        submitProposal('alice', { title: describe(change).slice(0, 200), deposit: 10_000_000n, messages }),
      ])
      expect(result!.log, twins.now).to.equal('')
    }
    for (let id = first; id <= twins.proposalCount; id++) {
      await twins.block([vote('val3', id, 'yes'), vote('val4', id, 'yes')])
    }
    await twins.block([], { afterNs: 2n * DAY })
    for (let proposalId = first; proposalId <= twins.proposalCount; proposalId++) {
      const { proposal } = (await ask(twins.left, {
        method: 'gov.v1.Query/Proposal',
        about: '',
        request: () => ({ proposalId }),
      })) as { proposal: { status: number; title: string } }
      expect(proposal.status, proposal.title).to.equal(STATUS_FAILED)
    }
    expect(await parametersOf(twins)).to.deep.equal(before)
  },
})

async function parametersOf(twins: Twins): Promise<object> {
  const all = await twins.compare('everything')
  return Object.fromEntries(Object.entries(all).filter(([question]) => question.includes('Query/Params')))
}

export const coin = (amount: string | bigint, denom = 'stake') => ({ denom, amount: amount.toString() })

/** Amounts that are no numbers, or none of 256 bits. */
export const notIntegers: readonly string[] = [
  ...['1e3', ' 1', '1 ', '1.5', '0x', '08', 'one', '1_', '9'.repeat(300), `${2n ** 256n}`, `-${2n ** 256n}`],
]

const foreign = (d: Dialect): Dialect => (d === 'cosmos' ? 'fornax' : 'cosmos')
const long = new Uint8Array(256).fill(3)

/** The field with what is no validator's address. */
export const notOperators = (field: string): Change[] => [
  { [field]: '' },
  { [field]: 'nobody' },
  (d) => ({ [field]: account(d, 'val1') }),
  (d) => ({ [field]: operatorAddress(foreign(d), 'val1') }),
  (d) => ({ [field]: addressText(d, long, 'valoper') }),
  (d) => ({ [field]: `${operatorAddress(d, 'val1')} ` }),
]

/** The field with what is no account's address. */
export const notAccounts = (field: string): Change[] => [
  { [field]: '' },
  { [field]: 'nobody' },
  (d) => ({ [field]: operatorAddress(d, 'bob') }),
  (d) => ({ [field]: account(foreign(d), 'bob') }),
  (d) => ({ [field]: addressText(d, long) }),
]

export const unknownOperator =
  (field: string): Change =>
  (d) => ({ [field]: operatorAddress(d, 'nobody') })

/** The refusals of a transaction whose message's signer is in the field: all without a sequence. */
export const wrongSigners = (field: string, kind: 'account' | 'operator' = 'account'): Refusals => {
  const right = kind === 'account' ? account : operatorAddress
  const wrong = kind === 'account' ? operatorAddress : account
  return {
    'undefined/1': [
      { [field]: '' },
      { [field]: ' ' },
      { [field]: 'nobody' },
      (d) => ({ [field]: `${right(d, 'val1')}q` }),
    ],
    'sdk/35': [(d) => ({ [field]: wrong(d, 'val1') }), (d) => ({ [field]: right(foreign(d), 'val1') })],
    'sdk/9': [
      (d) => ({ [field]: addressText(d, long, kind === 'account' ? '' : 'valoper') }),
      (d) => ({ [field]: addressText(d, new Uint8Array(0), kind === 'account' ? '' : 'valoper') }),
      (d) => ({ [field]: right(d, 'nobody') }),
    ],
    'sdk/8': [(d) => ({ [field]: right(d, 'carol') })],
  }
}
