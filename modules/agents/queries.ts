import { equalBytes, toLatin1 } from '../../core/bytes.ts'
import { queries } from '../../core/module.ts'
import { paginate } from '../../core/pagination.ts'
import * as query from '../../proto/gen/fornax/agents/v1/query.ts'
import { parseValidator } from '../classifier/api.ts'
import { banOf, requireBan } from './bans.ts'
import { lastRound } from './consensus-agent.ts'
import { lastDecisions } from './decision-module.ts'
import { params } from './params.ts'
import { POOLS, poolsOf, standingOf } from './pools.ts'
import { figuresOf, reasonFor, subjectsOf } from './reasons.ts'
import { route } from './routing-agent.ts'
import * as state from './state.ts'

export const agentsQueries = queries<query.Query>('fornax.agents.v1.Query', query, {
  Params: (ctx) => ({ params: params(ctx) }),
  Decisions: (ctx) => ({ decisions: lastDecisions(ctx) }),
  Consensus: (ctx) => ({
    state: lastRound(ctx),
  }),
  Pools(ctx) {
    const { pools, preferred } = route(ctx)
    return { pools: [...pools], preferred }
  },
  Standing(ctx, { validator }) {
    const operator = parseValidator(validator)
    const subject = subjectsOf(ctx).find(({ record }) => equalBytes(record.operator, operator))
    const record = subject?.record
    const figures = subject ? figuresOf(ctx, subject, params(ctx)) : []
    const pool = record && poolsOf(ctx).get(toLatin1(record.address))
    return {
      standing: standingOf(ctx, operator),
      pool: pool === undefined ? '' : POOLS[pool],
      score: record?.score ?? 0,
      banned: state.bans.has(ctx, operator),
      evidence: [...figures],
      reason: reasonFor(figures, record?.score ?? 0) ?? '',
    }
  },
  Bans(ctx, { pagination }) {
    const page = paginate(ctx, state.bans, pagination, (operator) => banOf(ctx, operator)!)
    return { bans: page.items, pagination: page.pagination }
  },
  Ban: (ctx, { validator }) => ({ ban: requireBan(ctx, parseValidator(validator)) }),
})
