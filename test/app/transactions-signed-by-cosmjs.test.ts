import {
  createMultisigThresholdPubkey,
  makeSignDoc as makeAminoDoc,
  pubkeyToAddress,
  Secp256k1Wallet,
} from '@cosmjs/amino'
import { Int53 } from '@cosmjs/math'
import {
  type AccountData,
  coins,
  DirectSecp256k1Wallet,
  encodePubkey,
  makeAuthInfoBytes,
  makeSignDoc,
  type OfflineSigner,
  Registry,
} from '@cosmjs/proto-signing'
import {
  AminoTypes,
  createDefaultAminoConverters,
  defaultRegistryTypes,
  makeMultisignedTxBytes,
} from '@cosmjs/stargate'
import { expect } from 'chai'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { CHAIN_ID, TestChain, user } from '../kit/app/chain.ts'

const registry = new Registry(defaultRegistryTypes)
const aminoTypes = new AminoTypes(createDefaultAminoConverters())
const fee = { amount: coins(5, 'afrx'), gas: '300000' }

interface Wallet {
  direct: DirectSecp256k1Wallet
  amino: Secp256k1Wallet
  account: AccountData
}

async function wallet(name: string): Promise<Wallet> {
  const { privateKey } = user(name)
  const direct = await DirectSecp256k1Wallet.fromKey(privateKey, 'fornax')
  const amino = await Secp256k1Wallet.fromKey(privateKey, 'fornax')
  return { direct, amino, account: (await direct.getAccounts())[0]! }
}

const send = (from: string, to: string, amount = '7'): { typeUrl: string; value: object } => ({
  typeUrl: '/cosmos.bank.v1beta1.MsgSend',
  value: { fromAddress: from, toAddress: to, amount: coins(amount, 'afrx') },
})

async function signDirect(
  w: Wallet,
  messages: object[],
  sequence: number,
  accountNumber: number,
): Promise<Uint8Array> {
  const bodyBytes = registry.encodeTxBody({ messages: messages as never, memo: 'from cosmjs' })
  const pubkey = encodePubkey({
    type: 'tendermint/PubKeySecp256k1',
    value: Buffer.from(w.account.pubkey).toString('base64'),
  })
  const authInfoBytes = makeAuthInfoBytes(
    [{ pubkey, sequence }],
    fee.amount,
    Number(fee.gas),
    undefined,
    undefined,
  )
  const doc = makeSignDoc(bodyBytes, authInfoBytes, CHAIN_ID, accountNumber)
  const { signature } = await w.direct.signDirect(w.account.address, doc)
  return TxRaw.encode({
    bodyBytes,
    authInfoBytes,
    signatures: [Buffer.from(signature.signature, 'base64')],
  }).finish()
}

async function signAmino(
  w: Wallet,
  messages: { typeUrl: string; value: object }[],
  sequence: number,
  accountNumber: number,
  memo = 'amino <&> memo',
): Promise<Uint8Array> {
  const doc = makeAminoDoc(
    messages.map((m) => aminoTypes.toAmino(m)),
    fee,
    CHAIN_ID,
    memo,
    accountNumber,
    sequence,
  )
  const { signature } = await w.amino.signAmino(w.account.address, doc)
  const bodyBytes = registry.encodeTxBody({ messages: messages as never, memo })
  const pubkey = encodePubkey({
    type: 'tendermint/PubKeySecp256k1',
    value: Buffer.from(w.account.pubkey).toString('base64'),
  })
  const authInfoBytes = makeAuthInfoBytes(
    [{ pubkey, sequence }],
    fee.amount,
    Int53.fromString(fee.gas).toNumber(),
    undefined,
    undefined,
    SignMode.SIGN_MODE_LEGACY_AMINO_JSON,
  )
  return TxRaw.encode({
    bodyBytes,
    authInfoBytes,
    signatures: [Buffer.from(signature.signature, 'base64')],
  }).finish()
}

describe('a transaction signed by CosmJS', () => {
  let chain: TestChain
  let alice: Wallet
  let bob: Wallet
  beforeEach(async () => {
    chain = await TestChain.start()
    await chain.block()
    alice = await wallet('alice')
    bob = await wallet('bob')
  })
  afterEach(() => chain.stop())

  async function accepts(tx: Uint8Array): Promise<void> {
    expect(chain.check(tx).log).to.equal('')
    expect((await chain.block(tx)).txResults[0]!.log).to.equal('')
  }

  /** Signed in direct mode by alice and bob, in that order. */
  async function signedByBoth(messages: object[], feePayer?: string): Promise<TxRaw> {
    const bodyBytes = registry.encodeTxBody({ messages: messages as never })
    const signers = [alice, bob].map((w) => ({
      pubkey: encodePubkey({
        type: 'tendermint/PubKeySecp256k1',
        value: Buffer.from(w.account.pubkey).toString('base64'),
      }),
      sequence: 0,
    }))
    const authInfoBytes = makeAuthInfoBytes(signers, fee.amount, 300_000, undefined, feePayer)
    const signatures = await Promise.all(
      [alice, bob].map(async (w, i) => {
        const doc = makeSignDoc(bodyBytes, authInfoBytes, CHAIN_ID, i + 1)
        return Buffer.from((await w.direct.signDirect(w.account.address, doc)).signature.signature, 'base64')
      }),
    )
    return { bodyBytes, authInfoBytes, signatures }
  }

  it('in direct mode is accepted', async () => {
    await accepts(await signDirect(alice, [send(alice.account.address, bob.account.address)], 0, 1))
  })

  it('in Amino JSON mode is accepted, with a memo that JSON escapes', async () => {
    await accepts(await signAmino(alice, [send(alice.account.address, bob.account.address)], 0, 1))
  })

  it('for another chain, account number or body is refused with 4', async () => {
    const tx = await signDirect(alice, [send(alice.account.address, bob.account.address)], 0, 2)
    expect(chain.check(tx)).to.include({ code: 4, codespace: 'sdk' })
    const good = TxRaw.decode(
      await signDirect(alice, [send(alice.account.address, bob.account.address)], 0, 1),
    )
    const body = TxBody.decode(good.bodyBytes)
    const forged = TxRaw.encode({
      ...good,
      bodyBytes: TxBody.encode({ ...body, memo: 'x' }).finish(),
    }).finish()
    expect(chain.check(forged)).to.include({ code: 4, codespace: 'sdk' })
  })

  it('with a high-S signature is refused', async () => {
    const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const good = TxRaw.decode(
      await signDirect(alice, [send(alice.account.address, bob.account.address)], 0, 1),
    )
    const signature = Buffer.from(good.signatures[0]!)
    const s = n - BigInt(`0x${signature.subarray(32).toString('hex')}`)
    Buffer.from(s.toString(16).padStart(64, '0'), 'hex').copy(signature, 32)
    expect(chain.check(TxRaw.encode({ ...good, signatures: [signature] }).finish())).to.include({ code: 4 })
  })

  it('by two signers of one transaction needs both signatures, in order', async () => {
    const messages = [
      send(alice.account.address, bob.account.address),
      send(bob.account.address, alice.account.address),
    ]
    const { bodyBytes, authInfoBytes, signatures } = await signedByBoth(messages)
    const swapped = TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [...signatures].reverse() }).finish()
    expect(chain.check(swapped).code).to.equal(4)
    const single = TxRaw.encode({ bodyBytes, authInfoBytes, signatures: signatures.slice(0, 1) }).finish()
    expect(chain.check(single).code).to.equal(4)
    await accepts(TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish())
  })

  it('whose fee another account pays takes the fee from that account', async () => {
    const { bodyBytes, authInfoBytes, signatures } = await signedByBoth(
      [send(alice.account.address, bob.account.address)],
      bob.account.address,
    )
    await accepts(TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish())
    expect(await chain.balance('alice')).to.equal(10n ** 24n - 7n)
    expect(await chain.balance('bob')).to.equal(10n ** 24n + 7n - 5n)
  })

  describe('of a multisig account', () => {
    it('passes with the threshold of signatures and not with fewer', async () => {
      const members = await Promise.all(['alice', 'bob', 'carol'].map(wallet))
      const pubkey = createMultisigThresholdPubkey(
        members.map((m) => ({
          type: 'tendermint/PubKeySecp256k1',
          value: Buffer.from(m.account.pubkey).toString('base64'),
        })),
        2,
        true,
      )
      const address = pubkeyToAddress(pubkey, 'fornax')
      const fund = chain.sign('alice', {
        messages: [
          {
            typeUrl: '/cosmos.bank.v1beta1.MsgSend',
            value: registry.encode(send(alice.account.address, address, '1000')),
          },
        ],
      })
      await accepts(fund)
      const { info } = await chain.query<{ info: { accountNumber: bigint } }>(
        '/cosmos.auth.v1beta1.Query/AccountInfo',
        { address },
      )
      const accountNumber = Number(info.accountNumber)
      const message = send(address, bob.account.address)
      const doc = makeAminoDoc([aminoTypes.toAmino(message)], fee, CHAIN_ID, '', accountNumber, 0)
      const bodyBytes = registry.encodeTxBody({ messages: [message] as never })
      const signatures = new Map<string, Uint8Array>()
      const pubkeyOf = new Map(
        members.map((m) => [
          pubkeyToAddress(
            pubkey.value.pubkeys.find((p) => p.value === Buffer.from(m.account.pubkey).toString('base64'))!,
            'fornax',
          ),
          m,
        ]),
      )
      for (const [member, w] of pubkeyOf) {
        const { signature } = await w.amino.signAmino(w.account.address, doc)
        signatures.set(member, Buffer.from(signature.signature, 'base64'))
        const tx = makeMultisignedTxBytes(pubkey, 0, fee, bodyBytes, signatures)
        if (signatures.size < 2) expect(chain.check(tx)).to.include({ code: 4, codespace: 'sdk' })
        else {
          await accepts(tx)
          break
        }
      }
    })
  })

  it('by an OfflineSigner keeps its address prefix', async () => {
    const signer: OfflineSigner = alice.direct
    expect((await signer.getAccounts())[0]!.address).to.equal(chain.user('alice').text)
  })

  it('decodes to what CosmJS says of it', async () => {
    const tx = TxRaw.decode(await signDirect(alice, [send(alice.account.address, bob.account.address)], 0, 1))
    expect(AuthInfo.decode(tx.authInfoBytes).fee!.gasLimit).to.equal(300_000n)
  })
})
