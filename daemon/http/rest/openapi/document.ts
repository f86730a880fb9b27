import { isMessageType, messageDescriptor } from '../../../../core/wire/descriptors.ts'
import { isSdkPath } from '../../errors.ts'
import { type JsonSchema, objectSchema, type Route } from '../route.ts'
import { HEIGHT_HEADER, type ServedMethod } from '../sdk/methods.ts'
import { messageSchema, reachableMessages, requestSchema, valueSchema } from './json-schema.ts'

const error = objectSchema({
  code: { type: 'string', pattern: '^[a-z0-9_]+$' },
  message: { type: 'string' },
  details: { type: 'object', additionalProperties: true },
})
/** The bodies of errors, by their names among the components. */
const ERROR_BODIES: Readonly<Record<ErrorForm, JsonSchema>> = {
  Error: objectSchema({ error }),
  SdkError: objectSchema({
    code: { type: 'integer', description: 'The gRPC status.' },
    message: { type: 'string' },
    details: { type: 'array', maxItems: 0 },
    error,
  }),
}
type ErrorForm = 'Error' | 'SdkError'

const errorForm = (path: string): ErrorForm => (isSdkPath(path) ? 'SdkError' : 'Error')

const ERRORS: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  404: 'There is no such thing.',
  413: 'The body is too large.',
  415: 'The body is not application/json.',
  422: 'Well-formed, but refused by a rule.',
  429: 'Too many writes; Retry-After says when to come again.',
  503: 'The node is halted, catches up, or lacks its CometBFT.',
}

const json = (schema: JsonSchema): JsonSchema => ({ 'application/json': { schema } })
const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** `GetBlockByHeight` → `Get block by height`; `AccountAddressByID` → `Account address by ID`. */
function words(method: string): string {
  const parts = method.match(/[A-Z]+(?![a-z])|[A-Z][a-z0-9]*/g) ?? [method]
  return parts.map((part, i) => (i === 0 || /^[A-Z]{2,}$/.test(part) ? part : part.toLowerCase())).join(' ')
}

function errorResponses(
  form: ErrorForm,
  statuses: Iterable<number>,
  own: Readonly<Record<number, string>> = {},
): JsonSchema {
  const all = new Set([...statuses, ...Object.keys(own).map(Number)])
  return Object.fromEntries(
    [...all]
      .sort((a, b) => a - b)
      .map((status) => [
        `${status}`,
        own[status] === undefined
          ? { $ref: `#/components/responses/${form}${status}` }
          : { description: own[status], content: json(reference(form)) },
      ]),
  )
}

/** A query parameter for each scalar of a request, nested ones dotted. */
function queryParameters(type: string, taken: ReadonlySet<string>, prefix = ''): JsonSchema[] {
  if (prefix.split('.').length > 4) return []
  return messageDescriptor(type).fields.flatMap((field): JsonSchema[] => {
    const name = `${prefix}${field.name}`
    if (taken.has(name)) return []
    if (isMessageType(field.t) && !field.t.startsWith('google.protobuf.'))
      return field.rep ? [] : queryParameters(field.t, taken, `${name}.`)
    if (field.t === 'google.protobuf.Any') return []
    const value = valueSchema(field)
    return [{ name, in: 'query', schema: field.rep ? { type: 'array', items: value } : value }]
  })
}

function methodOperation(served: ServedMethod): JsonSchema {
  const { service, method, input, output, pattern, hasBody, atHeight } = served
  const fields = new Set(pattern.fields.map((f) => f.field))
  const parameters: JsonSchema[] = pattern.fields.map(({ field, key }) => ({
    name: field,
    in: 'path',
    required: true,
    ...(key === '*' && { description: 'May hold slashes.' }),
    schema: valueSchema(messageDescriptor(input).fields.find((f) => f.name === field)!),
  }))
  if (!hasBody) parameters.push(...queryParameters(input, fields))
  if (atHeight) parameters.push({ $ref: '#/components/parameters/height' })
  return {
    operationId: `${service}.${method}`.replaceAll('.', '_'),
    tags: [service],
    summary: words(method),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && { requestBody: { required: true, content: json(requestSchema(input)) } }),
    responses: {
      '200': { description: 'The answer.', content: json(reference(output)) },
      ...errorResponses(
        errorForm(pattern.path),
        hasBody ? [400, 404, 413, 415, 422, 429, 503] : [400, 404, 422, 503],
      ),
    },
  }
}

function routeOperation(route: Route): JsonSchema {
  const parameters = [
    ...Object.entries(route.params ?? {}).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      schema,
    })),
    ...Object.entries(route.query ?? {}).map(([name, schema]) => ({ name, in: 'query', schema })),
    ...Object.entries(route.headers ?? {}).map(([name, schema]) => ({ name, in: 'header', schema })),
  ]
  const post = route.method === 'POST'
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^a-z0-9]+/g, '_')}`,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.security && { security: route.security }),
    ...(route.body && { requestBody: { required: true, content: json(route.body) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, { description, schema, media = 'application/json' }]) => [
          status,
          { description, content: { [media]: { schema } } },
        ]),
      ),
      ...errorResponses(errorForm(route.path), post ? [400, 413, 415, 429, 503] : [], route.errors),
    },
  }
}

/** The OpenAPI 3.1 document of what is served. */
export function openApiDocument(served: {
  readonly version: string
  readonly methods: readonly ServedMethod[]
  readonly routes: readonly Route[]
}): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  const put = (path: string, method: string, operation: JsonSchema): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  for (const route of served.routes) put(route.path, route.method, routeOperation(route))
  for (const method of served.methods)
    put(method.pattern.path, method.pattern.method, methodOperation(method))
  const messages = reachableMessages([
    ...served.methods.map((m) => m.output),
    ...served.methods.filter((m) => m.hasBody).map((m) => m.input),
  ])
  const tags = [...new Set([...served.routes.map((r) => r.tag), ...served.methods.map((m) => m.service)])]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fornax',
      version: served.version,
      summary: 'REST interface of a Fornax node, API version 1',
      description:
        'Every answer carries `X-Fornax-Api-Version: 1`; an incompatible change would get the prefix `/v2`. ' +
        'Numbers of 64 bits are decimal text, bytes base64, times RFC 3339. Every error has the body ' +
        '`{"error": {"code", "message", "details"}}`; under `/cosmos` and `/ibc` the fields of gRPC-gateway stand ' +
        'beside it: `code`, the number of the gRPC status, `message` and `details`. There 501 answers routes of the ' +
        'SDK and ibc-go that this chain lacks, and unknown parameters are ignored; elsewhere they are refused. ' +
        'Bodies are JSON of at most 65,536 bytes, under `/cosmos/tx` of at most 1,572,864; unknown fields are refused.',
      license: { name: 'GPL-3.0-or-later', identifier: 'GPL-3.0-or-later' },
    },
    servers: [{ url: '/' }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token made by `fornaxd token create` on the node. Reads need none.',
        },
      },
      parameters: {
        height: {
          name: HEIGHT_HEADER,
          in: 'header',
          description:
            'Answer from the state of this height; the answer names its height in the same header.',
          schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
        },
      },
      responses: Object.fromEntries(
        Object.keys(ERROR_BODIES).flatMap((form) =>
          Object.entries(ERRORS).map(([status, description]) => [
            `${form}${status}`,
            { description, content: json(reference(form)) },
          ]),
        ),
      ),
      schemas: {
        ...ERROR_BODIES,
        ...Object.fromEntries(messages.map((name) => [name, messageSchema(name)])),
      },
    },
  }
}
