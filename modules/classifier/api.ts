import type { Address } from '../../core/address.ts'
import { equalBytes } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { parsePublicKey } from '../../core/crypto/public-key.ts'
import type { Metrics } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { validatorByConsensusAddress } from '../staking/api.ts'
import * as agentKeys from './agent-keys.ts'
import * as bitRing from './bit-ring.ts'
import * as features from './features.ts'
import * as metricsBody from './metrics-body.ts'
import * as models from './model.ts'
import * as parameters from './params.ts'
import * as roster from './roster.ts'
import * as state from './state.ts'
import * as telemetry from './telemetry.ts'
import * as reports from './vote-report.ts'
import * as witness from './witness.ts'

export type { FeatureName, FeatureRow } from './features.ts'
export type { MetricsBody } from './metrics-body.ts'
export type { Witnesses } from './witness.ts'

/** How many of the last 64 blocks are marked. */
export const countMarks = bitRing.count
export const { FEATURES, featuresHash, featuresOf } = features
export const { model, modelAt, nextModel } = models
export const { params } = parameters
export const { rosterOf, recordOf, forgetEvidence } = roster
export const { votesLeftOut, votesLost, witnessesOf } = witness
export const { MAX_METRICS_BYTES, METRICS_LIMITS, parseNode, readMetrics } = metricsBody
export const { isSignedByAgent, metricsSignBytes, requireAgentKey, takeAgentTurn } = telemetry
export const { decodeReport, encodeReport, MAX_REPORT_BYTES, MAX_SCORE } = reports

/** The last figures that a validator gave of itself. */
export const metricsOf = (ctx: Context, operator: Address): Readonly<Metrics> | undefined =>
  state.metrics.get(ctx, operator)

export const agentKeyOf = (ctx: Context, operator: Address): Uint8Array | undefined =>
  state.agentKeys.get(ctx, operator)

/** The validator whose agents sign with a key. */
export const operatorOfAgentKey = agentKeys.ownerOfAgentKey
export const { agentKeySignBytes } = agentKeys

/** The consensus key (ed25519) with an address, of validators that left a short while ago too. */
export function consensusKey(ctx: Context, address: Address): Uint8Array | undefined {
  const validator = validatorByConsensusAddress(ctx, address)
  if (validator === undefined)
    return roster.rosterOf(ctx).records.find((record) => equalBytes(record.address, address))?.pubKey
  const key = parsePublicKey(validator.consensusPubkey!)
  return key.kind === 'ed25519' ? key.key : undefined
}
