import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { utf8 } from '../../core/bytes.ts'
import { sdk } from '../../core/error.ts'
import { type Any, unpackAny } from '../../core/wire/registry.ts'
import { govError } from './errors.ts'

const MAX_TITLE_BYTES = 140
const MAX_DESCRIPTION_BYTES = 10_000

/** The one content that proposals of v1beta1 have here. Throws sdk/2 for any other, as the SDK for unknown ones. */
export function legacyContent(content: Any | undefined): TextProposal {
  if (content === undefined) throw govError.invalidProposalContent('missing content')
  if (content.typeUrl !== TextProposal.typeUrl)
    throw sdk.txDecode(`no concrete type registered for type URL ${content.typeUrl.slice(0, 200)}`)
  return unpackAny(content) as TextProposal
}

/** Throws gov/5. */
export function checkLegacyContent({ title, description }: TextProposal): void {
  const refuse = (what: string): never => {
    throw govError.invalidProposalContent(`proposal ${what}`)
  }
  if (title.trim() === '') refuse('title cannot be blank')
  if (utf8(title).length > MAX_TITLE_BYTES) refuse(`title is longer than max length of ${MAX_TITLE_BYTES}`)
  if (description === '') refuse('description cannot be blank')
  if (utf8(description).length > MAX_DESCRIPTION_BYTES)
    refuse(`description is longer than max length of ${MAX_DESCRIPTION_BYTES}`)
}
