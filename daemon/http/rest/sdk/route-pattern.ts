/** A route of google.api.http, such as `GET /cosmos/bank/v1beta1/denom_owners/{denom=**}`. */
export interface RoutePattern {
  readonly method: 'GET' | 'POST'
  /** As fastify takes it: `/…/:p0/*`. */
  readonly url: string
  /** As OpenAPI writes it: `/…/{denom}`. */
  readonly path: string
  /** Fields of the request that the path holds, and the names they have in `url`. */
  readonly fields: readonly { readonly field: string; readonly key: string }[]
}

/** Throws on forms that no definition uses: a mistake of the program's. */
export function routePattern(text: string): RoutePattern {
  const [method, path = ''] = text.split(' ')
  if (method !== 'GET' && method !== 'POST') throw new Error(`a route with ${method}`)
  const fields: { field: string; key: string }[] = []
  const url = path.replace(/\{([a-z0-9_.]+)(=\*\*)?\}/g, (found, field: string, rest?: string) => {
    if (rest !== undefined && !path.endsWith(found)) throw new Error(`${found} inside ${path}`)
    const key = rest === undefined ? `p${fields.length}` : '*'
    fields.push({ field, key })
    return key === '*' ? '*' : `:${key}`
  })
  if (url.includes('{')) throw new Error(`the route ${text} is of no known form`)
  return { method, url, path: path.replace(/=\*\*/g, ''), fields }
}
