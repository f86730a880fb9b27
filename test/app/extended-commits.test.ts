import { expect } from 'chai'
import {
  type ExtendedVoteInfo,
  RequestPrepareProposal,
  RequestProcessProposal,
  ResponseProcessProposal_ProposalStatus as Status,
} from 'cosmjs-types/tendermint/abci/types'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import { concatBytes, fromHex } from '../../core/bytes.ts'
import { extensionSignBytes } from '../../daemon/app/extended-commit.ts'
import { signEd25519 } from '../../daemon/comet/keys.ts'
import { ExtendedCommit } from '../../proto/gen/fornax/abci/v1/abci.ts'
import { CHAIN_ID, consensusKey, TestChain } from '../kit/app/chain.ts'

const names = ['anna', 'bert', 'carl', 'dora']
const extension = fromHex(`01${'00'.repeat(16)}${'0000'.repeat(4)}`)

function vote(name: string, height: bigint): ExtendedVoteInfo {
  const key = consensusKey(name)
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
    const txs = [concatBytes(Uint8Array.of(0, 1), ExtendedCommit.encode(changed).finish())]
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
    commit = ExtendedCommit.decode(txs[0]!.subarray(2))
  })
  after(() => chain.stop())

  it('is accepted as the proposer makes it, each time again', async () => {
    expect(await judge(commit)).to.equal(Status.ACCEPT)
    expect(await judge(commit)).to.equal(Status.ACCEPT)
  })

  const forged = (
    change: (votes: { extension: number; signature: Uint8Array }[]) => void,
  ): ExtendedCommit => {
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
    other.extensions[0] = extension.map((byte, i) => (i === 20 ? byte ^ 1 : byte))
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

  it('is refused where it passes on too little of the power', async () => {
    const few = forged((all) => {
      for (const i of [2, 3]) all[i] = { extension: 0, signature: new Uint8Array(0) }
    })
    expect(await judge(few)).to.equal(Status.REJECT)
  })
})
