import { account, consensusKey, operatorAddress } from '../kit/oracle/cast.ts'
import {
  cancelUnbonding,
  createValidator,
  delegate,
  editValidator,
  message,
  redelegate,
  undelegate,
} from '../kit/oracle/messages.ts'
import {
  coin,
  failsWhenPassed,
  notIntegers,
  notOperators,
  refuses,
  unknownOperator,
  type Valid,
  wrongSigners,
} from '../kit/oracle/refusals.ts'
import { advance, blocks, DAY, does, fails, remember, withHeight } from '../kit/oracle/scenario.ts'
import { fourValidators, scenario } from '../kit/oracle/suite.ts'

const ONE = 10n ** 18n
const key = (name: string) => message('cosmos.crypto.ed25519.PubKey', { key: consensusKey(name).publicKey })

const creation: Valid = {
  signer: 'erin',
  name: 'staking.v1beta1.MsgCreateValidator',
  value: (d) => ({
    description: { moniker: 'erin' },
    commission: { rate: `${ONE / 10n}`, maxRate: `${ONE / 2n}`, maxChangeRate: `${ONE / 20n}` },
    minSelfDelegation: '1000',
    validatorAddress: operatorAddress(d, 'erin'),
    pubkey: key('erin'),
    value: coin(1_000_000n),
  }),
}
const rates = (change: object) => ({
  commission: { rate: `${ONE / 10n}`, maxRate: `${ONE / 2n}`, maxChangeRate: `${ONE / 20n}`, ...change },
})

const KEEP = '[do-not-modify]'
const keep = { moniker: KEEP, identity: KEEP, website: KEEP, securityContact: KEEP, details: KEEP }
const edit: Valid = {
  signer: 'val1',
  name: 'staking.v1beta1.MsgEditValidator',
  value: (d) => ({
    description: keep,
    validatorAddress: operatorAddress(d, 'val1'),
    commissionRate: `${ONE / 10n}`,
    minSelfDelegation: '2',
  }),
}

const stake = (name: string): Valid => ({
  signer: 'alice',
  name: `staking.v1beta1.${name}`,
  value: (d) => ({
    delegatorAddress: account(d, 'alice'),
    validatorAddress: operatorAddress(d, 'val1'),
    validatorSrcAddress: operatorAddress(d, 'val1'),
    validatorDstAddress: operatorAddress(d, 'val2'),
    amount: coin(1000n),
    creationHeight: 3n,
  }),
})

const amounts = (...list: (string | bigint)[]) => list.map((amount) => ({ amount: coin(amount) }))
const denoms = (...list: string[]) => list.map((denom) => ({ amount: coin(1000n, denom) }))
const badDenoms = ['', 'x', '1stake', 'sta ke', 'x'.repeat(129), 'photon']

const descriptions = {
  'sdk/18': [
    { description: {} },
    { description: { moniker: 'x'.repeat(71) } },
    { description: { moniker: 'é'.repeat(36) } },
    { description: { moniker: 'x', identity: 'x'.repeat(3001) } },
    { description: { moniker: 'x', website: 'x'.repeat(141) } },
    { description: { moniker: 'x', securityContact: 'x'.repeat(141) } },
    { description: { moniker: 'x', details: 'x'.repeat(281) } },
  ],
}

const stakingParams = {
  unbondingTime: { seconds: 1_814_400n, nanos: 0 },
  maxValidators: 100,
  maxEntries: 7,
  historicalEntries: 50,
  bondDenom: 'stake',
  minCommissionRate: '0',
}

describe('Staking refuses what the Cosmos SDK refuses', () => {
  scenario('of new validators', fourValidators, [
    refuses(creation, wrongSigners('validatorAddress', 'operator')),
    refuses(creation, descriptions),
    refuses(creation, {
      'sdk/18': [
        { commission: undefined },
        { value: coin(0n) },
        { value: coin(-1n) },
        { value: coin('') },
        { minSelfDelegation: '0' },
        { minSelfDelegation: '-1' },
        ...badDenoms.map((denom) => ({ value: coin(1_000_000n, denom) })),
      ],
      'sdk/5': [{ value: coin(2n ** 200n) }],
      'undefined/111222': [
        { minSelfDelegation: '' },
        rates({ rate: '' }),
        rates({ maxRate: '' }),
        rates({ maxChangeRate: '' }),
        { pubkey: message('cosmos.crypto.ed25519.PubKey', {}) },
        { pubkey: message('cosmos.crypto.ed25519.PubKey', { key: new Uint8Array(31) }) },
        { pubkey: message('cosmos.crypto.ed25519.PubKey', { key: new Uint8Array(33) }) },
        { pubkey: message('cosmos.crypto.secp256k1.PubKey', { key: new Uint8Array(32) }) },
      ],
      'staking/9': [rates({ rate: '-1' }), rates({ maxRate: '-1' })],
      'staking/10': [rates({ maxRate: `${ONE + 1n}` }), rates({ maxRate: `${2n ** 315n - 1n}` })],
      'staking/11': [rates({ rate: `${ONE / 2n + 1n}` }), rates({ rate: `${ONE + 1n}` })],
      'staking/13': [rates({ maxChangeRate: '-1' })],
      'staking/14': [rates({ maxChangeRate: `${ONE / 2n + 1n}` })],
      'staking/16': [{ minSelfDelegation: '1000001' }, { minSelfDelegation: `${2n ** 255n}` }],
      'staking/39': [{ pubkey: undefined }],
      'staking/5': [{ pubkey: key('val1') }],
      'staking/6': [
        { pubkey: message('cosmos.crypto.secp256k1.PubKey', { key: new Uint8Array(33).fill(2) }) },
      ],
      'sdk/2': [
        ...notIntegers.flatMap((text) => [{ value: coin(text) }, { minSelfDelegation: text }]),
        ...['0.1', '1e17', `${2n ** 315n}`].map((rate) => rates({ rate })),
        { pubkey: message('cosmos.bank.v1beta1.MsgSend', {}) },
        { pubkey: { typeUrl: '/cosmos.unknown.v1.PubKey', value: new Uint8Array(0) } },
        { pubkey: { typeUrl: 'cosmos.crypto.ed25519.PubKey', value: key('erin').value } },
        { pubkey: { typeUrl: '', value: new Uint8Array(0) } },
      ],
    }),
    does(createValidator('erin', { tokens: 1_000_000n })),
    fails('staking/4', createValidator('erin', { tokens: 1_000_000n, key: 'another' })),
    fails('staking/5', createValidator('dave', { tokens: 1_000_000n, key: 'erin' })),
  ])

  scenario('of changes to a validator', fourValidators, [
    blocks(1),
    refuses(edit, wrongSigners('validatorAddress', 'operator')),
    refuses(edit, { ...descriptions, 'staking/12': [{}] }),
    refuses(
      { ...edit, signer: 'alice' },
      { 'staking/3': [(d) => ({ validatorAddress: operatorAddress(d, 'alice') })] },
    ),
    advance(DAY),
    refuses(edit, {
      'sdk/18': [
        ...['-1', `${ONE + 1n}`, `${2n ** 314n}`].map((commissionRate) => ({ commissionRate })),
        ...['0', '-1'].map((minSelfDelegation) => ({ minSelfDelegation })),
      ],
      'sdk/2': [
        ...notIntegers.map((minSelfDelegation) => ({ minSelfDelegation })),
        ...['0.1', '1e17', `${2n ** 315n}`].map((commissionRate) => ({ commissionRate })),
      ],
      'staking/11': [{ commissionRate: `${ONE / 2n + 1n}` }],
      'staking/15': [{ commissionRate: `${ONE / 5n}` }],
      'staking/16': [{ minSelfDelegation: '10000001' }, { minSelfDelegation: `${2n ** 255n}` }],
      'staking/17': [{ minSelfDelegation: '1' }],
    }),
    does(editValidator('val1', { rate: '0.11', minSelfDelegation: 5n })),
    fails('staking/12', editValidator('val1', { rate: '0.12' })),
    fails('staking/17', editValidator('val1', { minSelfDelegation: 4n })),
    fails('staking/17', editValidator('val1', { minSelfDelegation: 5n })),
  ])

  scenario('of delegations', fourValidators, [
    refuses(stake('MsgDelegate'), wrongSigners('delegatorAddress')),
    refuses(stake('MsgDelegate'), {
      'sdk/7': notOperators('validatorAddress'),
      'staking/3': [unknownOperator('validatorAddress')],
      'sdk/18': [...amounts('', 0n, -1n, -(2n ** 255n)), ...denoms(...badDenoms), { amount: undefined }],
      'sdk/5': amounts(1_000_000_000_001n, 2n ** 255n, 2n ** 256n - 1n),
      'sdk/2': amounts(...notIntegers),
    }),
    does(delegate('alice', 'val1', 5000n)),
    refuses(stake('MsgUndelegate'), wrongSigners('delegatorAddress')),
    refuses(stake('MsgUndelegate'), {
      'sdk/7': notOperators('validatorAddress'),
      'staking/3': [unknownOperator('validatorAddress')],
      'staking/19': [(d) => ({ validatorAddress: operatorAddress(d, 'val2') })],
      'sdk/18': [...amounts('', 0n, -1n, 5001n, 2n ** 190n), ...denoms(...badDenoms), { amount: undefined }],
      'undefined/111222': amounts(2n ** 256n - 1n),
      'sdk/2': amounts(...notIntegers),
    }),
    refuses(stake('MsgBeginRedelegate'), wrongSigners('delegatorAddress')),
    refuses(stake('MsgBeginRedelegate'), {
      'sdk/7': [...notOperators('validatorSrcAddress'), ...notOperators('validatorDstAddress')],
      'staking/3': [unknownOperator('validatorSrcAddress')],
      'staking/31': [unknownOperator('validatorDstAddress')],
      'staking/29': [(d) => ({ validatorDstAddress: operatorAddress(d, 'val1') })],
      'staking/19': [(d) => ({ validatorSrcAddress: operatorAddress(d, 'val2') })],
      'sdk/18': [...amounts('', 0n, -1n, 5001n, 2n ** 190n), ...denoms(...badDenoms), { amount: undefined }],
      'undefined/111222': amounts(2n ** 256n - 1n),
      'sdk/2': amounts(...notIntegers),
    }),
    refuses(stake('MsgCancelUnbondingDelegation'), wrongSigners('delegatorAddress')),
    refuses(stake('MsgCancelUnbondingDelegation'), {
      'sdk/7': notOperators('validatorAddress'),
      'staking/3': [unknownOperator('validatorAddress')],
      'undefined/1': [{}],
      'sdk/18': [
        ...amounts('', 0n, -1n),
        ...denoms(...badDenoms),
        ...[0n, -1n, -(2n ** 63n)].map((creationHeight) => ({ creationHeight })),
      ],
      'sdk/2': amounts(...notIntegers),
    }),
  ])

  scenario(
    'of too many and of unfinished moves',
    { ...fourValidators, sections: { staking: { params: { max_entries: 2 } } } },
    [
      does(delegate('alice', 'val1', 5000n)),
      does(undelegate('alice', 'val1', 100n)),
      remember('undelegated'),
      does(undelegate('alice', 'val1', 100n)),
      fails('staking/27', undelegate('alice', 'val1', 100n)),
      does(redelegate('alice', 'val1', 'val2', 100n)),
      does(redelegate('alice', 'val1', 'val2', 100n)),
      fails('staking/33', redelegate('alice', 'val1', 'val2', 100n)),
      fails('staking/32', redelegate('alice', 'val2', 'val3', 100n)),
      fails('staking/32', redelegate('alice', 'val2', 'val1', 100n)),
      fails('staking/29', redelegate('alice', 'val2', 'val2', 100n)),
      withHeight('undelegated', (height) => fails('sdk/18', cancelUnbonding('alice', 'val1', 101n, height))),
      withHeight('undelegated', (height) =>
        fails('sdk/38', cancelUnbonding('alice', 'val1', 100n, height - 1n)),
      ),
      withHeight('undelegated', (height) =>
        fails('undefined/1', cancelUnbonding('alice', 'val2', 100n, height)),
      ),
      withHeight('undelegated', (height) => does(cancelUnbonding('alice', 'val1', 100n, height))),
      withHeight('undelegated', (height) => fails('sdk/38', cancelUnbonding('alice', 'val1', 1n, height))),
    ],
  )

  scenario('of parameters, and of keys that rotate', fourValidators, [
    refuses(
      {
        signer: 'alice',
        name: 'staking.v1beta1.MsgUpdateParams',
        value: (d) => ({ authority: account(d, 'alice'), params: stakingParams }),
      },
      { 'gov/13': [{}], 'sdk/8': [(d) => ({ authority: account(d, 'module:gov') })] },
    ),
    fails('sdk/2', {
      signer: 'val1',
      text: 'a message of a later SDK',
      messages: () => [{ typeUrl: '/cosmos.staking.v1beta1.MsgRotateConsPubKey', value: new Uint8Array(0) }],
    }),
    failsWhenPassed(
      'staking.v1beta1.MsgUpdateParams',
      () => ({ params: stakingParams }),
      [
        { unbondingTime: { seconds: 0n, nanos: 0 } },
        { unbondingTime: { seconds: -1n, nanos: 0 } },
        { maxValidators: 0 },
        { maxEntries: 0 },
        { bondDenom: '' },
        { bondDenom: ' ' },
        { bondDenom: '1stake' },
        { minCommissionRate: '-1' },
        { minCommissionRate: `${ONE + 1n}` },
      ].map((change) => ({ params: { ...stakingParams, ...change } })),
    ),
  ])
})
