import type { ExtendedVoteInfo } from 'cosmjs-types/tendermint/abci/types'
import { compareBytes, NO_BYTES } from '../../../core/bytes.ts'
import { encodeExtendedCommit } from '../../../daemon/app/extended-commit.ts'
import { splitVoteExtension } from '../../../modules/classifier/api.ts'

export interface TestVote {
  readonly name: string
  readonly power: bigint
  readonly absent?: boolean
  readonly nil?: boolean
  /** Of its vote extension. Absent: the proposer passes none on. */
  readonly report?: Uint8Array | undefined
  readonly telemetry?: Uint8Array
}

/** The extended commit of round 0 as another proposer packs it, whatever is wrong with its signatures. */
export function packedExtendedCommit(votes: readonly ExtendedVoteInfo[]): Uint8Array {
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

/** An extended commit without signatures: a decided block's were checked when it was proposed. */
export function unsignedExtendedCommit(votes: readonly TestVote[]): Uint8Array {
  const reports: Uint8Array[] = []
  return encodeExtendedCommit({
    round: 0,
    reports,
    votes: votes.map(({ report, telemetry = NO_BYTES }) => ({
      report: report === undefined ? 0 : reports.push(report),
      telemetry,
      signature: new Uint8Array(report === undefined ? 0 : 64),
    })),
  })
}
