import { expect } from 'chai'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import { CompactBitArray, MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { utf8 } from '../../core/bytes.ts'
import { MULTISIG_URL, parsePublicKey } from '../../core/crypto/public-key.ts'
import { secp256k1PublicKey, signSecp256k1 } from '../../core/crypto/secp256k1.ts'
import { Journal } from '../../core/journal.ts'
import { secp256k1Any, selfAuthenticatedTx } from '../../core/tx/build.ts'
import { aminoSignBytes } from '../../core/tx/sign-bytes.ts'
import { type Any, packAny } from '../../core/wire/registry.ts'
import { signEd25519 } from '../../daemon/comet/keys.ts'
import { agentKeyMessage } from '../../daemon/validator/agent-signer.ts'
import { telemetrySignBytes } from '../../modules/classifier/api.ts'
import { CHAIN_ID, consensusKey, TestChain, user } from '../kit/app/chain.ts'
import { message, outcome } from '../kit/app/governance.ts'
import { newValidator } from '../kit/app/new-validator.ts'

/** How often MsgSend is decoded while `run` runs. */
function decodesOfSends(run: () => void): number {
  const { decode } = MsgSend
  let count = 0
  MsgSend.decode = (...args) => {
    count++
    return decode(...args)
  }
  try {
    run()
    return count
  } finally {
    MsgSend.decode = decode
  }
}

const members = [0, 1, 2, 3, 4, 5, 6].map((i) => user(`member ${i}`))
const key = packAny(
  MULTISIG_URL.slice(1),
  LegacyAminoPubKey.fromPartial({
    threshold: 1,
    publicKeys: members.map((m) => secp256k1Any(secp256k1PublicKey(m.privateKey))),
  }),
)
const { address } = parsePublicKey(key)

describe('what hostile transactions cost', () => {
  let chain: TestChain
  let accountNumber: bigint
  before(async () => {
    chain = await TestChain.start({ users: ['alice', 'bob'] })
    const fund = message('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: chain.user('alice').text,
      toAddress: formatAddress(address),
      amount: [{ denom: 'afrx', amount: '1000' }],
    })
    await chain.block(chain.sign('alice', { messages: [fund] }))
    const { info } = await chain.query<{ info: { accountNumber: bigint } }>(
      '/cosmos.auth.v1beta1.Query/AccountInfo',
      { address: formatAddress(address) },
    )
    accountNumber = info.accountNumber
  })
  after(() => chain.stop())

  /** A transaction of the multisig whose first `signing` members sign in Amino JSON. */
  function multisigTx(messages: readonly Any[], signing: number, signature?: Uint8Array): Uint8Array {
    const elems = Uint8Array.of((0xff << (8 - signing)) & 0xff)
    const body = TxBody.fromPartial({ messages: [...messages] })
    const mode = SignMode.SIGN_MODE_LEGACY_AMINO_JSON
    const authInfo = AuthInfo.fromPartial({
      signerInfos: [
        {
          publicKey: key,
          modeInfo: {
            multi: {
              bitarray: CompactBitArray.fromPartial({ extraBitsStored: members.length, elems }),
              modeInfos: Array.from({ length: signing }, () => ({ single: { mode } })),
            },
          },
        },
      ],
      fee: { amount: [], gasLimit: 1_000_000n },
    })
    const parts = { body, authInfo, bodyBytes: TxBody.encode(body).finish() }
    const authInfoBytes = AuthInfo.encode(authInfo).finish()
    const bytes = aminoSignBytes(
      { ...parts, authInfoBytes },
      { chainId: CHAIN_ID, accountNumber, sequence: 0n },
    )
    const signatures = members.slice(0, signing).map((m) => signSecp256k1(m.privateKey, bytes))
    return TxRaw.encode({
      bodyBytes: parts.bodyBytes,
      authInfoBytes,
      signatures: [signature ?? MultiSignature.encode({ signatures }).finish()],
    }).finish()
  }

  const send = (): Any =>
    message('cosmos.bank.v1beta1.MsgSend', {
      fromAddress: formatAddress(address),
      toAddress: chain.user('bob').text,
      amount: [{ denom: 'afrx', amount: '1' }],
    })

  it('a multisignature that ends too early is refused in the mempool and in a block', async () => {
    const tx = multisigTx([send()], 1, Uint8Array.of(0x0a, 0x7f))
    expect(chain.check(tx)).to.include({ codespace: 'sdk', code: 4 })
    const { txResults } = await chain.block(tx)
    expect(txResults.map(outcome)).to.deep.equal(['sdk/4'])
  })

  it('the messages are read as often for seven signatures of a multisig as for one', () => {
    const check = (signing: number): number =>
      decodesOfSends(() => expect(chain.check(multisigTx([send()], signing))).to.include({ code: 0 }))
    const once = check(1)
    chain.state.checked = new Journal(chain.state.working)
    expect(check(7)).to.equal(once)
  })

  it('what stands in proposals to make proposals is read as often however deep it stands', () => {
    const nested = (depth: number): number => {
      let messages = [send()]
      for (let i = 0; i < depth; i++)
        messages = [
          message('cosmos.gov.v1.MsgSubmitProposal', {
            messages,
            proposer: chain.user('alice').text,
            title: 'a',
            summary: 'b',
          }),
        ]
      const tx = chain.sign('alice', { messages })
      chain.user('alice').sequence--
      return decodesOfSends(() => chain.check(tx))
    }
    expect(nested(40)).to.equal(nested(2)).and.above(0)
  })

  const operator = (name: string): string => formatAddress(chain.user(name).address, VALIDATOR_PREFIX)
  const setKey = (name: string, seed: string): Uint8Array =>
    chain.sign(name, {
      messages: [agentKeyMessage(consensusKey(seed), CHAIN_ID, operator(name))],
    })
  it('an agent key takes as much gas however many validators have one', async () => {
    const own = async (seed: string): Promise<bigint> => {
      const { txResults } = await chain.block(setKey('validator', seed))
      expect(txResults.map(outcome)).to.deep.equal(['ok'])
      return txResults[0]!.gasUsed
    }
    await own('first')
    const alone = await own('other')
    const fee = { amount: [], gasLimit: 1_000_000n }
    const { txResults } = await chain.block(
      chain.sign('bob', { messages: [newValidator('bob', 1n)], fee }),
      setKey('bob', 'of bob'),
      setKey('bob', 'other'),
    )
    expect(txResults.map(outcome)).to.deep.equal(['ok', 'ok', 'classifier/9'])
    expect(await own('third')).to.equal(alone)
  })

  it('a validator that is not in the set has no room in blocks for telemetry', async () => {
    const body = utf8(
      JSON.stringify({ node: operator('bob'), cpu_pct: 1, latency_ms: 1, connections: 1, net_contrib: 1 }),
    )
    const timestampMs = chain.timeOf(chain.height) / 1_000_000n
    const signature = signEd25519(consensusKey('of bob'), telemetrySignBytes(CHAIN_ID, timestampMs, body))
    const value = { validator: operator('bob'), timestampMs, body, signature }
    const tx = selfAuthenticatedTx(message('fornax.classifier.v1.MsgSubmitMetrics', value))
    expect(chain.check(tx)).to.include({ codespace: 'classifier', code: 10 })
  })
})
