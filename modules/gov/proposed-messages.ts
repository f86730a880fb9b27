import { MsgExecLegacyContent, MsgSubmitProposal } from 'cosmjs-types/cosmos/gov/v1/tx'
import * as legacy from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { sdk } from '../../core/error.ts'
import { requireMessageType } from '../../core/tx/decode.ts'
import { nameOfUrl, unpackAny } from '../../core/wire/registry.ts'
import { legacyContent } from './legacy-content.ts'

/** Throws sdk/2 where there is a content of another kind than a text. */
export function checkContentKind({ content }: Pick<MsgExecLegacyContent, 'content'>): void {
  if (content !== undefined) legacyContent(content)
}

/** Kinds of messages that hold others, or a content. */
const HOLDERS: readonly string[] = [
  MsgSubmitProposal.typeUrl,
  MsgExecLegacyContent.typeUrl,
  legacy.MsgSubmitProposal.typeUrl,
]

/**
 * The messages of a proposal, those of a proposal to make a proposal too, are messages: what the SDK finds out when
 * it decodes a transaction. Their numbers were read with the transaction's own. Throws sdk/2.
 */
export function checkProposedMessages({ messages }: Pick<MsgSubmitProposal, 'messages'>): void {
  for (const any of messages) {
    const { typeUrl } = any
    if (typeUrl !== `/${nameOfUrl(typeUrl)}`)
      throw sdk.txDecode(`unable to resolve type URL ${typeUrl.slice(0, 200)}`)
    requireMessageType(typeUrl)
    // What holds nothing is not decoded again: in proposals to make proposals that would be done once a level.
    if (!HOLDERS.includes(typeUrl)) continue
    const value = unpackAny(any)
    if (typeUrl === MsgSubmitProposal.typeUrl) checkProposedMessages(value as MsgSubmitProposal)
    else checkContentKind(value as MsgExecLegacyContent)
  }
}
