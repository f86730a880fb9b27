import type { ServerResponse } from 'node:http'
import type { Json } from '../../../core/wire/json.ts'
import type { Caller } from '../credentials.ts'

export type JsonSchema = { readonly [key: string]: Json | JsonSchema | readonly (Json | JsonSchema)[] }

export interface Call extends Caller {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Has the form of the route's `body`. */
  readonly body: unknown
  /** The body as it came; empty where there is none. */
  readonly text: string
}

export interface Reply {
  readonly status: number
  readonly body: Json
  readonly headers?: Readonly<Record<string, string>>
}

export interface RouteAnswer {
  readonly description: string
  readonly schema: JsonSchema
  /** Default application/json. */
  readonly media?: string
}

/** An answer without an end: it is written until the client leaves. */
export interface StreamReply {
  readonly status: 200
  readonly stream: (response: ServerResponse) => Promise<void>
}

/** A route of our own. What it declares is what is checked, and what the OpenAPI document says. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** `/agents/bans/{address}`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Path and query parameters, all of them text. */
  readonly params?: Readonly<Record<string, JsonSchema>>
  readonly query?: Readonly<Record<string, JsonSchema>>
  /** Headers to mention. */
  readonly headers?: Readonly<Record<string, JsonSchema>>
  /** OpenAPI's security requirements: `token` is the bearer token. */
  readonly security?: readonly JsonSchema[]
  /** An object with `additionalProperties: false`. */
  readonly body?: JsonSchema
  readonly answers: Readonly<Record<number, RouteAnswer>>
  /** Statuses of errors to mention. */
  readonly errors?: Readonly<Record<number, string>>
  readonly run: (call: Call) => Promise<Reply> | Reply | StreamReply
}

/** An object of exactly these properties, all of them there unless `optional`. */
export function objectSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  }
}
