import type {
  RequestExtendVote,
  RequestVerifyVoteExtension,
  ResponseExtendVote,
  ResponseVerifyVoteExtension,
} from 'cosmjs-types/tendermint/abci/types'
import { ResponseVerifyVoteExtension_VerifyStatus as Verdict } from 'cosmjs-types/tendermint/abci/types'
import { concatBytes } from '../../core/bytes.ts'
import { Context } from '../../core/context.ts'
import { Journal } from '../../core/journal.ts'
import type { Module } from '../../core/module.ts'
import type { App } from './app.ts'

/** All payloads together; CometBFT's gossip suffers from more (facts: QA at 2 KB). */
export const MAX_EXTENSION_BYTES = 1024

/**
 * A vote extension is the modules' payloads in the modules' order, each behind its length in two bytes (big-endian).
 * Empty where no module has one.
 */
export function extendVote(app: App, request: RequestExtendVote): ResponseExtendVote {
  const parts: Uint8Array[] = []
  const ctx = contextAt(app, request.height)
  for (const { name, voteExtension } of speaking(app)) {
    const payload = voteExtension.extend(ctx)
    if (payload.length > voteExtension.maxBytes)
      throw new Error(`${name}: vote extension of ${payload.length} bytes`)
    parts.push(Uint8Array.of(payload.length >> 8, payload.length & 255), payload)
  }
  return { voteExtension: concatBytes(...parts) }
}

/** Refuses only what is malformed or too long: a refusal throws the whole precommit away. */
export function verifyVoteExtension(
  app: App,
  request: RequestVerifyVoteExtension,
): ResponseVerifyVoteExtension {
  const payloads = splitExtension(app, request.voteExtension)
  const ctx = contextAt(app, request.height)
  const good =
    payloads !== undefined && speaking(app).every((m, i) => m.voteExtension.accepts(ctx, payloads[i]!))
  return { status: good ? Verdict.ACCEPT : Verdict.REJECT }
}

/** Each module's payload, or nothing where the bytes are malformed. An empty extension has empty payloads. */
export function splitExtension(app: App, bytes: Uint8Array): Uint8Array[] | undefined {
  const modules = speaking(app)
  if (bytes.length === 0) return modules.map(() => bytes)
  if (bytes.length > MAX_EXTENSION_BYTES) return undefined
  const payloads: Uint8Array[] = []
  let at = 0
  for (const { voteExtension } of modules) {
    if (at + 2 > bytes.length) return undefined
    const length = bytes[at]! * 256 + bytes[at + 1]!
    at += 2
    if (length > voteExtension.maxBytes || at + length > bytes.length) return undefined
    payloads.push(bytes.subarray(at, at + length))
    at += length
  }
  return at === bytes.length ? payloads : undefined
}

type Speaking = Module & Required<Pick<Module, 'voteExtension'>>

function speaking(app: App): Speaking[] {
  return app.router.modules.filter((m): m is Speaking => m.voteExtension !== undefined)
}

/** Working state, which the modules may read; what they write is dropped. */
function contextAt(app: App, height: bigint): Context {
  return new Context(new Journal(app.working), { ...app.committedBlock, height }, 'query')
}
