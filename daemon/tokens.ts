import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { writeFileAtomically } from './files.ts'

/**
 * A bearer token, without the token: `config/tokens.json` is `{"version": 1, "tokens": [Token…]}`, mode 0600. The
 * token itself is `fornax_<id>_<secret>`, the secret 32 random bytes in base64url.
 */
export interface Token {
  /** 16 hex digits. */
  readonly id: string
  /** Lower-case hex of the sha256 of the whole token. */
  readonly hash: string
  /** The keyring's key in whose name the bearer may sign. */
  readonly key: string
  /** Whose messages it may sign: names of modules, or `*` for everything. */
  readonly scopes: readonly string[]
  /** RFC 3339. */
  readonly created: string
  /** RFC 3339, or null where it does not expire. */
  readonly expires: string | null
}

/** The file of tokens is damaged. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError'
}

export const scopePattern = /^(\*|[a-z][a-z0-9_]{0,31})$/

/** Every token of the file, expired ones too; none where there is no file. Throws TokenFileError. */
export function readTokens(file: string): Token[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new TokenFileError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    const { version, tokens } = JSON.parse(text) as { version?: unknown; tokens?: unknown }
    if (version === 1 && Array.isArray(tokens) && tokens.every(isToken)) return tokens
  } catch {}
  throw new TokenFileError(`${file} is not a file of tokens: remove it and make the tokens anew`)
}

function isToken(value: unknown): value is Token {
  if (typeof value !== 'object' || value === null) return false
  const { id, hash, key, scopes, created, expires } = value as Partial<Token>
  return (
    /^[0-9a-f]{16}$/.test(String(id)) &&
    /^[0-9a-f]{64}$/.test(String(hash)) &&
    typeof key === 'string' &&
    Array.isArray(scopes) &&
    scopes.every((s) => scopePattern.test(String(s))) &&
    !Number.isNaN(Date.parse(String(created))) &&
    (expires === null || !Number.isNaN(Date.parse(String(expires))))
  )
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Makes a token and stores its hash. `expires` in ms since the epoch. Answers the token, which cannot be had again. */
export function createToken(
  file: string,
  { key, scopes, expires }: { key: string; scopes: readonly string[]; expires: number | null },
): { token: string; entry: Token } {
  const id = randomBytes(8).toString('hex')
  const token = `fornax_${id}_${randomBytes(32).toString('base64url')}`
  const entry: Token = {
    id,
    hash: hashOf(token),
    key,
    scopes,
    created: new Date().toISOString(),
    expires: expires === null ? null : new Date(expires).toISOString(),
  }
  writeTokens(file, [...readTokens(file), entry])
  return { token, entry }
}

/** Removes a token; false where there is none of that id. */
export function revokeToken(file: string, id: string): boolean {
  const tokens = readTokens(file)
  const rest = tokens.filter((t) => t.id !== id)
  if (rest.length === tokens.length) return false
  writeTokens(file, rest)
  return true
}

function writeTokens(file: string, tokens: readonly Token[]): void {
  writeFileAtomically(file, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`)
}

/**
 * Checks tokens against a file; changes to the file, such as a revocation, take effect at the next call. The function
 * answers the token's entry, or undefined where it is unknown, revoked or expired. Throws TokenFileError.
 */
export function tokenVerifier(
  file: string,
  now: () => number = Date.now,
): (token: string) => Token | undefined {
  let seen = ''
  let byId = new Map<string, Token>()
  return (token) => {
    const [, id] = /^fornax_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/.exec(token) ?? []
    if (id === undefined) return undefined
    const { mtimeNs, ino, size } = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? {}
    const state = `${mtimeNs} ${ino} ${size}`
    if (state !== seen) byId = new Map(readTokens(file).map((t) => [t.id, t]))
    seen = state
    const entry = byId.get(id)
    if (!entry || (entry.expires !== null && Date.parse(entry.expires) <= now())) return undefined
    return timingSafeEqual(Buffer.from(entry.hash), Buffer.from(hashOf(token))) ? entry : undefined
  }
}

/** Whether a token covers messages of a module. */
export const allows = ({ scopes }: Token, module: string): boolean =>
  scopes.includes('*') || scopes.includes(module)
