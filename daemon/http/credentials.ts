import { isIP } from 'node:net'
import { allows, type Token } from '../tokens.ts'
import { HttpError } from './errors.ts'

export interface Caller {
  /** The caller's network address. */
  readonly client: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** By what a caller may act through this node. */
export interface CredentialRules {
  /** The entry of a token that is in force. */
  readonly verifyToken: (token: string) => Token | undefined
  /** False where others could read a token on its way. */
  readonly takesTokens: boolean
  /** The key in whose name programs on this machine act without a token, on development chains. */
  readonly loopbackKey?: string
}

const unauthorized = (code: string, message: string): HttpError =>
  new HttpError(401, code, message, {}, { 'www-authenticate': 'Bearer' })

/**
 * The name of the key that the caller acts for, with messages of `module`. Throws 401 where there is no valid credential,
 * 403 where it does not cover this.
 */
export function requireCredential(rules: CredentialRules, call: Caller, module: string): string {
  const header = call.headers['authorization']
  if (header === undefined) {
    if (rules.loopbackKey !== undefined && isOfThisMachine(call)) return rules.loopbackKey
    throw unauthorized('unauthorized', 'a token is needed: Authorization: Bearer <token>')
  }
  const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(String(header)) ?? []
  if (token === undefined) throw unauthorized('invalid_token', 'Authorization must be: Bearer <token>')
  if (!rules.takesTokens)
    throw new HttpError(
      403,
      'tokens_refused',
      'tokens are not taken over plain HTTP on an address that others reach (rest.tokens_over_http)',
    )
  const entry = rules.verifyToken(token)
  if (entry === undefined) throw unauthorized('invalid_token', 'the token is unknown, revoked or expired')
  if (!allows(entry, module))
    throw new HttpError(403, 'out_of_scope', `the token does not cover messages of ${module}`)
  return entry.key
}

/** A program of this machine: no web page, and nobody behind a proxy. */
function isOfThisMachine({ client, headers }: Caller): boolean {
  const isForwarded = ['origin', 'forwarded', 'x-forwarded-for', 'x-real-ip'].some(
    (h) => headers[h] !== undefined,
  )
  return isLoopback(client) && !isForwarded
}

/** Whether an address, or `localhost`, is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^::ffff:/i, '')
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}
