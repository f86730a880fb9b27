import { sdkRoutes } from '../../../../proto/gen/sdk-routes.ts'
import { HttpError } from '../../errors.ts'

/** `GET /x/{a}/{b=**}` as an expression: a field holds a part of the path, one with asterisks all the rest. */
const patternOf = (route: string): RegExp =>
  new RegExp(
    `^${route.replace(/\{[^}=]+(=\*\*)?\}|[.*+?^$()|[\]\\]/g, (found, rest) =>
      found.startsWith('{') ? (rest === undefined ? '[^/]+' : '.+') : `\\${found}`,
    )}$`,
  )

const patterns = sdkRoutes.map(patternOf)

/**
 * What is answered where there is no such route: 501 for one that modules of the SDK or ibc-go define, by which their
 * clients know what a chain lacks, and 404 for others.
 */
export function unknownRoute(method: string, url: string): HttpError {
  const path = url
    .replace(/\?.*$/s, '')
    .replace(/\/+/g, '/')
    .replace(/(?<=.)\/$/, '')
  const asked = `${method === 'HEAD' ? 'GET' : method} ${path}`
  if (patterns.some((pattern) => pattern.test(asked)))
    return new HttpError(501, 'not_implemented', 'this chain has no module with this route')
  return new HttpError(404, 'unknown_route', 'there is no such route')
}
