import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { HttpError } from '../errors.ts'

/**
 * Throws 403 where the header Host names a host that this node does not go by: a web page whose name its owner lets resolve to
 * this machine (DNS rebinding) would pass for a page of the node's own. An address cannot be rebound.
 */
export function requireKnownHost(host: string | undefined, known: readonly string[]): void {
  if (host === undefined || known.includes('*')) return
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host) ?? []
  const name = (bracketed ?? plain ?? '').toLowerCase()
  if (isIP(name) === 0 && !known.some((each) => each.toLowerCase() === name))
    throw new HttpError(403, 'unknown_host', 'invalid host specified: the setting jsonrpc.vhosts names hosts')
}

/** Throws 403 where a web page of another origin asks for a WebSocket, which no browser keeps it from. */
export function requireAllowedOrigin({ headers }: IncomingMessage, allowed: readonly string[]): void {
  const { origin } = headers
  if (origin === undefined || allowed.includes('*') || allowed.includes(origin)) return
  throw new HttpError(403, 'origin_not_allowed', 'origin not allowed: jsonrpc.cors_origins names origins')
}
