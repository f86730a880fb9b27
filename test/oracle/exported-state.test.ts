import { expect } from 'chai'
import { newGenesis } from '../../genesis/document.ts'
import { exportedDocument } from '../../genesis/exported.ts'
import { CHAIN_ID } from '../kit/app/chain.ts'
import { startFornax } from '../kit/oracle/fornax.ts'
import { importedState, type Origin } from '../kit/oracle/genesis.ts'
import {
  delegate,
  deposit,
  fundCommunityPool,
  redelegate,
  send,
  setWithdrawAddress,
  submitProposal,
  undelegate,
  unjail,
  vote,
  weightedVote,
  withdraw,
  withdrawCommission,
} from '../kit/oracle/messages.ts'
import {
  advance,
  blocks,
  DAY,
  does,
  equivocate,
  fails,
  play,
  SECOND,
  together,
} from '../kit/oracle/scenario.ts'
import { sdkModules } from '../kit/oracle/sdk-modules.ts'
import { startExportableSimd, startSimd } from '../kit/oracle/simd.ts'
import { fourValidators, scenario } from '../kit/oracle/suite.ts'
import { Twins } from '../kit/oracle/twins.ts'

const fees = does(send('dave', 'erin', 1n, 7_654_321n))

/** State of every kind: stake on the move, rewards, a jailed and a tombstoned validator, proposals of all stages. */
const before = [
  does(delegate('alice', 'val3', 3_000_001n)),
  does(delegate('bob', 'val2', 999n)),
  does(delegate('carol', 'val4', 7_000_003n)),
  does(setWithdrawAddress('alice', 'frank')),
  does(fundCommunityPool('bob', 12_345n)),
  fees,
  does(undelegate('alice', 'val3', 1_000_000n)),
  does(redelegate('alice', 'val3', 'val2', 1_000_000n)),
  fees,
  does(submitProposal('alice', { deposit: 10_000_000n })),
  does(vote('val2', 1n, 'yes')),
  advance(2n * DAY),
  does(submitProposal('bob', { deposit: 10_000_000n })),
  does(vote('val4', 2n, 'no')),
  does(submitProposal('bob', { deposit: 1_000_000n })),
  blocks(13, { absent: ['val3'] }),
  equivocate('val1', { blocksAgo: 2 }),
  does(undelegate('alice', 'val3', 77n)),
  // simd exports with a context of height 0, at which stake of the genesis has no rewards: theirs are taken before.
  together(...Object.keys(fourValidators.validators).map((name) => withdraw(name, name))),
  fees,
  fees,
]

const EXPORTED = ['bank', 'distribution', 'staking', 'slashing', 'evidence', 'gov']

/** Nothing begins to unbond: the SDK numbers that from 1 again, as if nothing were unbonding; we go on. */
const after = [
  fees,
  does(withdraw('alice', 'val3')),
  does(withdraw('carol', 'val4')),
  does(withdrawCommission('val4')),
  fails('slashing/4', unjail('val3')),
  fails('slashing/4', unjail('val1')),
  does(vote('val2', 2n, 'yes')),
  does(weightedVote('alice', 2n, { yes: '0.25', abstain: '0.75' })),
  does(deposit('carol', 3n, 5_000_000n)),
  does(delegate('erin', 'val2', 5n)),
  fees,
  advance(600n * SECOND),
  does(unjail('val3')),
  blocks(5, { absent: ['val2'] }),
  advance(2n * DAY),
  advance(21n * DAY),
  fees,
  does(withdraw('alice', 'val2')),
]

/** Plays on both chains, compares what they export, and begins two new chains with ours. */
async function playOn(forZeroHeight: boolean): Promise<void> {
  const [left, right] = [await startExportableSimd(), await startFornax('sdk')]
  const first = await Twins.start(fourValidators, [async () => left, async () => right])
  let origin: Origin
  try {
    await play(first, before)
    const document = exportedDocument(
      right.state.view('committed', Number(first.height)),
      sdkModules,
      newGenesis({ chainId: CHAIN_ID, modules: sdkModules }),
      { forZeroHeight },
    )
    const { genutil: _g, fornax: _f, ...state } = document.app_state
    const simd = await left.exported(...(forZeroHeight ? ['--for-zero-height'] : []))
    const ours = importedState(left, state)
    for (const module of EXPORTED) expect(ours[module], module).to.deep.equal(simd.app_state[module])
    expect(document.validators).to.deep.equal(simd.consensus.validators)
    expect(document.initial_height).to.equal(String(simd.initial_height || 1))
    origin = {
      state,
      height: BigInt(document.initial_height) - 1n,
      timeNs: first.consensus.timeNs,
      proposals: first.proposals,
    }
  } finally {
    await first.stop()
  }
  const second = await Twins.start(fourValidators, [startSimd, () => startFornax('sdk')], origin)
  try {
    await play(second, after)
  } finally {
    await second.stop()
  }
}

describe('The exported state is that of the Cosmos SDK', () => {
  it('at the next height, and both chains go on with it alike', () => playOn(false))
  it('at height zero, and both chains begin with it alike', () => playOn(true))
})

/** One: the SDK takes the genesis transaction of account 0 alone where the first height is not 1. */
const { val1 } = fourValidators.validators

describe('A chain that begins at a later height', () => {
  scenario(
    'is that of the Cosmos SDK from its genesis transaction on',
    { ...fourValidators, validators: { val1: val1! }, candidates: [], initialHeight: 1000n },
    [
      fees,
      does(delegate('alice', 'val1', 3_000_001n)),
      fees,
      does(withdraw('val1', 'val1')),
      blocks(13, { absent: ['val1'] }),
      does(undelegate('alice', 'val1', 1_000_000n)),
      advance(21n * DAY),
    ],
  )
})
