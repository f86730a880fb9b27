import type { GenesisState } from 'cosmjs-types/cosmos/slashing/v1beta1/genesis'
import * as genesisTypes from 'cosmjs-types/cosmos/slashing/v1beta1/genesis'
import { CONSENSUS_PREFIX, formatAddress, parseAddress } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { genesis } from '../../core/module.ts'
import { nanosecondsOf } from '../../core/time.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import { missedIndexes, setMissed } from './missed-blocks.ts'
import { checkParams, defaultParams, params } from './params.ts'
import * as state from './state.ts'

registerTypes(genesisTypes)

const MIN_WINDOW = 10n
const MIN_JAIL_NS = 60_000_000_000n

const parseConsensus = (text: string) => parseAddress(text, CONSENSUS_PREFIX)

function validate({ params, signingInfos, missedBlocks }: GenesisState): void {
  checkParams(params)
  if (nanosecondsOf(params.downtimeJailDuration) < MIN_JAIL_NS)
    throw sdk.invalidRequest('downtime unjail duration must be at least 1 minute')
  if (params.signedBlocksWindow < MIN_WINDOW)
    throw sdk.invalidRequest(`signed blocks window must be at least 10, is ${params.signedBlocksWindow}`)
  for (const { address } of signingInfos) parseConsensus(address)
  for (const { address, missedBlocks: missed } of missedBlocks) {
    parseConsensus(address)
    for (const { index } of missed)
      if (index < 0n) throw sdk.invalidRequest(`${address} missed a block at ${index}`)
  }
}

function init(ctx: Context, g: GenesisState): void {
  for (const { address, validatorSigningInfo } of g.signingInfos)
    state.signingInfos.set(ctx, parseConsensus(address), validatorSigningInfo)
  for (const { address, missedBlocks } of g.missedBlocks)
    for (const { index, missed } of missedBlocks) setMissed(ctx, parseConsensus(address), index, missed)
  state.params.set(ctx, g.params)
}

function exportState(ctx: Context): GenesisState {
  const infos = [...state.signingInfos.entries(ctx)].map(([consensus, info]) => ({
    consensus,
    address: formatAddress(consensus, CONSENSUS_PREFIX),
    info,
  }))
  return {
    params: params(ctx),
    signingInfos: infos.map(({ address, info }) => ({ address, validatorSigningInfo: info })),
    missedBlocks: infos.map(({ address, consensus }) => ({
      address,
      missedBlocks: [...missedIndexes(ctx, consensus)].map((index) => ({ index, missed: true })),
    })),
  }
}

export const slashingGenesis = genesis<GenesisState>({
  type: 'cosmos.slashing.v1beta1.GenesisState',
  defaults: () => ({ params: defaultParams(), signingInfos: [], missedBlocks: [] }),
  validate,
  init,
  export: exportState,
})
