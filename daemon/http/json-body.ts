import { badRequest, HttpError } from './errors.ts'

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

/** JSON is UTF-8, whatever a header claims (RFC 8259). Throws 415. */
export function requireUtf8(contentType: string | undefined): void {
  const [, charset = 'utf-8'] = CHARSET.exec(contentType ?? '') ?? []
  if (!/^utf-?8$/i.test(charset))
    throw new HttpError(415, 'unsupported_media_type', 'the body must be in UTF-8')
}

/** Throws 400 where an object of `json`, which JSON.parse took, has a name twice: readers differ in which of them counts. */
export function requireUniqueNames(json: string): void {
  // The names of each object that is open; nothing for a list.
  const open: (Set<string> | undefined)[] = []
  let isName = false
  for (let i = 0; i < json.length; i++) {
    const character = json[i]
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    if (character === '{' || character === ',') isName = true
    if (character !== '"') continue
    const end = endOfString(json, i)
    const names = open.at(-1)
    if (isName && names !== undefined) {
      const name = JSON.parse(json.slice(i, end + 1)) as string
      if (names.has(name))
        throw badRequest('invalid_body', `the body has ${JSON.stringify(name.slice(0, 80))} twice`)
      names.add(name)
      isName = false
    }
    i = end
  }
}

/** Where the string that begins at `start` has its closing quotation mark. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
