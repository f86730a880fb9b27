import { decodeTxRaw } from '@cosmjs/proto-signing'
import { expect } from 'chai'
import {
  type ExtendedVoteInfo,
  RequestPrepareProposal,
  RequestProcessProposal,
  ResponseProcessProposal_ProposalStatus as Status,
} from 'cosmjs-types/tendermint/abci/types'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import { concatBytes, fromHex } from '../../core/bytes.ts'
import {
  encodeExtendedCommit,
  extensionSignBytes,
  extensionsOf,
  faultOfExtendedCommit,
} from '../../daemon/app/extended-commit.ts'
import { signEd25519 } from '../../daemon/comet/keys.ts'
import { encodeVoteTelemetry, joinVoteExtension } from '../../modules/classifier/api.ts'
import { ExtendedCommit, ExtendedVote } from '../../proto/gen/fornax/abci/v1/abci.ts'
import { CHAIN_ID, consensusKey, TestChain } from '../kit/app/chain.ts'

const names = ['anna', 'bert', 'carl', 'dora']
const report = fromHex(`01${'00'.repeat(16)}${'0000'.repeat(4)}`)
const telemetry = encodeVoteTelemetry({ cpu: 100, latencyUs: 2_000, connections: 3, netContrib: 4_000n })

function vote(name: string, height: bigint): ExtendedVoteInfo {
  const key = consensusKey(name)
  // Two tell of their hosts.
  const extension = joinVoteExtension({ report, telemetry: name < 'c' ? telemetry : new Uint8Array(0) })
  return {
    validator: { address: key.address, power: 100n },
    voteExtension: extension,
    extensionSignature: signEd25519(key, extensionSignBytes(CHAIN_ID, height, 0, extension)),
    blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
  }
}

describe('A proposal’s extended commit', () => {
  let chain: TestChain
  let votes: ExtendedVoteInfo[]
  let commit: ExtendedCommit

  const judge = async (changed: ExtendedCommit): Promise<Status> => {
    const txs = [encodeExtendedCommit(changed)]
    const proposedLastCommit = {
      round: 0,
      votes: votes.map(({ validator, blockIdFlag }) => ({ validator, blockIdFlag })),
    }
    const proposal = RequestProcessProposal.fromPartial({ txs, height: 2n, proposedLastCommit })
    return (await chain.app.processProposal(proposal)).status
  }

  before(async () => {
    chain = await TestChain.start({ validators: names, voteExtensions: true })
    await chain.block()
    votes = names.map((name) => vote(name, 1n))
    const localLastCommit = { round: 0, votes }
    const { txs } = chain.app.prepareProposal(
      RequestPrepareProposal.fromPartial({ height: 2n, maxTxBytes: 1_000_000n, localLastCommit }),
    )
    const [message] = decodeTxRaw(txs[0]!).body.messages
    expect(message!.typeUrl).to.equal('/fornax.abci.v1.ExtendedCommit')
    commit = ExtendedCommit.decode(message!.value)
  })
  after(() => chain.stop())

  it('is accepted as the proposer makes it, each time again', async () => {
    expect(await judge(commit)).to.equal(Status.ACCEPT)
    expect(await judge(commit)).to.equal(Status.ACCEPT)
  })

  const forged = (change: (votes: ExtendedCommit['votes']) => void): ExtendedCommit => {
    const copy = ExtendedCommit.decode(ExtendedCommit.encode(commit).finish())
    change(copy.votes)
    return copy
  }

  it('is refused with a signature that is right in another place', async () => {
    const swapped = forged((all) => {
      const [a, b] = [all[0]!.signature, all[1]!.signature]
      all[0]!.signature = b
      all[1]!.signature = a
    })
    expect(await judge(swapped)).to.equal(Status.REJECT)
  })

  it('is refused with a signature that was made for another extension', async () => {
    const other = forged(() => {})
    other.reports[0] = report.map((byte, i) => (i === 20 ? byte ^ 1 : byte))
    expect(await judge(other)).to.equal(Status.REJECT)
  })

  it('is refused with a signature of another length, or none', async () => {
    const padded = forged((all) => {
      all[2]!.signature = concatBytes(all[2]!.signature, Uint8Array.of(0))
    })
    const none = forged((all) => {
      all[2]!.signature = new Uint8Array(0)
    })
    expect([await judge(padded), await judge(none)]).to.deep.equal([Status.REJECT, Status.REJECT])
  })

  it('carries each report once, and what each validator tells of its host', () => {
    expect(commit.reports).to.deep.equal([report])
    const places = commit.votes.map(({ report, telemetry }) => [report, telemetry.length])
    expect(places.sort()).to.deep.equal([
      [1, 0],
      [1, 0],
      [1, 18],
      [1, 18],
    ])
  })

  it('is refused with telemetry that is another’s, changed, taken away, or beside no report', async () => {
    const teller = commit.votes.findIndex(({ telemetry }) => telemetry.length > 0)
    const told = (change: (vote: ExtendedCommit['votes'][number]) => void): ExtendedCommit =>
      forged((all) => change(all[teller]!))
    const changed = [
      told((vote) => {
        vote.telemetry = vote.telemetry.map((byte, i) => (i === 5 ? byte ^ 1 : byte))
      }),
      told((vote) => {
        vote.telemetry = new Uint8Array(0)
      }),
      told((vote) => {
        vote.telemetry = concatBytes(vote.telemetry, Uint8Array.of(0))
      }),
      told((vote) => {
        vote.report = 0
        vote.signature = new Uint8Array(0)
      }),
      forged((all) => {
        for (const vote of all) vote.telemetry = telemetry
      }),
    ]
    for (const [i, one] of changed.entries()) expect(await judge(one), `${i}`).to.equal(Status.REJECT)
  })

  it('is no transaction that anybody could send', async () => {
    const { code, log } = await chain.check(encodeExtendedCommit(commit))
    expect(code).to.equal(2)
    expect(log).to.include('unable to resolve type URL /fornax.abci.v1.ExtendedCommit')
    const request = RequestProcessProposal.fromPartial({
      txs: [encodeExtendedCommit(commit), encodeExtendedCommit(commit)],
      height: 2n,
      proposedLastCommit: {
        round: 0,
        votes: votes.map(({ validator, blockIdFlag }) => ({ validator, blockIdFlag })),
      },
    })
    expect((await chain.app.processProposal(request)).status).to.equal(Status.REJECT)
  })

  it('is refused where it passes on too little of the power', async () => {
    const few = forged((all) => {
      for (const i of [2, 3])
        all[i] = { report: 0, telemetry: new Uint8Array(0), signature: new Uint8Array(0) }
    })
    expect(await judge(few)).to.equal(Status.REJECT)
  })

  it('is refused unread where it is longer than its votes can make it', async () => {
    const last = { round: 0, votes: votes.map(({ validator, blockIdFlag }) => ({ validator, blockIdFlag })) }
    const fault = (changed: ExtendedCommit) =>
      faultOfExtendedCommit(chain.state, 2n, encodeExtendedCommit(changed), last)
    const empty = ExtendedVote.fromPartial({})
    expect(fault({ ...commit, votes: Array.from({ length: 2_000 }, () => empty) })).to.equal('it is too long')
    expect(fault({ ...commit, votes: [...commit.votes, empty] })).to.equal('it has another number of votes')
  })

  it('is long enough where each validator’s extension is one of its own, and as long as it can be', async () => {
    const scores = new Uint8Array(480)
    const own = names.map((name, i) => {
      const longest = fromHex(`01${`0${i}`.repeat(16)}`)
      const extension = joinVoteExtension({ report: concatBytes(longest, scores), telemetry })
      const key = consensusKey(name)
      const extensionSignature = signEd25519(key, extensionSignBytes(CHAIN_ID, 1n, 0, extension))
      return { ...vote(name, 1n), voteExtension: extension, extensionSignature }
    })
    const { txs } = chain.app.prepareProposal(
      RequestPrepareProposal.fromPartial({
        height: 2n,
        maxTxBytes: 1_000_000n,
        localLastCommit: { round: 0, votes: own },
      }),
    )
    const last = { round: 0, votes: own.map(({ validator, blockIdFlag }) => ({ validator, blockIdFlag })) }
    expect(faultOfExtendedCommit(chain.state, 2n, txs[0], last)).to.equal(undefined)
    expect(extensionsOf(txs[0], own.length).map((extension) => extension?.report.length)).to.deep.equal([
      497, 497, 497, 497,
    ])
  })
})
