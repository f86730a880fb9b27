import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import type { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { ModeInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MULTISIG_URL } from '../../core/crypto/public-key.ts'
import { secp256k1PublicKey } from '../../core/crypto/secp256k1.ts'
import { secp256k1Any } from '../../core/tx/build.ts'
import { type Any, packAny } from '../../core/wire/registry.ts'
import type { User } from '../../test/kit/app/chain.ts'
import { message } from '../../test/kit/app/governance.ts'
import { BAD_SIGNATURE, digest, type Form, many, multisigned, stranger, transaction } from './transaction.ts'

/** Who may appear in an input. */
export interface Cast {
  readonly users: readonly User[]
  readonly validators: readonly User[]
  /** Accounts of multisigs of 7 keys, with the private keys. */
  readonly multisigs: readonly Multisig[]
  /** The next block's time, about. */
  readonly nowMs: () => bigint
}

/** Gas that a transaction of so many bytes needs until its signature is asked. */
export const gasOf = (size: number): bigint => BigInt(Math.ceil(15 * size) + 40_000)

export interface Multisig {
  readonly user: User
  readonly key: Any
  readonly members: readonly User[]
}

/** An input that is refused: about `size` bytes, another one each turn. */
export interface Refused {
  readonly name: string
  /** Its bytes where it has no choice. */
  readonly size?: number
  readonly make: (cast: Cast, turn: number, size: number) => Uint8Array
}

export const one = [{ denom: 'afrx', amount: '1' }]
export const of = <T>(list: readonly T[], turn: number): T => list[turn % list.length]!

export const sendOf = (from: User, to: string, amount: readonly object[] = one): Any =>
  message('cosmos.bank.v1beta1.MsgSend', { fromAddress: from.text, toAddress: to, amount })

/** A MsgSend of about 300 bytes with a bad signature. */
export const ordinary: Refused = {
  name: 'ordinary send',
  size: 300,
  make: ({ users }, turn) =>
    transaction(of(users, turn), [sendOf(of(users, turn), stranger(`to ${turn}`))], { gas: gasOf(300) }),
}

type Fill = (size: number, turn: number, from: User) => readonly Any[]

/** A transaction of these messages whose signature, asked last, is bad. */
export const badlySigned = (name: string, messages: Fill, form: Form = {}): Refused => ({
  name,
  make: ({ users }, turn, size) =>
    transaction(of(users, turn), messages(Math.max(100, size - 200), turn, of(users, turn)), {
      gas: gasOf(size),
      ...form,
    }),
})

export const outputsOf = (count: number, address: (i: number) => string, coins: readonly object[] = one) =>
  Array.from({ length: count }, (_, i) => ({ address: address(i), coins }))

export const multiSend = (
  name: string,
  each: number,
  address: (i: number, turn: number, size: number) => string,
) =>
  badlySigned(name, (size, turn, from) => {
    const count = Math.max(1, Math.floor(size / each))
    const outputs = outputsOf(count, (i) => address(i, turn, size))
    const inputs = [{ address: from.text, coins: [{ denom: 'afrx', amount: `${count}` }] }]
    return [message('cosmos.bank.v1beta1.MsgMultiSend', { inputs, outputs })]
  })

/** Distinct denominations in order. */
export const denoms = (count: number): { denom: string; amount: string }[] =>
  Array.from({ length: count }, (_, i) => ({ denom: `d${String(i).padStart(7, '0')}`, amount: '1' }))

export const submit = (value: object, from: User): Any =>
  message('cosmos.gov.v1.MsgSubmitProposal', {
    initialDeposit: one,
    proposer: from.text,
    title: 'a',
    summary: 'b',
    metadata: 'c',
    ...value,
  })

/** A proposal to make a proposal to make a proposal …, with as much as fits in the innermost. */
export const nestedProposals =
  (depth: number, innermost: Fill): Fill =>
  (size, turn, from) => {
    let messages = innermost(size - depth * 120, turn, from)
    for (let i = 0; i < depth; i++) messages = [submit({ messages }, from)]
    return messages
  }

export const sends: Fill = (size, turn, from) =>
  many(Math.min(size, 999 * 160), 160, (i) => sendOf(from, stranger(`${turn} ${i}`)))
export const bigMultiSend: Fill = (size, turn, from) => [
  message('cosmos.bank.v1beta1.MsgMultiSend', {
    inputs: [{ address: from.text, coins: one }],
    outputs: outputsOf(Math.max(1, Math.floor(size / (4 + `${turn}`.length))), () => `${turn}`, []),
  }),
]
export const text = (value: object): Any => message('cosmos.gov.v1beta1.TextProposal', value)

export const keyOf = (turn: number, i: number): Any =>
  secp256k1Any(secp256k1PublicKey(digest(`key ${turn} ${i}`)))
export const multisigKey = (threshold: number, publicKeys: readonly Any[]): Any =>
  packAny(MULTISIG_URL.slice(1), LegacyAminoPubKey.fromPartial({ threshold, publicKeys: [...publicKeys] }))

/** The key of somebody else than the signer, which is found out when it has been parsed. */
export const withKey = (
  name: string,
  key: (size: number, turn: number) => Any,
  form: Form = {},
): Refused => ({
  name,
  make: ({ users }, turn, size) =>
    transaction(of(users, turn), [sendOf(of(users, turn), stranger('a'))], {
      gas: gasOf(size),
      ...form,
      publicKey: key(size, turn),
    }),
})

export const withForm = (name: string, form: (size: number, turn: number) => Form): Refused => ({
  name,
  make: ({ users }, turn, size) =>
    transaction(of(users, turn), [sendOf(of(users, turn), stranger('a'))], {
      gas: gasOf(size),
      ...form(size, turn),
    }),
})

export function nestedModes(depth: number): ModeInfo {
  let mode: ModeInfo = ModeInfo.fromPartial({ single: { mode: 1 } })
  for (let i = 0; i < depth; i++) mode = ModeInfo.fromPartial({ multi: { modeInfos: [mode] } })
  return mode
}

/** A multisig of 7 of whose signatures only the last is bad. */
export function multisig(name: string, mode: SignMode, messages: Fill): Refused {
  return {
    name,
    make({ multisigs }, turn, size) {
      const { user, key, members } = of(multisigs, turn)
      const content = messages(Math.max(100, size - 800), turn, user)
      const good = members.map((member) => {
        const { modeInfo } = multisigned(
          members.map(() => BAD_SIGNATURE),
          members.length,
          mode,
        )
        const tx = transaction({ ...user, privateKey: member.privateKey }, content, {
          gas: gasOf(size),
          publicKey: key,
          modeInfo,
          mode,
          isSigned: true,
        })
        return lastSignature(tx)
      })
      const parts = [...good.slice(0, -1), BAD_SIGNATURE]
      return transaction(user, content, {
        gas: gasOf(size),
        publicKey: key,
        mode,
        ...multisigned(parts, members.length, mode),
      })
    },
  }
}

const lastSignature = (tx: Uint8Array): Uint8Array => tx.slice(-64)

export function bigMultiSendOf(each: number): Fill {
  return (size, turn, from) => {
    const count = Math.max(1, Math.floor(size / each))
    return [
      message('cosmos.bank.v1beta1.MsgMultiSend', {
        inputs: [{ address: from.text, coins: [{ denom: 'afrx', amount: `${count}` }] }],
        outputs: outputsOf(count, (i) => stranger(`${turn} ${i}`)),
      }),
    ]
  }
}
