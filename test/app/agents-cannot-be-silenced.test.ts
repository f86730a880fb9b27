import { expect } from 'chai'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  RequestPrepareProposal,
  RequestProcessProposal,
  ResponseProcessProposal_ProposalStatus as Status,
} from 'cosmjs-types/tendermint/abci/types'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { toBase64, utf8 } from '../../core/bytes.ts'
import { timestampOf } from '../../core/time.ts'
import { decodeTx } from '../../core/tx/decode.ts'
import { cometKey, signEd25519 } from '../../daemon/comet/keys.ts'
import { telemetryTx } from '../../daemon/validator/agent-signer.ts'
import { telemetryOf, telemetrySignBytes } from '../../modules/classifier/api.ts'
import type { MsgSubmitMetrics } from '../../proto/gen/fornax/classifier/v1/tx.ts'
import { CHAIN_ID, TestChain, user } from '../kit/app/chain.ts'

const agentKey = cometKey(new Uint8Array(32).fill(5))
const node = formatAddress(user('validator').address, VALIDATOR_PREFIX)
const MAX_AGENT_TXS = 3

describe("What a validator's agent sends", () => {
  let chain: TestChain
  beforeEach(async () => {
    chain = await TestChain.start({
      appState: {
        classifier: {
          params: { agreement_tolerance: 200, max_agent_txs: MAX_AGENT_TXS, max_clock_drift: 60 },
          agent_keys: [{ validator: node, pub_key: toBase64(agentKey.publicKey) }],
        },
      },
    })
    await chain.block()
  })
  afterEach(() => chain.stop())

  const submission = (
    afterMs = 0n,
    { sign = true, cpu = 10 }: { sign?: boolean; cpu?: number } = {},
  ): Uint8Array => {
    const timestampMs = chain.timeOf(chain.height + 1n) / 1_000_000n + afterMs
    const body = utf8(JSON.stringify({ node, cpu_pct: cpu, latency_ms: 1, connections: 2, net_contrib: 3 }))
    const signature = signEd25519(agentKey, telemetrySignBytes(CHAIN_ID, timestampMs, body))
    return telemetryTx(node, body, timestampMs, sign ? signature : signature.map((b) => b ^ 1))
  }
  /** The same message in another transaction. */
  const copyOf = (tx: Uint8Array, change: (body: TxBody, auth: AuthInfo) => void): Uint8Array => {
    const raw = TxRaw.decode(tx)
    const [body, auth] = [TxBody.decode(raw.bodyBytes), AuthInfo.decode(raw.authInfoBytes)]
    change(body, auth)
    return TxRaw.encode({
      ...raw,
      bodyBytes: TxBody.encode(body).finish(),
      authInfoBytes: AuthInfo.encode(auth).finish(),
    }).finish()
  }
  const partsOf = (tx: Uint8Array): [body: Uint8Array, timestampMs: bigint, signature: Uint8Array] => {
    const { body, timestampMs, signature } = decodeTx(tx).messages[0]!.value as MsgSubmitMetrics
    return [body, timestampMs, signature]
  }
  const stored = () => telemetryOf(chain.state.view('committed'), user('validator').address)
  const time = () => timestampOf(chain.timeOf(chain.height + 1n))
  const judge = async (...txs: Uint8Array[]): Promise<Status> => {
    const request = RequestProcessProposal.fromPartial({ txs, height: chain.height + 1n, time: time() })
    return (await chain.app.processProposal(request)).status
  }
  const propose = (...txs: Uint8Array[]): Uint8Array[] =>
    chain.app.prepareProposal(
      RequestPrepareProposal.fromPartial({
        txs,
        height: chain.height + 1n,
        time: time(),
        maxTxBytes: 1_000_000n,
      }),
    ).txs

  it('is stored, though anybody sends copies with too little gas ahead of it: they used up its turns', async () => {
    const good = submission()
    const copies = [40_000n, 60_000n, 80_000n, 90_000n, 199_999n, 200_001n].map((gasLimit) =>
      copyOf(good, (_, auth) => {
        auth.fee!.gasLimit = gasLimit
      }),
    )
    for (const copy of copies) {
      expect(chain.check(copy)).to.include({ code: 18, codespace: 'sdk' })
      expect(await judge(copy)).to.equal(Status.REJECT)
    }
    expect(propose(...copies, good)).to.deep.equal([good])
    const { txResults } = await chain.block(...copies, good)
    expect(txResults.map((r) => r.code)).to.deep.equal([...copies.map(() => 18), 0])
    expect(stored()!.cpu).to.equal(1_000)
  })

  it('has one form: no memo, no other encoding, nothing beside it', async () => {
    const good = submission()
    const others = [
      copyOf(good, (body) => {
        body.memo = 'x'
      }),
      copyOf(good, (body) => {
        body.messages = [...body.messages, ...body.messages]
      }),
      copyOf(good, (body) => {
        const [any] = body.messages
        // A field that the codec passes over where it is empty.
        body.messages = [{ ...any!, value: Uint8Array.from([...any!.value, 0x18, 0x00]) }]
      }),
      copyOf(good, (_, auth) => {
        auth.fee!.payer = user('alice').text
      }),
      telemetryTx(node.toUpperCase(), ...partsOf(good)),
    ]
    for (const other of others) expect((await chain.check(other)).code).not.to.equal(0)
    expect(chain.check(good).code).to.equal(0)
  })

  it('cannot be sent again, nor one that is older', async () => {
    const good = submission()
    const older = submission(-1n)
    const { txResults } = await chain.block(good, good, older)
    expect(txResults.map((r) => `${r.codespace}/${r.code}`)).to.deep.equal([
      '/0',
      'classifier/5',
      'classifier/5',
    ])
    expect((await chain.block(good)).txResults[0]).to.include({ code: 5, codespace: 'classifier' })
  })

  it('with a bad signature is in no block: thousands of them filled one at no cost', async () => {
    const bad = submission(0n, { sign: false })
    expect(chain.check(bad)).to.include({ code: 3, codespace: 'classifier' })
    expect(await judge(bad)).to.equal(Status.REJECT)
    expect(propose(bad, submission())).to.have.length(1)
    // Where it is decided all the same, nothing comes of it.
    const { txResults } = await chain.block(bad, submission())
    expect(txResults.map((r) => r.code)).to.deep.equal([3, 0])
  })

  it('is in a block as often as the chain lets it, by whoever proposes', async () => {
    const many = [0n, 1n, 2n, 3n, 4n].map((afterMs) => submission(afterMs))
    expect(await judge(...many.slice(0, MAX_AGENT_TXS))).to.equal(Status.ACCEPT)
    expect(await judge(...many)).to.equal(Status.REJECT)
    expect(await judge(many[1]!, many[0]!)).to.equal(Status.REJECT)
    expect(propose(...many)).to.deep.equal(many.slice(0, MAX_AGENT_TXS))
  })
})
