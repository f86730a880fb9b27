import * as query from 'cosmjs-types/cosmos/params/v1beta1/query'
import { sdk } from '../../core/error.ts'
import { queries } from '../../core/module.ts'
import { paramsError } from './errors.ts'
import { subspaces } from './subspaces.ts'

export const paramsQueries = queries<query.Query>('cosmos.params.v1beta1.Query', query, {
  /** The value of a key that a subspace has not is empty, as in the SDK. */
  Params(ctx, { subspace, key }) {
    if (subspace === '' || key === '') throw sdk.invalidRequest('subspace and key are needed')
    const keys = subspaces.get(subspace)
    if (keys === undefined) throw paramsError.unknownSubspace(subspace.slice(0, 80))
    const read = keys.get(key)
    return { param: { subspace, key, value: read === undefined ? '' : JSON.stringify(read(ctx)) } }
  },
  Subspaces: () => ({
    subspaces: [...subspaces].map(([subspace, keys]) => ({ subspace, keys: [...keys.keys()] })),
  }),
})
