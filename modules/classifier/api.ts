import type { Address } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { parsePublicKey } from '../../core/crypto/public-key.ts'
import type { Metrics } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { validatorByConsensusAddress } from '../staking/api.ts'
import { rosterOf } from './roster.ts'
import * as state from './state.ts'

export { absenceOf } from './absence.ts'
export { agentKeySignBytes, operatorOfAgentKey } from './agent-keys.ts'
export { count as countBits } from './bit-ring.ts'
export { FEATURES, type FeatureName, type FeatureRow, featuresHash, featuresOf } from './features.ts'
export { model, modelAt, modelOfReports, nextModel } from './model.ts'
export { params } from './params.ts'
export { decodeReport, encodeReport, MAX_SCORE } from './report.ts'
export { blocksSinceJoining, forgetEvidence, recordOf, rosterOf } from './roster.ts'
export { isSignedByAgent, requireAgentKey, takeAgentTurn, telemetrySignBytes } from './telemetry.ts'
export {
  MAX_TELEMETRY_BYTES,
  parseValidator,
  type ReadTelemetry,
  readTelemetry,
  TELEMETRY_LIMITS,
  type TelemetryBody,
} from './telemetry-body.ts'
export { joinVoteExtension, MAX_VOTE_EXTENSION_BYTES, splitVoteExtension } from './vote-extension.ts'
export { decodeVoteTelemetry, encodeVoteTelemetry } from './vote-telemetry.ts'
export { votesLeftOut, votesLost, type Witnesses, witnessesOf } from './witness.ts'

/** The last telemetry of a validator. */
export const telemetryOf = (ctx: Context, operator: Address): Readonly<Metrics> | undefined =>
  state.telemetry.get(ctx, operator)

export const agentKeyOf = (ctx: Context, operator: Address): Uint8Array | undefined =>
  state.agentKeys.get(ctx, operator)

/** The consensus key (ed25519) with an address, of validators that left a short while ago too. */
export function consensusKey(ctx: Context, address: Address): Uint8Array | undefined {
  const validator = validatorByConsensusAddress(ctx, address)
  if (validator === undefined)
    return rosterOf(ctx).records.find((record) => equalBytes(record.address, address))?.pubKey
  const key = parsePublicKey(validator.consensusPubkey!)
  return key.kind === 'ed25519' ? key.key : undefined
}
