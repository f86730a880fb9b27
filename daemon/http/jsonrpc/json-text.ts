/** Whether JSON, which need not be well-formed, opens more than `most` lists and objects within one another. */
export function isDeeperThan(json: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code === OBJECT || code === LIST) depth++
    else if (code === OBJECT_END || code === LIST_END) depth--
    if (depth > most) return true
  }
  return false
}

/**
 * Of a well-formed object, or a list's elements, the number under `id` as it is written: read and written again, one of more
 * than 53 bits would be another. Nothing where there is no number.
 */
export function idsAsWritten(json: string): readonly (string | undefined)[] {
  const start = json.search(/\S/)
  const memberDepth = json.charCodeAt(start) === LIST ? 2 : 1
  const ids: (string | undefined)[] = [undefined]
  let depth = 0
  for (let at = start; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === OBJECT || code === LIST) depth++
    else if (code === OBJECT_END || code === LIST_END) depth--
    else if (code === COMMA && depth === memberDepth - 1) ids.push(undefined)
    if (code !== QUOTE) continue
    const end = endOfString(json, at)
    const text = json.slice(at, end + 1)
    at = end
    if (depth !== memberDepth || JSON.parse(text) !== 'id') continue
    ID_NUMBER.lastIndex = end + 1
    const [, number] = ID_NUMBER.exec(json) ?? []
    if (number !== undefined) ids[ids.length - 1] = number
  }
  return ids
}

const [QUOTE, BACKSLASH, COMMA, OBJECT, OBJECT_END, LIST, LIST_END] = Buffer.from('"\\,{}[]')
/** Behind the name. */
const ID_NUMBER = /\s*:\s*(-?\d[\d.eE+-]*)/y

/** Where the string that begins at `start` has its closing quotation mark; the text's end where it has none. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return json.length
}
