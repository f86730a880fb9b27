import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  type ExtendedVoteInfo,
  MisbehaviorType,
  RequestExtendVote,
  RequestFinalizeBlock,
  RequestPrepareProposal,
  RequestProcessProposal,
  RequestVerifyVoteExtension,
  ResponseProcessProposal_ProposalStatus as Status,
  ResponseVerifyVoteExtension_VerifyStatus as VerifyStatus,
} from 'cosmjs-types/tendermint/abci/types'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import { formatAddress, VALIDATOR_PREFIX } from '../../../core/address.ts'
import { sha256, toBase64, toHex, utf8 } from '../../../core/bytes.ts'
import { timestampOf } from '../../../core/time.ts'
import { packAny } from '../../../core/wire/registry.ts'
import { extensionSignBytes } from '../../../daemon/app/extended-commit.ts'
import { Classifier } from '../../../daemon/classifier/classifier.ts'
import { ownModelHash, ownModels } from '../../../daemon/classifier/model-files.ts'
import { type CometKey, cometKey, signEd25519 } from '../../../daemon/comet/keys.ts'
import { OwnTelemetry } from '../../../daemon/validator/own-telemetry.ts'
import * as agents from '../../../modules/agents/api.ts'
import { lastDecisions } from '../../../modules/agents/api.ts'
import { joinVoteExtension, splitVoteExtension } from '../../../modules/classifier/api.ts'
import { modules } from '../../../modules/index.ts'
import * as slashing from '../../../modules/slashing/api.ts'
import * as staking from '../../../modules/staking/api.ts'
import { CHAIN_ID, consensusAddress, consensusKey, quietLog, TestChain, user } from '../app/chain.ts'
import { type Random, randomness } from '../random.ts'
import {
  DISHONEST,
  EQUIVOCATION,
  FAMILIES,
  type Family,
  isAway,
  isSpeechless,
  reportOf,
  TALKERS,
  telemetryOf,
} from './families.ts'
import { type Member, Rotation } from './rotation.ts'

const names = Object.keys(FAMILIES)
const byAddress = new Map(names.map((name) => [toHex(consensusAddress(name)), name]))
const keys = new Map(names.map((name): [string, CometKey] => [name, consensusKey(name)]))
const agentKeys = new Map(
  names.map((name): [string, CometKey] => [name, cometKey(sha256(utf8(`agent of ${name}`)))]),
)
const operatorOf = (name: string): string => formatAddress(user(name).address, VALIDATOR_PREFIX)
const nameOf = ({ address }: Member): string => byAddress.get(toHex(address))!

/** What has come of a soak so far. */
export interface Tally {
  blocks: number
  degraded: number
  /** Rounds that had no proposal. */
  skippedRounds: number
  unjailed: number
  /** Submissions of telemetry. */
  told: number
  /** Most validators out of the set at once. */
  mostOut: number
  /** How often each penalty was decided, by family. */
  readonly penalties: Map<string, number>
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** The real App with 20 validators of several families: every vote, extension and proposal is signed and checked. */
export class Soak {
  readonly tally: Tally = {
    blocks: 0,
    degraded: 0,
    skippedRounds: 0,
    unjailed: 0,
    told: 0,
    mostOut: 0,
    penalties: new Map(),
  }
  readonly #chain: TestChain
  readonly #random: Random
  readonly #rotation = new Rotation(names.map((name) => ({ address: consensusAddress(name), power: 100n })))
  #height = 0n
  #votes: ExtendedVoteInfo[] = []
  #round = 0

  private constructor(chain: TestChain, seed: number) {
    this.#chain = chain
    this.#random = randomness(seed)
  }

  static async start(seed: number): Promise<Soak> {
    const chain = await TestChain.start({
      validators: names,
      coldTwin: false,
      reporter: new Classifier({ folders: [ownModels], log: quietLog }),
      voteExtensions: true,
      appState: {
        classifier: {
          params: { agreement_tolerance: 200, max_agent_txs: 8, max_clock_drift: 60 },
          agent_keys: names.map((name) => ({
            validator: operatorOf(name),
            pub_key: toBase64(agentKeys.get(name)!.publicKey),
          })),
          model: { sha256: toBase64(ownModelHash()!), activation_height: '0' },
        },
      },
    })
    return new Soak(chain, seed)
  }

  stop(): Promise<void> {
    return this.#chain.stop()
  }

  /** A height: what CometBFT asks of a node that is neither away nor dishonest, up to the commit. */
  async block(): Promise<void> {
    const { app, state } = this.#chain
    const height = ++this.#height
    const away = new Map(names.map((name) => [name, isAway(FAMILIES[name]!, height, this.#random)]))
    const [proposer, round] = this.#rotation.proposer(height, (member) => away.get(nameOf(member))!)
    this.tally.skippedRounds += round
    const lastCommit = {
      round: this.#round,
      votes: this.#votes.map(({ validator, blockIdFlag }) => ({ validator, blockIdFlag })),
    }
    const time = timestampOf(this.#chain.timeOf(height))
    const { txs } = app.prepareProposal(
      RequestPrepareProposal.fromPartial({
        height,
        time,
        maxTxBytes: 4_000_000n,
        localLastCommit: { round: this.#round, votes: this.#votes },
        txs: this.#transactions(),
      }),
    )
    const proposal = RequestProcessProposal.fromPartial({ txs, height, time, proposedLastCommit: lastCommit })
    const { status } = await app.processProposal(proposal)
    if (status !== Status.ACCEPT) throw new Error('a proposal was refused')
    const { voteExtension } = await app.extendVote(RequestExtendVote.fromPartial({ height }))
    const { report } = splitVoteExtension(voteExtension)!
    const next = this.#rotation
      .at(height)
      .map((member) => this.#vote(member, height, round, report, away.get(nameOf(member))!))
    const answer = await app.finalizeBlock(
      RequestFinalizeBlock.fromPartial({
        ...this.#chain.blockRequest(height, []),
        txs,
        proposerAddress: proposer.address,
        decidedLastCommit: lastCommit,
        misbehavior: this.#misbehavior(height),
      }),
    )
    if (state.pending?.degraded !== undefined) this.tally.degraded++
    await app.commit()
    this.#chain.height = height
    this.#rotation.apply(height, answer.validatorUpdates)
    this.#votes = next
    this.#round = round
    this.#note()
    for (const { code, log } of answer.txResults)
      if (code !== 0) throw new Error(`a transaction failed: ${log}`)
    this.tally.blocks++
    this.tally.mostOut = Math.max(this.tally.mostOut, names.length - this.#rotation.at(height).length)
  }

  #vote(
    validator: Member,
    height: bigint,
    round: number,
    report: Uint8Array,
    isAbsent: boolean,
  ): ExtendedVoteInfo {
    const none = new Uint8Array(0)
    if (isAbsent)
      return {
        validator,
        voteExtension: none,
        extensionSignature: none,
        blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_ABSENT,
      }
    const name = nameOf(validator)
    const voteExtension = isSpeechless(names.indexOf(name), height)
      ? none
      : joinVoteExtension({
          report: reportOf(FAMILIES[name]!, height, report),
          telemetry: this.#telemetry(name, height),
        })
    const { status } = this.#chain.app.verifyVoteExtension(
      RequestVerifyVoteExtension.fromPartial({ height, validatorAddress: validator.address, voteExtension }),
    )
    if (status !== VerifyStatus.ACCEPT) throw new Error(`the extension of ${name} was refused`)
    const bytes = extensionSignBytes(CHAIN_ID, height, round, voteExtension)
    return {
      validator,
      voteExtension,
      extensionSignature: signEd25519(keys.get(name)!, bytes),
      blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
    }
  }

  #misbehavior(height: bigint) {
    if (height !== EQUIVOCATION) return []
    const at = height - 2n
    const set = this.#rotation.at(at)
    return names.flatMap((name) => {
      const validator = set.find((member) => nameOf(member) === name)
      if (FAMILIES[name] !== 'equivocator' || validator === undefined) return []
      return {
        type: MisbehaviorType.DUPLICATE_VOTE,
        validator,
        height: at,
        time: timestampOf(this.#chain.timeOf(at)),
        totalVotingPower: set.reduce((sum, { power }) => sum + power, 0n),
      }
    })
  }

  /** A transfer, and a way back for every validator whose time in jail is up. */
  #transactions(): Uint8Array[] {
    const chain = this.#chain
    const txs = [chain.send('alice', 'bob', 1n)]
    // What a withheld block holds is in no committed state.
    if (chain.store.height === 0 || chain.state.workingHeight !== chain.store.height) return txs
    const ctx = chain.state.view('committed')
    for (const name of names) {
      const operator = chain.user(name).address
      const v = staking.validator(ctx, operator)
      const info = slashing.signingInfo(ctx, operator)
      if (!v?.jailed || info === undefined || info.tombstoned) continue
      if (info.jailedUntil.seconds >= ctx.timeNs / 1_000_000_000n) continue
      const message = packAny('cosmos.slashing.v1beta1.MsgUnjail', {
        validatorAddr: operatorOf(name),
      })
      txs.push(chain.sign(name, { messages: [message] }))
      this.tally.unjailed++
    }
    return txs
  }

  /** What a validator's vote tells of its host. */
  #telemetry(name: string, height: bigint): Uint8Array {
    const told = telemetryOf(FAMILIES[name]!, names.indexOf(name), height, this.#random)
    const own = new OwnTelemetry()
    if (told !== undefined) {
      own.sample(told)
      this.tally.told++
    }
    return own.forVote(height)
  }

  #note(): void {
    for (const { node, penalty, reason } of lastDecisions(this.#chain.state.view('working')).decisions) {
      const family = this.#family(node)
      if (TALKERS.has(family) && penalty !== 'Moderate')
        throw new Error(`${family} came to ${penalty} for ${reason}`)
      const key = `${family}: ${penalty}, ${reason}`
      this.tally.penalties.set(key, (this.tally.penalties.get(key) ?? 0) + 1)
    }
  }

  #family(operator: string): Family {
    return FAMILIES[names.find((name) => operatorOf(name) === operator)!]!
  }

  /** Names of those banned. Throws where an honest one is among them, or an invariant is broken. */
  check(): string[] {
    const { state, store } = this.#chain
    const ctx = state.view('committed')
    for (const module of modules)
      for (const [name, broken] of Object.entries(module.invariants)) {
        const what = broken(ctx)
        if (what !== undefined)
          throw new Error(`height ${store.height}: ${module.name}/${name} is broken: ${what}`)
      }
    const banned = names.filter((name) => agents.banOf(ctx, this.#chain.user(name).address) !== undefined)
    for (const name of banned)
      if (!DISHONEST.has(FAMILIES[name]!)) throw new Error(`height ${store.height}: ${name} was banned`)
    return banned
  }

  /** Bytes in use after everything that can go is gone: objects and buffers. */
  memory(): number {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
}
