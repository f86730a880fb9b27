import { MsgExecLegacyContent, MsgSubmitProposal } from 'cosmjs-types/cosmos/gov/v1/tx'
import * as legacy from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { sdk } from '../../core/error.ts'
import { unpackMessage } from '../../core/tx/decode.ts'
import { nameOfUrl } from '../../core/wire/registry.ts'
import { legacyContent } from './legacy-content.ts'

/**
 * The messages of a proposal, those of a proposal to make a proposal too, are messages: what the SDK finds out when
 * it decodes a transaction. Throws sdk/2.
 */
export function checkProposedMessages({ messages }: Pick<MsgSubmitProposal, 'messages'>): void {
  for (const any of messages) {
    if (any.typeUrl !== `/${nameOfUrl(any.typeUrl)}`)
      throw sdk.txDecode(`unable to resolve type URL ${any.typeUrl.slice(0, 200)}`)
    const { typeUrl, value } = unpackMessage(any)
    if (typeUrl === MsgSubmitProposal.typeUrl) checkProposedMessages(value as MsgSubmitProposal)
    if (typeUrl === MsgExecLegacyContent.typeUrl) legacyContent((value as MsgExecLegacyContent).content)
    const { content } = value as legacy.MsgSubmitProposal
    if (typeUrl === legacy.MsgSubmitProposal.typeUrl && content !== undefined) legacyContent(content)
  }
}
