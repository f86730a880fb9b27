import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { ModeInfo, SignerInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { concatBytes, utf8 } from '../../core/bytes.ts'
import { ED25519_URL } from '../../core/crypto/public-key.ts'
import { secp256k1Any, selfAuthenticatedTx } from '../../core/tx/build.ts'
import { packAny } from '../../core/wire/registry.ts'
import { message } from '../../test/kit/app/governance.ts'
import {
  badlySigned,
  bigMultiSend,
  bigMultiSendOf,
  denoms,
  gasOf,
  keyOf,
  multiSend,
  multisig,
  multisigKey,
  nestedModes,
  nestedProposals,
  of,
  one,
  outputsOf,
  type Refused,
  sendOf,
  sends,
  submit,
  text,
  withForm,
  withKey,
} from './inputs.ts'
import {
  BAD_SIGNATURE,
  digest,
  field,
  many,
  multisigned,
  operatorOf,
  repeated,
  stranger,
  transaction,
} from './transaction.ts'

const AMINO = SignMode.SIGN_MODE_LEGACY_AMINO_JSON
const ZEROS = new Uint8Array(64)

/** Self-authenticated messages of a size of their own. */
const selfAuthenticated: readonly Refused[] = [
  {
    name: 'MsgSubmitMetrics, bad signature',
    size: 400,
    make({ validators, nowMs }, turn) {
      const validator = operatorOf(of(validators, turn))
      const telemetry = { cpu_pct: 1, latency_ms: 1, connections: 1, net_contrib: turn % 1000 }
      return selfAuthenticatedTx(
        message('fornax.classifier.v1.MsgSubmitMetrics', {
          validator,
          timestampMs: nowMs() + BigInt(turn % 1000),
          body: utf8(JSON.stringify({ node: validator, ...telemetry })),
          signature: ZEROS,
        }),
      )
    },
  },
  {
    name: 'MsgSubmitMetrics, signature of small order',
    size: 400,
    make({ validators, nowMs }, turn) {
      const validator = operatorOf(of(validators, turn))
      const telemetry = { cpu_pct: 1, latency_ms: 1, connections: 1, net_contrib: turn % 1000 }
      const signature = concatBytes(Uint8Array.of(1), new Uint8Array(63))
      return selfAuthenticatedTx(
        message('fornax.classifier.v1.MsgSubmitMetrics', {
          validator,
          timestampMs: nowMs() + BigInt(turn % 1000),
          body: utf8(JSON.stringify({ node: validator, ...telemetry })),
          signature,
        }),
      )
    },
  },
  {
    name: 'MsgSubmitBanMark of no ban',
    size: 400,
    make({ validators }, turn) {
      const validator = operatorOf(of(validators, turn))
      return selfAuthenticatedTx(
        message('fornax.agents.v1.MsgSubmitBanMark', {
          validator,
          mark: { node: validator, height: 1n, reason: 'a', score: 1, issuer: validator },
          signature: ZEROS,
        }),
      )
    },
  },
]

export const refusedInputs: readonly Refused[] = [
  ...selfAuthenticated,
  multiSend('MultiSend, distinct outputs', 57, (i, turn, size) => stranger(`${turn} ${i} ${size}`)),
  multiSend('MultiSend, one output repeated', 57, () => stranger('the same')),
  multiSend('MultiSend, outputs of upper case', 57, (i, turn, size) =>
    stranger(`${turn} ${i} ${size}`).toUpperCase(),
  ),
  multiSend('MultiSend, outputs that are no addresses', 12, () => 'x'),
  badlySigned('MultiSend, many inputs', (size, turn) => {
    const inputs = many(size, 57, (i) => ({ address: stranger(`${turn} ${i}`), coins: one }))
    return [
      message('cosmos.bank.v1beta1.MsgMultiSend', { inputs, outputs: outputsOf(1, () => stranger('a')) }),
    ]
  }),
  badlySigned('MultiSend, inputs of one address', (size, _, from) => {
    const inputs = many(size, 57, () => ({ address: from.text, coins: one }))
    return [
      message('cosmos.bank.v1beta1.MsgMultiSend', { inputs, outputs: outputsOf(1, () => stranger('a')) }),
    ]
  }),
  badlySigned('1,000 sends to strangers', sends),
  badlySigned('999 small messages', (size, turn, from) => {
    const each = Math.floor(size / 999)
    return each > 160
      ? Array.from({ length: 999 }, (_, i) => sendOf(from, stranger(`${turn} ${i}`)))
      : sends(size, turn, from)
  }),
  badlySigned('more than 1,000 empty messages', (size) =>
    many(size, 36, () => ({ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: new Uint8Array(0) })),
  ),
  badlySigned('coins of many denominations', (size, _, from) => [
    sendOf(from, stranger('a'), denoms(Math.max(1, Math.floor(size / 15)))),
  ]),
  {
    name: 'fee of many denominations',
    make: ({ users }, turn, size) =>
      transaction(of(users, turn), [sendOf(of(users, turn), stranger('a'))], {
        gas: gasOf(size),
        fee: denoms(Math.max(1, Math.floor(size / 15))),
      }),
  },
  badlySigned('amount of many digits', (size, _, from) => [
    sendOf(from, stranger('a'), [{ denom: 'afrx', amount: '7'.repeat(size) }]),
  ]),
  badlySigned('amount of many zeros and a digit', (size, _, from) => [
    sendOf(from, stranger('a'), [{ denom: 'afrx', amount: `${'0'.repeat(size)}7` }]),
  ]),
  badlySigned('amounts of 256 bits', (size, _, from) => [
    sendOf(
      from,
      stranger('a'),
      denoms(Math.max(1, Math.floor(size / 96))).map(({ denom }) => ({
        denom,
        amount: `${2n ** 256n - 1n}`,
      })),
    ),
  ]),
  withForm('memo', (size) => ({ memo: 'é'.repeat(size / 2) })),
  withForm('memo said again and again', (size) => ({ bodyTail: repeated(Uint8Array.of(0x12, 0), size) })),
  withForm('unknown fields that are not critical', (size) => ({
    bodyTail: repeated(Uint8Array.of(0x80, 0x40, 0), size),
  })),
  withForm('signer infos of nobody', (size) => ({ authTail: repeated(Uint8Array.of(0x0a, 0), size) })),
  withForm('signer infos with keys', (size, turn) => ({
    authTail: repeated(
      field(1, SignerInfo.encode(SignerInfo.fromPartial({ publicKey: keyOf(turn, 0) })).finish()),
      size,
    ),
  })),
  withForm('signatures of nothing', (size) => ({ signatures: many(size, 2, () => new Uint8Array(0)) })),
  withForm('gas limit of 0', () => ({ gas: 0n })),
  withForm('gas limit of 2^64 - 1', () => ({ gas: 2n ** 64n - 1n })),
  badlySigned('type URL of many parts', (size) => [
    { typeUrl: `${'/a'.repeat(size / 2)}/cosmos.bank.v1beta1.MsgSend`, value: new Uint8Array(0) },
  ]),
  badlySigned('proposal with metadata of nested lists', (size, _, from) => [
    submit({ metadata: '['.repeat(size / 2) + ']'.repeat(size / 2) }, from),
  ]),
  badlySigned('proposal with metadata of many names', (size, _, from) => [
    submit({ metadata: `{${many(size, 12, (i) => `"a${i}":1`).join(',')}}` }, from),
  ]),
  badlySigned('proposal with metadata of names that fold', (size, _, from) => [
    submit({ metadata: `{${many(size, 14, (i) => `"ſ\u212a${i}":1`).join(',')}}` }, from),
  ]),
  badlySigned('proposal of many messages', (size, turn, from) => [
    submit({ messages: many(size, 160, (i) => sendOf(from, stranger(`${turn} ${i}`))) }, from),
  ]),
  badlySigned('proposal of empty messages', (size, _, from) => [
    submit(
      {
        messages: many(size, 32, () => ({
          typeUrl: '/cosmos.bank.v1beta1.MsgSend',
          value: new Uint8Array(0),
        })),
      },
      from,
    ),
  ]),
  badlySigned('proposals in proposals, 48 deep', nestedProposals(48, bigMultiSend)),
  badlySigned('proposals in proposals, 10 deep', nestedProposals(10, bigMultiSend)),
  badlySigned('proposals in proposals, 60 deep', nestedProposals(60, bigMultiSend)),
  badlySigned('proposal of v1beta1', (size, _, from) => [
    message('cosmos.gov.v1beta1.MsgSubmitProposal', {
      content: text({ title: 'a', description: 'x'.repeat(size) }),
      initialDeposit: one,
      proposer: from.text,
    }),
  ]),
  badlySigned('vote with many weights', (size, _, from) => [
    message('cosmos.gov.v1.MsgVoteWeighted', {
      proposalId: 1n,
      voter: from.text,
      options: many(size, 24, () => ({ option: 1, weight: '0.000000000000000001' })),
    }),
  ]),
  badlySigned('vote of a weight of many zeros that is none', (size, _, from) => [
    message('cosmos.gov.v1.MsgVoteWeighted', {
      proposalId: 1n,
      voter: from.text,
      options: [{ option: 1, weight: `${'0'.repeat(size)}x` }],
    }),
  ]),
  badlySigned('vote with distinct options of no weight', (size, _, from) => [
    message('cosmos.gov.v1.MsgVoteWeighted', {
      proposalId: 1n,
      voter: from.text,
      options: many(size, 2, () => ({})),
    }),
  ]),
  badlySigned('validator with a long description', (size, turn, from) => [
    message('cosmos.staking.v1beta1.MsgCreateValidator', {
      description: { moniker: 'm'.repeat(size) },
      commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
      minSelfDelegation: '1',
      validatorAddress: operatorOf(from),
      pubkey: packAny(ED25519_URL.slice(1), PubKey.fromPartial({ key: digest(`${turn}`) })),
      value: { denom: 'afrx', amount: '1' },
    }),
  ]),
  withKey('multisig key of 64 members', (_, turn) =>
    multisigKey(
      1,
      Array.from({ length: 64 }, (_, i) => keyOf(turn, i)),
    ),
  ),
  withKey('multisig key of thousands of members', (size, turn) =>
    multisigKey(
      1,
      many(size, 76, (i) => keyOf(turn, i % 200)),
    ),
  ),
  withKey('multisig key of empty multisig keys', (size) =>
    multisigKey(
      1,
      many(size, 46, () => multisigKey(0, [])),
    ),
  ),
  withKey('multisig key, 45 deep', (size, turn) => {
    let key = multisigKey(
      1,
      many(size - 45 * 60, 76, (i) => keyOf(turn, i % 200)),
    )
    for (let i = 0; i < 45; i++) key = multisigKey(1, [key])
    return key
  }),
  withKey('multisig key of points that are none', (_, turn) =>
    multisigKey(1, [
      ...Array.from({ length: 63 }, (_, i) => keyOf(turn, i)),
      secp256k1Any(Uint8Array.from([2, ...new Uint8Array(32).fill(5)])),
    ]),
  ),
  withForm('mode infos, 45 deep', () => ({ modeInfo: nestedModes(45) })),
  withForm('mode infos, many abreast', (size) => ({
    modeInfo: ModeInfo.fromPartial({ multi: { modeInfos: many(size, 2, () => ({})) } }),
  })),
  {
    name: 'multisig with many parts',
    make({ multisigs }, turn, size) {
      const { user, key } = of(multisigs, turn)
      const parts = many(size / 2, 2, () => new Uint8Array(0))
      const { modeInfo } = multisigned([BAD_SIGNATURE], 7)
      return transaction(user, [sendOf(user, stranger('a'))], {
        gas: gasOf(size),
        publicKey: key,
        modeInfo,
        signatures: [MultiSignature.encode({ signatures: parts }).finish()],
      })
    },
  },
  multisig('multisig of 7, the last one bad', SignMode.SIGN_MODE_DIRECT, (_s, _t, from) => [
    sendOf(from, stranger('a')),
  ]),
  multisig('multisig of 7, direct, large body', SignMode.SIGN_MODE_DIRECT, sends),
  multisig('multisig of 7, Amino, outputs', AMINO, (size, turn, from) => [
    message('cosmos.bank.v1beta1.MsgMultiSend', {
      inputs: [
        { address: from.text, coins: [{ denom: 'afrx', amount: `${Math.max(1, Math.floor(size / 57))}` }] },
      ],
      outputs: outputsOf(Math.max(1, Math.floor(size / 57)), (i) => stranger(`${turn} ${i}`)),
    }),
  ]),
  multisig('multisig of 7, Amino, 999 sends', AMINO, sends),
  badlySigned('Amino, outputs', bigMultiSendOf(57), { mode: AMINO }),
  badlySigned('Amino, escapes in metadata', (size, _, from) => [submit({ title: '<'.repeat(size) }, from)], {
    mode: AMINO,
  }),
  badlySigned(
    'Amino, proposal of many messages',
    (size, turn, from) => [
      submit({ messages: many(size, 160, (i) => sendOf(from, stranger(`${turn} ${i}`))) }, from),
    ],
    { mode: AMINO },
  ),
  badlySigned('Amino, proposals in proposals', nestedProposals(40, bigMultiSendOf(57)), { mode: AMINO }),
]
