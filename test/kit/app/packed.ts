import type { ExtendedVoteInfo } from 'cosmjs-types/tendermint/abci/types'
import { compareBytes, NO_BYTES } from '../../../core/bytes.ts'
import { encodeExtendedCommit } from '../../../daemon/app/extended-commit.ts'
import { splitVoteExtension } from '../../../modules/classifier/api.ts'

/** The extended commit of round 0 as another proposer packs it, whatever is wrong with its signatures. */
export function packed(votes: readonly ExtendedVoteInfo[]): Uint8Array {
  const reports: Uint8Array[] = []
  return encodeExtendedCommit({
    round: 0,
    reports,
    votes: votes.map(({ voteExtension, extensionSignature }) => {
      if (extensionSignature.length === 0) return { report: 0, telemetry: NO_BYTES, signature: NO_BYTES }
      const { report, telemetry } = splitVoteExtension(voteExtension) ?? {
        report: voteExtension,
        telemetry: NO_BYTES,
      }
      const place = reports.findIndex((known) => compareBytes(known, report) === 0) + 1
      return { report: place === 0 ? reports.push(report) : place, telemetry, signature: extensionSignature }
    }),
  })
}
