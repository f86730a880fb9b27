import type * as v1 from 'cosmjs-types/cosmos/gov/v1/gov'
import { MsgExecLegacyContent } from 'cosmjs-types/cosmos/gov/v1/tx'
import * as types from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import * as query from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { utf8 } from '../../core/bytes.ts'
import * as dec from '../../core/dec.ts'
import { sdk } from '../../core/error.ts'
import { queries } from '../../core/module.ts'
import type { Seconds } from '../../core/time.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import {
  depositOf,
  depositsPage,
  paramsOf,
  proposalOf,
  proposalsPage,
  tallyOf,
  voteOf,
  votesPage,
} from './queries.ts'

registerTypes(types)

/** Go's zero time. */
const NO_TIME: Seconds = { seconds: -62_135_596_800n, nanos: 0 }

const legacyTally = (t: v1.TallyResult): types.TallyResult => ({
  yes: t.yesCount,
  abstain: t.abstainCount,
  no: t.noCount,
  noWithVeto: t.noWithVetoCount,
})

/** The content that a proposal of one message has, or that message in its place. Throws sdk/29. */
function legacyProposal(p: v1.Proposal): types.Proposal {
  const [message, ...more] = p.messages
  if (message === undefined || more.length > 0)
    throw sdk.invalidType(
      "can't convert a gov/v1 Proposal to gov/v1beta1 Proposal when amount of proposal messages not exactly one",
    )
  const content =
    message.typeUrl === MsgExecLegacyContent.typeUrl
      ? MsgExecLegacyContent.decode(message.value).content
      : message
  return {
    proposalId: p.id,
    ...(content && { content }),
    status: p.status as number,
    finalTallyResult: legacyTally(p.finalTallyResult!),
    submitTime: p.submitTime ?? NO_TIME,
    depositEndTime: p.depositEndTime ?? NO_TIME,
    totalDeposit: p.totalDeposit,
    votingStartTime: p.votingStartTime ?? NO_TIME,
    votingEndTime: p.votingEndTime ?? NO_TIME,
  }
}

const atomics = (decimal: string): string => dec.parse(decimal).toString()

const legacyVote = ({ proposalId, voter, options }: v1.Vote): types.Vote => ({
  proposalId,
  voter,
  option: 0,
  options: options.map(({ option, weight }) => ({ option: option as number, weight: atomics(weight) })),
})

const legacyTallyParams = (t: v1.TallyParams): types.TallyParams => ({
  quorum: utf8(atomics(t.quorum)),
  threshold: utf8(atomics(t.threshold)),
  vetoThreshold: utf8(atomics(t.vetoThreshold)),
})

export const legacyQueries = queries<query.Query>('cosmos.gov.v1beta1.Query', query, {
  Proposal: (ctx, request) => ({ proposal: legacyProposal(proposalOf(ctx, request)) }),
  Proposals(ctx, { proposalStatus, ...request }) {
    const { items, pagination } = proposalsPage(ctx, { ...request, proposalStatus: proposalStatus as number })
    return { proposals: items.map(legacyProposal), pagination }
  },
  Vote: (ctx, request) => ({ vote: legacyVote(voteOf(ctx, request)) }),
  Votes(ctx, request) {
    const { items, pagination } = votesPage(ctx, request)
    return { votes: items.map(legacyVote), pagination }
  },
  Params(ctx, request) {
    const { votingParams, depositParams, tallyParams } = paramsOf(ctx, request)
    if (votingParams === undefined && depositParams === undefined && tallyParams === undefined)
      throw sdk.invalidRequest(`${request.paramsType} is not a valid parameter type`)
    return {
      votingParams: types.VotingParams.fromPartial({ ...votingParams }),
      depositParams: types.DepositParams.fromPartial({ ...depositParams }),
      tallyParams: legacyTallyParams(tallyParams ?? { quorum: '0', threshold: '0', vetoThreshold: '0' }),
    }
  },
  Deposit: (ctx, request) => ({ deposit: depositOf(ctx, request) }),
  Deposits(ctx, request) {
    const { items, pagination } = depositsPage(ctx, request)
    return { deposits: items, pagination }
  },
  TallyResult: (ctx, request) => ({ tally: legacyTally(tallyOf(ctx, request)) }),
})
