import { fromUtf8, utf8 } from '../../core/bytes.ts'
import { rethrowExhaustion } from '../../core/error.ts'
import { govError } from './errors.ts'

/** Bytes of metadata and title; a summary may have 40 times as many. */
const MAX_METADATA_BYTES = 255

/** Throws gov/15. */
export function requireMetadataLength(text: string): void {
  const { length } = utf8(text)
  if (length > MAX_METADATA_BYTES) throw govError.metadataTooLong(`got metadata with length ${length}`)
}

/** Throws gov/22. */
export function requireSummaryLength(text: string): void {
  const { length } = utf8(text)
  if (length > 40 * MAX_METADATA_BYTES) throw govError.summaryTooLong(`got summary with length ${length}`)
}

/** Go's field names fold case, two letters of which lie outside ASCII. */
const fold = (name: string): string => name.replaceAll('ſ', 's').replaceAll('\u212a', 'k').toLowerCase()

const TEXTS = ['title', 'summary', 'details', 'proposal_forum_url', 'vote_option_context']

/** Title and summary of metadata in the form that wallets use; nothing where it has another. */
function readMetadata(metadata: string): Readonly<Record<string, string>> | undefined {
  let json: unknown
  try {
    json = JSON.parse(metadata)
  } catch (error) {
    rethrowExhaustion(error)
    return undefined
  }
  const found: Record<string, string> = { title: '', summary: '' }
  if (json === null) return found
  if (typeof json !== 'object' || Array.isArray(json)) return undefined
  for (const [key, value] of Object.entries(json)) {
    const name = fold(key)
    if (name === 'authors' && value !== null) {
      if (!Array.isArray(value) || value.some((v) => v !== null && typeof v !== 'string')) return undefined
    } else if (TEXTS.includes(name) && value !== null) {
      if (typeof value !== 'string') return undefined
      found[name] = fromUtf8(utf8(value))
    }
  }
  return found
}

/** Metadata that names a title and a summary must name the proposal's. Throws gov/5. */
export function requireSameMetadata(metadata: string, title: string, summary: string): void {
  const found = metadata === '' ? undefined : readMetadata(metadata)
  if (found === undefined) return
  for (const [name, own] of Object.entries({ title, summary }))
    if (found[name] !== own)
      throw govError.invalidProposalContent(
        `metadata ${name} '${found[name]}' must equal proposal ${name} '${own}'`,
      )
}
