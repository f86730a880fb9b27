import type { ConsensusParams } from 'cosmjs-types/tendermint/types/params'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { gasMeter } from '../../core/gas.ts'
import * as state from './state.ts'

/** CometBFT's hard cap on a block. */
const MAX_BLOCK_BYTES = 100n * 1024n * 1024n

/** The parameters that CometBFT was told, or nothing before InitChain. */
export const consensusParams = (ctx: Context): ConsensusParams | undefined => state.params.get(ctx)

/** Of all transactions of a block together; -1 where nothing limits it. Free, as the SDK has it at hand in its context. */
export const maxBlockGas = (ctx: Context): bigint =>
  consensusParams(ctx.withGas(gasMeter()))?.block?.maxGas ?? -1n

/** Refuses the parameters that CometBFT's `ConsensusParams.ValidateBasic` refuses. Throws sdk/18. */
export function checkConsensusParams({ block, evidence, validator, abci }: ConsensusParams): void {
  const refuse = (what: string): never => {
    throw sdk.invalidRequest(what)
  }
  if (block === undefined || evidence === undefined || validator === undefined)
    throw sdk.invalidRequest('block, evidence and validator are required')
  if (block.maxBytes === 0n || block.maxBytes < -1n || block.maxBytes > MAX_BLOCK_BYTES)
    refuse(`block.max_bytes must be -1 or 1 … ${MAX_BLOCK_BYTES}, got ${block.maxBytes}`)
  if (block.maxGas < -1n) refuse(`block.max_gas must be -1 or more, got ${block.maxGas}`)
  if (evidence.maxAgeNumBlocks <= 0n) refuse('evidence.max_age_num_blocks must be positive')
  const age = evidence.maxAgeDuration
  if (age === undefined || age.seconds < 0n || (age.seconds === 0n && age.nanos <= 0))
    refuse('evidence.max_age_duration must be positive')
  const limit = block.maxBytes === -1n ? MAX_BLOCK_BYTES : block.maxBytes
  if (evidence.maxBytes < 0n || evidence.maxBytes > limit)
    refuse('evidence.max_bytes must be 0 … block.max_bytes')
  if (validator.pubKeyTypes.length === 0 || validator.pubKeyTypes.some((t) => t !== 'ed25519'))
    refuse('validator.pub_key_types must be ed25519')
  if (abci !== undefined && abci.voteExtensionsEnableHeight < 0n)
    refuse('abci.vote_extensions_enable_height must not be negative')
}

export function setConsensusParams(ctx: Context, params: ConsensusParams): void {
  checkConsensusParams(params)
  state.params.set(ctx, params)
}
