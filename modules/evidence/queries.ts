import * as types from 'cosmjs-types/cosmos/evidence/v1beta1/evidence'
import * as query from 'cosmjs-types/cosmos/evidence/v1beta1/query'
import { fromHex } from '../../core/bytes.ts'
import { rethrowExhaustion, sdk } from '../../core/error.ts'
import { queries } from '../../core/module.ts'
import { paginate } from '../../core/pagination.ts'
import { packAny, registerTypes } from '../../core/wire/registry.ts'
import { EQUIVOCATION } from './genesis.ts'
import * as state from './state.ts'

registerTypes(types)

function parseHash(text: string): Uint8Array {
  if (text === '') throw sdk.invalidRequest('invalid request; hash is empty')
  try {
    return fromHex(text)
  } catch (error) {
    rethrowExhaustion(error)
    throw sdk.invalidRequest(`invalid evidence hash: ${text.slice(0, 80)}`)
  }
}

export const evidenceQueries = queries<query.Query>('cosmos.evidence.v1beta1.Query', query, {
  Evidence(ctx, { hash }) {
    const equivocation = state.equivocations.get(ctx, parseHash(hash))
    if (equivocation === undefined) throw sdk.keyNotFound(`evidence ${hash.slice(0, 80)} not found`)
    return { evidence: packAny(EQUIVOCATION, equivocation) }
  },
  AllEvidence(ctx, { pagination }) {
    const page = paginate(ctx, state.equivocations, pagination, (_, e) => packAny(EQUIVOCATION, e))
    return { evidence: page.items, pagination: page.pagination }
  },
})
