import * as noble from '@noble/ed25519'
import {
  type ExtendedVoteInfo,
  RequestExtendVote,
  RequestFinalizeBlock,
  RequestPrepareProposal,
  RequestProcessProposal,
  RequestVerifyVoteExtension,
  ResponseProcessProposal_ProposalStatus as Status,
} from 'cosmjs-types/tendermint/abci/types'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { compareBytes, toBase64, toHex } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import type { Module } from '../../core/module.ts'
import type { Reporter } from '../../daemon/app/chain.ts'
import { extensionSignBytes } from '../../daemon/app/extended-commit.ts'
import { Classifier } from '../../daemon/classifier/classifier.ts'
import { ownModelHash, ownModels } from '../../daemon/classifier/model-files.ts'
import { signEd25519 } from '../../daemon/comet/keys.ts'
import {
  encodeVoteTelemetry,
  type FeatureRow,
  featuresOf,
  joinVoteExtension,
} from '../../modules/classifier/api.ts'
import { modules as allModules } from '../../modules/index.ts'
import { CHAIN_ID, consensusKey, quietLog, TestChain, user } from '../../test/kit/app/chain.ts'
import { packedExtendedCommit } from '../../test/kit/app/extended-commit.ts'
import { forwardPass } from '../../test/kit/classifier/forward-pass.ts'

/**
 * What a validator computes for a block beside its transactions, on one core: the others' vote extensions, the
 * proposal's extended commit, the classifier's records and judgement, the agents, its own features and inference.
 */
const VALIDATORS = Number(process.env['VALIDATORS'] ?? 175)
const BLOCKS = Number(process.env['BLOCKS'] ?? 150)
const WARM_UP = 30
const TARGET_MS = 60

const PARTS = [
  'verify the extensions of the others',
  'process the proposal',
  'records and judgement (classifier)',
  'agents, begin block',
  'agents, end block',
  'features and inference',
] as const
/** Outside of the target. */
const OTHERS = [
  'prepare the proposal',
  'process the own proposal',
  'FinalizeBlock, the rest',
  'Commit',
] as const
type Part = (typeof PARTS)[number] | (typeof OTHERS)[number] | 'noble' | 'plain'

const times = new Map<Part, number[]>()
let spent = new Map<Part, number>()
const add = (part: Part, ms: number): void => void spent.set(part, (spent.get(part) ?? 0) + ms)

/** Milliseconds of processor time of all threads, which neighbours on the machine hardly change. */
function now(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function timed<T>(part: Part, run: () => T | Promise<T>): Promise<T> {
  const started = now()
  const result = await run()
  add(part, now() - started)
  return result
}

function endBlock(counts: boolean): void {
  if (counts) for (const [part, ms] of spent) times.set(part, [...(times.get(part) ?? []), ms])
  spent = new Map()
}

const median = (part: Part): number => {
  const values = [...(times.get(part) ?? [])].sort((a, b) => a - b)
  return values[values.length >> 1] ?? 0
}

const within = (part: Part, run: ((ctx: Context) => unknown) | undefined) =>
  run && ((ctx: Context) => timed(part, () => run(ctx)) as Promise<void>)

const modules = allModules.map((module): Module => {
  if (module.name === 'classifier')
    return { ...module, beginBlock: within('records and judgement (classifier)', module.beginBlock)! }
  if (module.name !== 'agents') return module
  return {
    ...module,
    beginBlock: within('agents, begin block', module.beginBlock)!,
    endBlock: within('agents, end block', module.endBlock)!,
  }
})

let rows: readonly FeatureRow[] = []
const classifier = new Classifier({ folders: [ownModels], log: quietLog })
const reporter: Reporter = {
  async report(ctx) {
    const extension = await timed('features and inference', () => classifier.report(ctx))
    rows = featuresOf(ctx)
    return extension
  },
}

const validators = Array.from({ length: VALIDATORS }, (_, i) => `validator ${i}`).map((name) => {
  const key = consensusKey(name)
  return { name, validator: { address: key.address, power: 100n }, publicKey: key.publicKey, key }
})

const chain = await TestChain.start({
  validators: validators.map(({ name }) => name),
  users: [],
  modules,
  reporter,
  voteExtensions: true,
  maxGas: -1n,
  appState: {
    staking: {
      params: {
        unbonding_time: '1814400s',
        max_validators: VALIDATORS,
        max_entries: 7,
        historical_entries: 10_000,
        bond_denom: 'afrx',
        min_commission_rate: '0.000000000000000000',
      },
    },
    classifier: {
      params: { agreement_tolerance: 200, max_agent_txs: 8, max_clock_drift: 60 },
      model: { sha256: toBase64(ownModelHash()!), activation_height: '0' },
      metrics: validators.map(({ name }, i) => ({
        validator: formatAddress(user(name).address, VALIDATOR_PREFIX),
        metrics: {
          cpu: 2_000 + ((i * 37) % 4_000),
          latency_us: 40_000 + i * 700,
          connections: 20 + (i % 30),
          net_contrib: String(1_000 + i * 11),
          height: '0',
          timestamp_ms: '0',
        },
      })),
    },
  },
})
const { app } = chain
const set = [...validators].sort((a, b) => compareBytes(a.validator.address, b.validator.address))

/** Who voted, and with what: a few miss each block, a few report other scores. */
function votesOf(height: bigint, report: Uint8Array): ExtendedVoteInfo[] {
  const turn = Number(height)
  return set.map(({ validator, key }, i): ExtendedVoteInfo => {
    const isAbsent = (i * 31 + turn * 17) % 50 === 0
    const strays = (i * 13 + turn * 7) % 60 === 0 && report.length > 20
    const said = strays ? report.slice() : report
    if (strays) said[said.length - 1]! ^= 1
    const telemetry = encodeVoteTelemetry({ cpu: i, latencyUs: turn, connections: 50, netContrib: 1_000n })
    const own = joinVoteExtension({ report: said, telemetry })
    const bytes = extensionSignBytes(CHAIN_ID, height, 0, own)
    return {
      validator,
      voteExtension: isAbsent ? new Uint8Array(0) : own,
      extensionSignature: isAbsent ? new Uint8Array(0) : signEd25519(key, bytes),
      blockIdFlag: isAbsent ? BlockIDFlag.BLOCK_ID_FLAG_ABSENT : BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
    }
  })
}

/** The same signatures by @noble/ed25519 alone, and the same rows through the forward pass in plain TypeScript. */
function baseline(height: bigint, votes: readonly ExtendedVoteInfo[]): void {
  let started = now()
  for (const [i, { voteExtension, extensionSignature, blockIdFlag }] of votes.entries())
    if (blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT) {
      const bytes = extensionSignBytes(CHAIN_ID, height, 0, voteExtension)
      if (!noble.verify(extensionSignature, bytes, set[i]!.publicKey)) throw new Error('a signature fails')
    }
  add('noble', now() - started)
  started = now()
  for (const row of rows) forwardPass(row)
  add('plain', now() - started)
}

let votes: ExtendedVoteInfo[] = []
for (let height = 1n; height <= BigInt(BLOCKS); height++) {
  const counts = height > WARM_UP
  const lastCommit = {
    round: 0,
    votes: votes.map(({ validator, blockIdFlag }) => ({ validator, blockIdFlag })),
  }
  const proposes = height % 5n === 0n
  let txs = height > 1n ? [packedExtendedCommit(votes)] : []
  if (proposes) {
    const localLastCommit = { round: 0, votes }
    const request = RequestPrepareProposal.fromPartial({ height, maxTxBytes: 4_000_000n, localLastCommit })
    ;({ txs } = await timed('prepare the proposal', () => app.prepareProposal(request)))
    if (compareBytes(txs[0]!, packedExtendedCommit(votes)) !== 0) throw new Error('the proposal is another')
  }
  const proposal = RequestProcessProposal.fromPartial({ txs, height, proposedLastCommit: lastCommit })
  const { status } = await timed(proposes ? 'process the own proposal' : 'process the proposal', () =>
    app.processProposal(proposal),
  )
  if (status !== Status.ACCEPT) throw new Error(`the proposal of ${height} was refused`)
  const { voteExtension } = await app.extendVote(RequestExtendVote.fromPartial({ height }))
  const next = votesOf(height, voteExtension)
  const requests = next
    .slice(1)
    .map(({ validator, voteExtension }) =>
      RequestVerifyVoteExtension.fromPartial({ height, validatorAddress: validator.address, voteExtension }),
    )
  await timed('verify the extensions of the others', () => {
    for (const request of requests) app.verifyVoteExtension(request)
  })
  if (counts && height % 10n === 0n) baseline(height, next)
  const request = RequestFinalizeBlock.fromPartial({
    ...chain.blockRequest(height, []),
    txs,
    proposerAddress: set[Number(height) % VALIDATORS]!.validator.address,
    decidedLastCommit: lastCommit,
  })
  const inside = [
    'records and judgement (classifier)',
    'agents, begin block',
    'agents, end block',
    'features and inference',
  ] as const
  const started = now()
  const answer = await app.finalizeBlock(request)
  const took = now() - started
  add('FinalizeBlock, the rest', took - inside.reduce((sum, part) => sum + (spent.get(part) ?? 0), 0))
  if (answer.validatorUpdates.length > 0) throw new Error('the set of validators changed')
  await timed('Commit', () => app.commit())
  votes = next
  endBlock(counts)
}
const appHash = toHex(chain.state.store.appHash)
await chain.stop()

const line = (part: Part): void => console.log(`  ${median(part).toFixed(2).padStart(7)} ms  ${part}`)
console.log(`agents: ${VALIDATORS} validators, medians of ${BLOCKS - WARM_UP} blocks, processor time`)
for (const part of PARTS) line(part)
const total = PARTS.reduce((sum, part) => sum + median(part), 0)
console.log(`  ${total.toFixed(2).padStart(7)} ms  in total, target ${TARGET_MS} ms; beside it`)
for (const part of OTHERS) line(part)
console.log(
  `@noble/ed25519 alone: ${median('noble').toFixed(2)} ms for the signatures, ${(median('noble') / median('process the proposal')).toFixed(1)} times the whole of processing the proposal`,
)
console.log(
  `forward pass in plain TypeScript: ${median('plain').toFixed(2)} ms, ${(median('plain') / median('features and inference')).toFixed(1)} times features and inference together`,
)
// What makes it faster must leave this as it is.
console.log(`app hash of the last block: ${appHash}`)
process.exitCode = total > TARGET_MS ? 1 : 0
