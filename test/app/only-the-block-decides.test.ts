import { bech32 } from '@scure/base'
import { expect } from 'chai'
import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import { CompactBitArray } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { concatBytes, utf8 } from '../../core/bytes.ts'
import {
  type MemberKey,
  MULTISIG_URL,
  multisigAddress,
  parsePublicKey,
} from '../../core/crypto/public-key.ts'
import { secp256k1PublicKey, signSecp256k1 } from '../../core/crypto/secp256k1.ts'
import { secp256k1Any } from '../../core/tx/build.ts'
import { directSignBytes } from '../../core/tx/sign-bytes.ts'
import { packAny } from '../../core/wire/registry.ts'
import { CHAIN_ID, TestChain, type User, user } from '../kit/app/chain.ts'
import { section } from '../kit/app/scored-chain.ts'

/** Without what the application remembers. */
const textOf = (address: Uint8Array, prefix = 'fornax'): string =>
  bech32.encode(prefix, bech32.toWords(address), 1023)

/** The account whose bytes are `valoper` and those of another. */
const lookalike = (of: User): Address => concatBytes(utf8('valoper'), of.address) as Address

const send = (from: string, to: string, amount: string) =>
  packAny('cosmos.bank.v1beta1.MsgSend', {
    fromAddress: from,
    toAddress: to,
    amount: [{ denom: 'afrx', amount }],
  })

/** A multisig of one of one, whose member's Any has its fields in the order that is given. */
function multisigOf(members: readonly Uint8Array[], threshold = 1): Uint8Array {
  const tag = Uint8Array.of(0x12)
  const parts = members.flatMap((m) => [tag, varint(m.length), m])
  return Uint8Array.from(Buffer.concat([Uint8Array.of(0x08, threshold), ...parts]))
}

function varint(n: number): Uint8Array {
  const out: number[] = []
  for (let rest = n; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...out, rest])
    out.push((rest % 128) | 128)
  }
}

describe('A block alone decides', () => {
  let chain: TestChain
  beforeEach(async () => {
    const staking = section('staking')
    chain = await TestChain.start({
      users: ['alice', 'bob', 'mallory'],
      appState: {
        staking: { ...staking, params: { ...(staking['params'] as object), unbonding_time: '10s' } },
      },
    })
    await chain.block()
  })
  afterEach(() => chain.stop())

  it('what an account is called, when a node was asked for the validator that looks like it: app hashes parted', async () => {
    const { text } = chain.user('alice')
    const asked = user('somebody')
    await chain
      .query('/cosmos.staking.v1beta1.Query/Validator', {
        validatorAddr: formatAddress(asked.address, VALIDATOR_PREFIX),
      })
      .catch(() => {})
    const to = textOf(lookalike(asked))
    const { txResults } = await chain.block(chain.sign('alice', { messages: [send(text, to, '1')] }))
    expect(txResults[0]!.code).to.equal(0)
    const { account } = await chain.query<{ account: Any }>('/cosmos.auth.v1beta1.Query/Account', {
      address: to,
    })
    expect(Buffer.from(account.value).toString('latin1')).to.include(to)
  })

  it('whose delegation matures: an account that looks like its validator ended every node', async () => {
    const mallory = chain.user('mallory')
    const operator = textOf(mallory.address, VALIDATOR_PREFIX)
    const twin = textOf(lookalike(mallory))
    const sent = await chain.block(chain.sign('mallory', { messages: [send(mallory.text, twin, '1')] }))
    const stake = { denom: 'afrx', amount: `${10n ** 18n}` }
    const create = packAny('cosmos.staking.v1beta1.MsgCreateValidator', {
      description: { moniker: 'm', identity: '', website: '', securityContact: '', details: '' },
      commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
      minSelfDelegation: '1',
      delegatorAddress: '',
      validatorAddress: operator,
      pubkey: packAny('cosmos.crypto.ed25519.PubKey', { key: new Uint8Array(32).fill(3) }),
      value: stake,
    })
    const undelegate = packAny('cosmos.staking.v1beta1.MsgUndelegate', {
      delegatorAddress: mallory.text,
      validatorAddress: operator,
      amount: { denom: 'afrx', amount: '5' },
    })
    const fee = { amount: [], gasLimit: 2_000_000n }
    const created = await chain.block(chain.sign('mallory', { messages: [create], fee }))
    const undelegated = await chain.block(chain.sign('mallory', { messages: [undelegate], fee }))
    expect([sent, created, undelegated].map(({ txResults }) => txResults[0]!.log)).to.deep.equal(['', '', ''])
    const before = await chain.balance('mallory')
    await chain.block()
    await chain.block()
    expect(await chain.balance('mallory')).to.equal(before + 5n)
  })

  it('whether a key is one, when a node has seen it in another form: nodes answered codes 0 and 8', async () => {
    const bob = chain.user('bob')
    const member = Any.encode(secp256k1Any(secp256k1PublicKey(bob.privateKey))).finish()
    // The member's value before its type: the outer value then ends in the member's type.
    const [url, value] = [member.subarray(0, 2 + member[1]!), member.subarray(2 + member[1]!)]
    const outer = multisigOf([concatBytes(value, url)])
    const usual = { typeUrl: MULTISIG_URL, value: outer }
    const swapped = {
      typeUrl: MULTISIG_URL + Buffer.from(outer).toString('latin1'),
      value: new Uint8Array(0),
    }
    const key = parsePublicKey(usual)
    const from = formatAddress(key.address)
    await chain.block(
      chain.send('alice', 'bob', 1n),
      chain.sign('alice', { messages: [send(chain.user('alice').text, from, '1000')] }),
    )
    const { info } = await chain.query<{ info: { accountNumber: bigint } }>(
      '/cosmos.auth.v1beta1.Query/AccountInfo',
      { address: from },
    )
    const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [send(from, bob.text, '1')] })).finish()
    const modeInfo = {
      multi: {
        bitarray: CompactBitArray.fromPartial({ extraBitsStored: 1, elems: Uint8Array.of(0x80) }),
        modeInfos: [{ single: { mode: SignMode.SIGN_MODE_DIRECT } }],
      },
    }
    const signed = (publicKey: Any): Uint8Array => {
      const authInfo = AuthInfo.fromPartial({
        signerInfos: [{ publicKey, modeInfo, sequence: 0n }],
        fee: { amount: [], gasLimit: 200_000n },
      })
      const authInfoBytes = AuthInfo.encode(authInfo).finish()
      const body = TxBody.decode(bodyBytes)
      const signature = signSecp256k1(
        bob.privateKey,
        directSignBytes(
          { bodyBytes, authInfoBytes, body, authInfo },
          { chainId: CHAIN_ID, ...info, sequence: 0n },
        ),
      )
      const multi = concatBytes(Uint8Array.of(0x0a, signature.length), signature)
      return TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [multi] }).finish()
    }
    const { txResults } = await chain.block(signed(swapped))
    expect(txResults[0]).to.include({ code: 8, codespace: 'sdk' })
    expect((await chain.block(signed(usual))).txResults[0]).to.include({ code: 0 })
  })

  for (const count of [65, 41_090, 60_000])
    it(`a key of ${count} keys is refused alike on every stack: where it ended was code 1, elsewhere code 8`, async () => {
      const alice = chain.user('alice')
      const member = Any.encode(secp256k1Any(secp256k1PublicKey(alice.privateKey))).finish()
      const value = multisigOf(Array.from({ length: count }, () => member))
      const messages = [send(alice.text, chain.user('bob').text, '1')]
      const authInfo = AuthInfo.fromPartial({
        signerInfos: [
          { publicKey: { typeUrl: MULTISIG_URL, value }, modeInfo: { single: { mode: 1 } }, sequence: 0n },
        ],
        fee: { amount: [], gasLimit: 100_000_000n },
      })
      const raw = {
        bodyBytes: TxBody.encode(TxBody.fromPartial({ messages })).finish(),
        authInfoBytes: AuthInfo.encode(authInfo).finish(),
        signatures: [new Uint8Array(64)],
      }
      const tx = TxRaw.encode(raw).finish()
      expect(LegacyAminoPubKey.decode(value).publicKeys).to.have.length(count)
      const { txResults } = await chain.block(tx)
      expect(txResults[0]).to.include({ code: 14, codespace: 'sdk' })
      expect(chain.check(tx)).to.include({ code: 14, codespace: 'sdk' })
    })

  it('an account of 64 keys is as good as one of two', () => {
    const key = parsePublicKey(secp256k1Any(secp256k1PublicKey(chain.user('alice').privateKey))) as MemberKey
    const member = Any.encode(secp256k1Any(secp256k1PublicKey(chain.user('alice').privateKey))).finish()
    const value = multisigOf(
      Array.from({ length: 64 }, () => member),
      2,
    )
    const { address } = parsePublicKey({ typeUrl: MULTISIG_URL, value })
    expect(address).to.deep.equal(
      multisigAddress(
        2,
        Array.from({ length: 64 }, () => key),
      ),
    )
  })
})
