import { makeSignDoc as makeAminoDoc, serializeSignDoc } from '@cosmjs/amino'
import {
  coins,
  DirectEthSecp256k1Wallet,
  decodeOptionalPubkey,
  decodeTxRaw,
  makeAuthInfoBytes,
  makeSignDoc,
  Registry,
} from '@cosmjs/proto-signing'
import {
  AminoTypes,
  accountFromAny,
  createDefaultAminoConverters,
  defaultRegistryTypes,
} from '@cosmjs/stargate'
import { expect } from 'chai'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, SignDoc, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { privateKeyToAccount } from 'viem/accounts'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { concatBytes, fromHex, sha256, toHex, utf8 } from '../../core/bytes.ts'
import { publicKeyAny, publicKeyOf, signAs } from '../../core/crypto/account-key.ts'
import { ETHERMINT_URL, ETHSECP256K1_URL, MULTISIG_URL } from '../../core/crypto/public-key.ts'
import { checksumAddress } from '../../core/hex-address.ts'
import { signTx } from '../../core/tx/build.ts'
import { packAny } from '../../core/wire/registry.ts'
import { simulate } from '../../daemon/app/simulate.ts'
import { CHAIN_ID, TestChain, user } from '../kit/app/chain.ts'
import { message } from '../kit/app/governance.ts'

const registry = new Registry(defaultRegistryTypes)
const aminoTypes = new AminoTypes(createDefaultAminoConverters())
const GAS = 300_000
const fee = { amount: coins(5, 'afrx'), gas: `${GAS}` }
const privateKey = sha256(utf8('a key of Ethereum'))
const key = publicKeyOf('ethsecp256k1', privateKey)
const address = formatAddress(key.address)
const SECP256K1_GAS = 1_000n
const ETHSECP256K1_GAS = 21_000n

const send = (from: string, to: string) => ({
  typeUrl: '/cosmos.bank.v1beta1.MsgSend',
  value: { fromAddress: from, toAddress: to, amount: coins(7, 'afrx') },
})

interface Form {
  readonly pubkey?: Any
  readonly mode?: SignMode
  readonly sequence?: number
}

describe('a transaction signed by a key of Ethereum', () => {
  let chain: TestChain
  let accountNumber: number
  const bob = user('bob').text
  before(async () => {
    chain = await TestChain.start()
    const fund = packAny('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: chain.user('alice').text,
      toAddress: address,
      amount: [{ denom: 'afrx', amount: '1000000' }],
    })
    await chain.block(chain.sign('alice', { messages: [fund] }))
    accountNumber = Number((await info()).accountNumber)
  })
  after(() => chain.stop())

  const info = async () =>
    (
      await chain.query<{ info: { accountNumber: bigint; sequence: bigint; pubKey?: Any } }>(
        '/cosmos.auth.v1beta1.Query/AccountInfo',
        { address },
      )
    ).info

  /** Bytes to sign, and the transaction of a signature over them. */
  function unsigned({ pubkey = publicKeyAny(key), mode = SignMode.SIGN_MODE_DIRECT, sequence = 0 }: Form) {
    const messages = [send(address, bob)]
    const bodyBytes = registry.encodeTxBody({ messages, memo: 'by a key of Ethereum' })
    const authInfoBytes = makeAuthInfoBytes(
      [{ pubkey, sequence }],
      fee.amount,
      GAS,
      undefined,
      undefined,
      mode,
    )
    const doc = makeSignDoc(bodyBytes, authInfoBytes, CHAIN_ID, accountNumber)
    const amino = makeAminoDoc(
      messages.map((m) => aminoTypes.toAmino(m)),
      fee,
      CHAIN_ID,
      'by a key of Ethereum',
      accountNumber,
      sequence,
    )
    const tx = (signature: Uint8Array): Uint8Array =>
      TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish()
    return { doc, tx, aminoBytes: serializeSignDoc(amino) }
  }

  async function byCosmjs(form: Form = {}): Promise<{
    tx: Uint8Array
    signature: Uint8Array
    made: ReturnType<typeof unsigned>
  }> {
    const wallet = await DirectEthSecp256k1Wallet.fromKey(privateKey, 'fornax')
    const made = unsigned(form)
    const { signature } = await wallet.signDirect(address, made.doc)
    const bytes = new Uint8Array(Buffer.from(signature.signature, 'base64'))
    return { tx: made.tx(bytes), signature: bytes, made }
  }

  async function accepts(tx: Uint8Array): Promise<bigint> {
    expect(chain.check(tx).log).to.equal('')
    const { txResults } = await chain.block(tx)
    expect(txResults[0]!.log).to.equal('')
    return txResults[0]!.gasUsed
  }

  it('is of the account that viem and CosmJS see', async () => {
    const wallet = await DirectEthSecp256k1Wallet.fromKey(privateKey, 'fornax')
    expect((await wallet.getAccounts())[0]!.address).to.equal(address)
    expect(checksumAddress(key.address)).to.equal(privateKeyToAccount(`0x${toHex(privateKey)}`).address)
  })

  it('is refused with hostile signatures', async () => {
    const { signature, made } = await byCosmjs()
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = (order - BigInt(`0x${toHex(signature.subarray(32, 64))}`)).toString(16).padStart(64, '0')
    const high = concatBytes(signature.subarray(0, 32), fromHex(s))
    const bySha256 = signAs('secp256k1', privateKey, signBytes(made.doc))
    for (const [what, bad] of [
      ['a high S', high],
      ['a high S and a 65th byte', concatBytes(high, Uint8Array.of(0))],
      ['over sha256', bySha256],
      ['63 bytes', signature.subarray(0, 63)],
      ['66 bytes', concatBytes(signature.subarray(0, 64), new Uint8Array(2))],
    ] as const)
      expect(chain.check(made.tx(bad)), what).to.include({ codespace: 'sdk', code: 4 })
  })

  it('is refused with a key that is none, or of another account', () => {
    const x = key.key.subarray(1)
    const any = (bytes: Uint8Array): Any => packAny(ETHSECP256K1_URL.slice(1), { key: bytes })
    const signature = new Uint8Array(64).fill(1)
    for (const [what, pubkey] of [
      ['no point', any(concatBytes(Uint8Array.of(2), fromHex('05'.padStart(64, '0'))))],
      ['too short', any(x)],
      ['uncompressed', any(concatBytes(Uint8Array.of(4), x, x))],
      ['empty', any(new Uint8Array(0))],
      ['of another account', publicKeyAny(publicKeyOf('ethsecp256k1', sha256(privateKey)))],
      ['of the other kind', publicKeyAny(publicKeyOf('secp256k1', privateKey))],
    ] as const)
      expect(chain.check(unsigned({ pubkey }).tx(signature)), what).to.include({ codespace: 'sdk', code: 8 })
  })

  it('is estimated with the gas that it takes, whether its key is told, another, or none', async () => {
    const estimate = async (tx: Uint8Array): Promise<bigint> => {
      const { gasUsed, error } = await simulate(chain.state, tx)
      expect(error).to.equal(undefined)
      return gasUsed
    }
    const { tx } = await byCosmjs()
    const raw = TxRaw.decode(tx)
    const authInfo = AuthInfo.decode(raw.authInfoBytes)
    const told = await estimate(TxRaw.encode({ ...raw, signatures: [new Uint8Array(0)] }).finish())
    const withKey = (publicKey?: Any): Promise<bigint> => {
      const signerInfos = authInfo.signerInfos.map(({ publicKey: _, ...each }) => ({
        ...each,
        ...(publicKey && { publicKey }),
      }))
      const authInfoBytes = AuthInfo.encode({ ...authInfo, signerInfos }).finish()
      return estimate(TxRaw.encode({ ...raw, authInfoBytes, signatures: [new Uint8Array(0)] }).finish())
    }
    const untold = await withKey()
    // As CosmJS does for every account.
    const ofTheOtherKind = await withKey(publicKeyAny(publicKeyOf('secp256k1', privateKey)))
    const { txResults } = await chain.block(tx)
    expect(txResults[0]!.log).to.equal('')
    const { gasUsed } = txResults[0]!
    // Clients add a tenth or more.
    for (const estimated of [told, untold, ofTheOtherKind])
      expect(Math.abs(Number(estimated) / Number(gasUsed) - 1), `${estimated} for ${gasUsed}`).to.be.below(
        0.1,
      )
  })

  it('is accepted in direct mode, and its key kept under the name of cosmos/evm', async () => {
    await accepts((await byCosmjs({ sequence: 1 })).tx)
    const { pubKey } = await info()
    expect(pubKey).to.deep.include(publicKeyAny(key))
    const { account } = await chain.query<{ account: Any }>('/cosmos.auth.v1beta1.Query/Account', { address })
    expect(accountFromAny(account)).to.deep.include({
      address,
      pubkey: { type: 'os/PubKeyEthSecp256k1', value: Buffer.from(key.key).toString('base64') },
    })
  })

  it('is accepted in Amino JSON mode, and with a 65th byte of the signature', async () => {
    const amino = unsigned({ mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON, sequence: 2 })
    await accepts(amino.tx(signAs('ethsecp256k1', privateKey, amino.aminoBytes)))
    const { made, signature } = await byCosmjs({ sequence: 3 })
    await accepts(made.tx(concatBytes(signature.subarray(0, 64), Uint8Array.of(27))))
  })

  it('costs what cosmos/evm charges for its signature, and less is out of gas', async () => {
    const gasOf = async (keyType: 'secp256k1' | 'ethsecp256k1', from: string): Promise<bigint> => {
      const account = (
        await chain.query<{ info: { accountNumber: bigint; sequence: bigint } }>(
          '/cosmos.auth.v1beta1.Query/AccountInfo',
          { address: from },
        )
      ).info
      const payment = packAny('cosmos.bank.v1beta1.MsgSend', send(from, bob).value)
      const secret = keyType === 'secp256k1' ? user('carol').privateKey : privateKey
      const bytes = signTx({ messages: [payment], fee: { amount: [], gasLimit: 300_000n } }, CHAIN_ID, [
        { privateKey: secret, keyType, ...account },
      ])
      return (await accepts(bytes)) - 10n * BigInt(bytes.length)
    }
    await gasOf('secp256k1', user('carol').text)
    const dearer = (await gasOf('ethsecp256k1', address)) - (await gasOf('secp256k1', user('carol').text))
    expect(dearer > ETHSECP256K1_GAS - SECP256K1_GAS - 500n, `${dearer}`).to.equal(true)
    expect(dearer < ETHSECP256K1_GAS - SECP256K1_GAS + 500n, `${dearer}`).to.equal(true)
    const { sequence } = await info()
    const before = await balance()
    const cheap = signTx(
      {
        messages: [packAny('cosmos.bank.v1beta1.MsgSend', send(address, bob).value)],
        fee: { amount: coins(3, 'afrx'), gasLimit: 25_000n },
      },
      CHAIN_ID,
      [{ privateKey, keyType: 'ethsecp256k1', accountNumber: BigInt(accountNumber), sequence }],
    )
    const { txResults } = await chain.block(cheap)
    expect(txResults[0]).to.include({ codespace: 'sdk', code: 11 })
    expect(txResults[0]!.log).to.match(/ante verify: eth_secp256k1|out of gas/)
    expect([before, (await info()).sequence]).to.deep.equal([await balance(), sequence])
  })

  const balance = async (): Promise<string> =>
    (
      await chain.query<{ balance: { amount: string } }>('/cosmos.bank.v1beta1.Query/Balance', {
        address,
        denom: 'afrx',
      })
    ).balance.amount

  it('is read by CosmJS, with its key', async () => {
    const { tx } = await byCosmjs({ sequence: 9 })
    const decoded = decodeTxRaw(tx)
    expect(decodeOptionalPubkey(decoded.authInfo.signerInfos[0]!.publicKey)).to.deep.equal({
      type: 'os/PubKeyEthSecp256k1',
      value: Buffer.from(key.key).toString('base64'),
    })
  })

  it('is refused where its key is a member of a multisig', () => {
    for (const member of [publicKeyAny(key), { typeUrl: ETHERMINT_URL, value: publicKeyAny(key).value }]) {
      const pubkey = packAny(MULTISIG_URL.slice(1), { threshold: 1, publicKeys: [member] })
      const refused = chain.check(unsigned({ pubkey, sequence: 9 }).tx(new Uint8Array(64)))
      expect(refused).to.include({ codespace: 'sdk', code: 8 })
      expect(refused.log).to.contain('an ethsecp256k1 key cannot be a member of a multisig')
    }
  })

  it('is of a kind of key that no validator has for consensus', async () => {
    for (const url of [ETHSECP256K1_URL, ETHERMINT_URL]) {
      const create = message('cosmos.staking.v1beta1.MsgCreateValidator', {
        description: { moniker: 'alice' },
        commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
        minSelfDelegation: '1',
        validatorAddress: formatAddress(user('alice').address, VALIDATOR_PREFIX),
        pubkey: { typeUrl: url, value: publicKeyAny(key).value },
        value: { denom: 'afrx', amount: `${10n ** 18n}` },
      })
      const { txResults } = await chain.block(chain.sign('alice', { messages: [create] }))
      expect(txResults[0]).to.include({ codespace: 'staking', code: 6 })
      expect(txResults[0]!.log).to.contain('got: ethsecp256k1, expected: [ed25519]')
    }
  })

  it('by the older name of its kind is accepted, and kept under the other name, as from a genesis file', async () => {
    const other = sha256(utf8('another key of Ethereum'))
    const theirs = publicKeyOf('ethsecp256k1', other)
    const second = formatAddress(theirs.address)
    const older: Any = { typeUrl: ETHERMINT_URL, value: publicKeyAny(theirs).value }
    await chain.block(
      chain.sign('alice', {
        messages: [
          packAny('cosmos.bank.v1beta1.MsgSend', {
            fromAddress: chain.user('alice').text,
            toAddress: second,
            amount: [{ denom: 'afrx', amount: '1000000' }],
          }),
        ],
      }),
    )
    const accountOf = async (on: TestChain) =>
      (
        await on.query<{ info: { accountNumber: bigint; pubKey: Any } }>(
          '/cosmos.auth.v1beta1.Query/AccountInfo',
          { address: second },
        )
      ).info
    const bodyBytes = registry.encodeTxBody({ messages: [send(second, bob)] })
    const authInfoBytes = makeAuthInfoBytes(
      [{ pubkey: older, sequence: 0 }],
      fee.amount,
      GAS,
      undefined,
      undefined,
    )
    const number = Number((await accountOf(chain)).accountNumber)
    const doc = makeSignDoc(bodyBytes, authInfoBytes, CHAIN_ID, number)
    const signature = signAs('ethsecp256k1', other, signBytes(doc))
    await accepts(TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish())
    expect((await accountOf(chain)).pubKey).to.deep.include(publicKeyAny(theirs))

    const born = await TestChain.start({
      appState: {
        auth: {
          params: {
            max_memo_characters: '256',
            tx_sig_limit: '7',
            tx_size_cost_per_byte: '10',
            sig_verify_cost_ed25519: '590',
            sig_verify_cost_secp256k1: '1000',
          },
          accounts: [
            ...['validator', 'alice'].map((name, i) => ({
              '@type': '/cosmos.auth.v1beta1.BaseAccount',
              address: user(name).text,
              account_number: `${i}`,
            })),
            {
              '@type': '/cosmos.auth.v1beta1.BaseAccount',
              address: second,
              account_number: '9',
              pub_key: { '@type': ETHERMINT_URL, key: Buffer.from(theirs.key).toString('base64') },
            },
          ],
        },
      },
    })
    try {
      await born.block()
      expect((await accountOf(born)).pubKey).to.deep.include(publicKeyAny(theirs))
    } finally {
      await born.stop()
    }
  })
})

/** The bytes of a document to sign. */
const signBytes = (doc: Parameters<typeof SignDoc.encode>[0]): Uint8Array => SignDoc.encode(doc).finish()
