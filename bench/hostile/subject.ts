import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import {
  type ExtendedVoteInfo,
  RequestExtendVote,
  RequestFinalizeBlock,
  RequestProcessProposal,
  type ResponseFinalizeBlock,
  ResponseProcessProposal_ProposalStatus as Status,
} from 'cosmjs-types/tendermint/abci/types'
import { BlockIDFlag } from 'cosmjs-types/tendermint/types/validator'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { compareBytes, toBase64 } from '../../core/bytes.ts'
import { MULTISIG_URL, parsePublicKey } from '../../core/crypto/public-key.ts'
import { secp256k1PublicKey } from '../../core/crypto/secp256k1.ts'
import { timestampOf } from '../../core/time.ts'
import { secp256k1Any } from '../../core/tx/build.ts'
import { packAny } from '../../core/wire/registry.ts'
import { extensionSignBytes } from '../../daemon/app/extended-commit.ts'
import { Classifier } from '../../daemon/classifier/classifier.ts'
import { ownModelHash, ownModels } from '../../daemon/classifier/model-files.ts'
import { signEd25519 } from '../../daemon/comet/keys.ts'
import {
  type BlockFields,
  CHAIN_ID,
  consensusKey,
  quietLog,
  TestChain,
  type User,
  user,
} from '../../test/kit/app/chain.ts'
import { packedExtendedCommit } from '../../test/kit/app/extended-commit.ts'
import type { Cast, Multisig } from './inputs.ts'
import { processorMs } from './processor.ts'

const VALIDATORS = 175
const USERS = 2_000
const MULTISIGS = 64
/** Denominations that the rich account has. */
export const DENOMS = 5_000

export interface PlayedBlock {
  readonly processMs: number
  readonly finalizeMs: number
  readonly commitMs: number
  readonly isAdmissible: boolean
  readonly answer: ResponseFinalizeBlock
}

function multisigOf(name: string, accountNumber: bigint): Multisig {
  const members = Array.from({ length: 7 }, (_, i) => user(`${name}, member ${i}`))
  const publicKeys = members.map((m) => secp256k1Any(secp256k1PublicKey(m.privateKey)))
  const key = packAny(MULTISIG_URL.slice(1), LegacyAminoPubKey.fromPartial({ threshold: 7, publicKeys }))
  const { address } = parsePublicKey(key)
  return { key, members, user: { ...user(name, accountNumber), address, text: formatAddress(address) } }
}

/** The whole application with a chain's worth of validators, whose blocks carry real extended commits. */
export class Subject implements Cast {
  readonly chain: TestChain
  readonly users: readonly User[]
  readonly validators: readonly User[]
  readonly multisigs: readonly Multisig[]
  readonly #set: readonly ReturnType<typeof signer>[]
  /** Extended votes on the last block. */
  votes: ExtendedVoteInfo[] = []

  private constructor(chain: TestChain, multisigs: readonly Multisig[]) {
    this.chain = chain
    this.multisigs = multisigs
    this.validators = chain.validators.map((name) => chain.user(name))
    this.users = [...chain.users.values()].filter(({ name }) => name.startsWith('user '))
    this.#set = chain.validators
      .map(signer)
      .sort((a, b) => compareBytes(a.validator.address, b.validator.address))
  }

  static async start(validatorCount = VALIDATORS, userCount = USERS): Promise<Subject> {
    const validators = Array.from({ length: validatorCount }, (_, i) => `validator ${i}`)
    const users = Array.from({ length: userCount }, (_, i) => `user ${i}`)
    const all = [...validators, ...users].map((name, i) => user(name, BigInt(i)))
    const multisigs = Array.from({ length: MULTISIGS }, (_, i) =>
      multisigOf(`multisig ${i}`, BigInt(all.length + i)),
    )
    const holders = [...all, ...multisigs.map((m) => m.user)]
    const chain = await TestChain.start({
      validators,
      users,
      coldTwin: false,
      voteExtensions: true,
      reporter: new Classifier({ folders: [ownModels], log: quietLog }),
      appState: {
        auth: {
          params: {
            max_memo_characters: '256',
            tx_sig_limit: '7',
            tx_size_cost_per_byte: '10',
            sig_verify_cost_ed25519: '590',
            sig_verify_cost_secp256k1: '1000',
          },
          accounts: holders.map((u) => ({
            '@type': '/cosmos.auth.v1beta1.BaseAccount',
            address: u.text,
            account_number: u.accountNumber.toString(),
          })),
        },
        bank: {
          params: { default_send_enabled: true },
          balances: holders.map(({ text, name }) => ({
            address: text,
            coins: [
              { denom: 'afrx', amount: `${10n ** 27n}` },
              ...(name === 'user 0'
                ? Array.from({ length: DENOMS }, (_, i) => ({
                    denom: `d${String(i).padStart(7, '0')}`,
                    amount: '1000000000',
                  }))
                : []),
            ],
          })),
        },
        staking: {
          params: {
            unbonding_time: '1814400s',
            max_validators: validatorCount,
            max_entries: 7,
            historical_entries: 10_000,
            bond_denom: 'afrx',
            min_commission_rate: '0.000000000000000000',
          },
        },
        classifier: {
          params: { agreement_tolerance: 200, max_agent_txs: 8, max_clock_drift: 60 },
          model: { sha256: toBase64(ownModelHash()!), activation_height: '0' },
          agent_keys: validators.map((name) => ({
            validator: formatAddress(user(name).address, VALIDATOR_PREFIX),
            pub_key: toBase64(agentKey(name).publicKey),
          })),
        },
      },
    })
    const subject = new Subject(chain, multisigs)
    await subject.play([])
    await subject.play([])
    return subject
  }

  /** Names of the validators in the order of their consensus addresses, which is that of votes. */
  get namesInOrder(): readonly string[] {
    return this.#set.map(({ name }) => name)
  }

  readonly nowMs = (): bigint => this.chain.timeOf(this.chain.height) / 1_000_000n + 1n

  /** The extended commit as another proposer packs it, which this node sees for the first time. */
  pack(votes: readonly ExtendedVoteInfo[] = this.votes): Uint8Array {
    return packedExtendedCommit(votes)
  }

  /** Everybody's vote for the next block, with this extension. */
  votesWith(extension: (place: number) => Uint8Array, height = this.chain.height): ExtendedVoteInfo[] {
    return this.#set.map(({ validator, key }, i) => {
      const voteExtension = extension(i)
      return {
        validator,
        voteExtension,
        extensionSignature: signEd25519(key, extensionSignBytes(CHAIN_ID, height, 0, voteExtension)),
        blockIdFlag: BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
      }
    })
  }

  get lastCommit() {
    return {
      round: 0,
      votes: this.votes.map(({ validator, blockIdFlag }) => ({ validator, blockIdFlag })),
    }
  }

  proposal(txs: readonly Uint8Array[], extended: Uint8Array = this.pack()): RequestProcessProposal {
    const height = this.chain.height + 1n
    return RequestProcessProposal.fromPartial({
      txs: height > 1n ? [extended, ...txs] : [...txs],
      height,
      time: timestampOf(this.chain.timeOf(height)),
      proposedLastCommit: this.lastCommit,
    })
  }

  /** Proposes, executes and commits a block of these transactions, whether or not the proposal would be accepted. */
  async play(txs: readonly Uint8Array[], fields: BlockFields = {}): Promise<PlayedBlock> {
    const { app } = this.chain
    const proposal = this.proposal(txs)
    const started = processorMs()
    const { status } = await app.processProposal(proposal)
    const processed = processorMs()
    const height = ++this.chain.height
    const request = RequestFinalizeBlock.fromPartial({
      ...this.chain.blockRequest(height, [], fields),
      txs: proposal.txs,
      proposerAddress: this.#set[Number(height) % this.#set.length]!.validator.address,
      decidedLastCommit: this.lastCommit,
    })
    const before = processorMs()
    const answer = await app.finalizeBlock(request)
    const finalized = processorMs()
    await app.commit()
    const committed = processorMs()
    const { voteExtension } = await app.extendVote(RequestExtendVote.fromPartial({ height: height + 1n }))
    this.votes = this.votesWith(() => voteExtension)
    return {
      processMs: processed - started,
      finalizeMs: finalized - before,
      commitMs: committed - finalized,
      isAdmissible: status === Status.ACCEPT,
      answer: { ...answer, txResults: answer.txResults.slice(proposal.txs.length - txs.length) },
    }
  }

  async stop(): Promise<void> {
    await this.chain.stop()
  }
}

const signer = (name: string) => {
  const key = consensusKey(name)
  return { name, key, validator: { address: key.address, power: 100n } }
}

/** The key that a validator's agent signs by: in this bench, its consensus key's namesake. */
export const agentKey = (name: string) => consensusKey(`agent of ${name}`)
