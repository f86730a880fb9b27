import { formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { genesis } from '../../core/module.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import * as types from '../../proto/gen/fornax/agents/v1/agents.ts'
import type { GenesisState } from '../../proto/gen/fornax/agents/v1/genesis.ts'
import * as genesisTypes from '../../proto/gen/fornax/agents/v1/genesis.ts'
import { banOf } from './bans.ts'
import { checkParams, defaultParams, params } from './params.ts'
import * as state from './state.ts'

registerTypes(types, genesisTypes)

const parseOperator = (text: string) => parseAddress(text, VALIDATOR_PREFIX)

function validate({ params, standings, bans, removals }: GenesisState): void {
  checkParams(params)
  for (const { validator, standing } of standings) {
    parseOperator(validator)
    for (const { height, reason } of standing.jails)
      if (height < 0n || reason === '')
        throw sdk.invalidRequest(`a jail of ${validator} has no height or reason`)
  }
  for (const { node, marks } of bans) {
    parseOperator(node)
    for (const { mark } of marks) parseOperator(mark.issuer)
  }
  for (const { node } of removals) parseOperator(node)
}

function init(ctx: Context, g: GenesisState): void {
  state.params.set(ctx, g.params)
  for (const { validator, standing } of g.standings) {
    const operator = parseOperator(validator)
    state.standings.set(ctx, operator, standing)
    if (standing.jailedUntil > 0n) state.releases.set(ctx, [standing.jailedUntil, operator], true)
  }
  for (const { marks, ...ban } of g.bans) {
    const operator = parseOperator(ban.node)
    state.bans.set(ctx, operator, { ...ban, marks: [] })
    for (const mark of marks) state.banMarks.set(ctx, [operator, parseOperator(mark.mark.issuer)], mark)
  }
  for (const removal of g.removals)
    state.removals.set(ctx, [removal.height, parseOperator(removal.node)], removal)
}

const exportState = (ctx: Context): GenesisState => ({
  params: params(ctx),
  standings: [...state.standings.entries(ctx)].map(([operator, standing]) => ({
    validator: formatAddress(operator, VALIDATOR_PREFIX),
    standing,
  })),
  bans: [...state.bans.entries(ctx)].map(([operator]) => banOf(ctx, operator)!),
  removals: [...state.removals.entries(ctx)].map(([, removal]) => removal),
})

export const agentsGenesis = genesis<GenesisState>({
  type: 'fornax.agents.v1.GenesisState',
  defaults: () => ({ params: defaultParams(), standings: [], bans: [], removals: [] }),
  validate,
  init,
  export: exportState,
})
