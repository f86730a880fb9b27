import {
  type Address,
  CONSENSUS_PREFIX,
  formatAddress,
  hasPrefix,
  parseAddress,
  VALIDATOR_PREFIX,
} from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { queries } from '../../core/module.ts'
import * as query from '../../proto/gen/fornax/classifier/v1/query.ts'
import { operatorOf, validatorByConsensusAddress } from '../staking/api.ts'
import { absenceOf } from './absence.ts'
import { classifierError } from './errors.ts'
import { FEATURES, featuresOf } from './features.ts'
import { model, nextModel } from './model.ts'
import { params } from './params.ts'
import { rosterOf } from './roster.ts'
import * as state from './state.ts'
import { parseValidator } from './telemetry-body.ts'

const operatorText = (operator: Uint8Array): string => formatAddress(operator, VALIDATOR_PREFIX)

/** Place on the roster of the validator with this operator, account or consensus address. Throws classifier/8, sdk/7. */
function placeOf(ctx: Context, text: string): number {
  const byKey = hasPrefix(text, CONSENSUS_PREFIX)
  const address: Address = byKey ? parseAddress(text, CONSENSUS_PREFIX) : parseValidator(text)
  const place = rosterOf(ctx).records.findIndex((record) =>
    equalBytes(byKey ? record.address : record.operator, address),
  )
  if (place < 0) throw classifierError.notOnRoster(`${text} ${whyNot(ctx, address, byKey)}`)
  return place
}

function whyNot(ctx: Context, address: Address, byKey: boolean): string {
  const known = byKey ? validatorByConsensusAddress(ctx, address) : undefined
  if (byKey && known === undefined) return 'is the key of no validator of this chain'
  const operator = known === undefined ? address : operatorOf(known)
  const more = `\`fornaxd query agents explain ${operatorText(operator)}\` says why`
  return `${absenceOf(ctx, operator)}; ${more}`
}

export const classifierQueries = queries<query.Query>('fornax.classifier.v1.Query', query, {
  Params: (ctx) => ({ params: params(ctx) }),
  Model: (ctx) => ({ model: model(ctx), next: nextModel(ctx) }),
  Scores: (ctx) => ({
    scores: rosterOf(ctx).records.map(({ operator, score }) => ({
      validator: operatorText(operator),
      score,
    })),
    height: ctx.height,
  }),
  Features(ctx, { validator }) {
    const place = placeOf(ctx, validator)
    const record = rosterOf(ctx).records[place]!
    const row = featuresOf(ctx)[place]!
    return {
      validator: operatorText(record.operator),
      features: FEATURES.map(([name], i) => ({ name, value: row[i]! })),
      score: record.score,
      height: ctx.height,
    }
  },
  Metrics: (ctx, { validator }) => ({ metrics: state.telemetry.get(ctx, parseValidator(validator)) }),
  AgentKey(ctx, { validator }) {
    const pubKey = state.agentKeys.get(ctx, parseValidator(validator))
    if (pubKey === undefined) throw sdk.keyNotFound(`no agent key of ${validator}`)
    return { pubKey }
  },
})
