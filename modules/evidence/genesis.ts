import type { Equivocation } from 'cosmjs-types/cosmos/evidence/v1beta1/evidence'
import * as types from 'cosmjs-types/cosmos/evidence/v1beta1/evidence'
import type { GenesisState } from 'cosmjs-types/cosmos/evidence/v1beta1/genesis'
import * as genesisTypes from 'cosmjs-types/cosmos/evidence/v1beta1/genesis'
import { CONSENSUS_PREFIX, parseAddress } from '../../core/address.ts'
import { toHex } from '../../core/bytes.ts'
import { genesis } from '../../core/module.ts'
import { packAny, registerTypes, unpackAny } from '../../core/wire/registry.ts'
import { evidenceError } from './errors.ts'
import { equivocations, hashOf } from './state.ts'

registerTypes(genesisTypes, types)

export const EQUIVOCATION = 'cosmos.evidence.v1beta1.Equivocation'

/** Throws evidence/3 where it is of another kind or incomplete. */
function readEquivocation(any: GenesisState['evidence'][number]): Equivocation {
  if (any.typeUrl !== `/${EQUIVOCATION}`) throw evidenceError.invalidEvidence(any.typeUrl.slice(0, 200))
  const e = unpackAny(any) as Equivocation
  if (e.time.seconds <= 0n) throw evidenceError.invalidEvidence('invalid equivocation time')
  if (e.height < 1n) throw evidenceError.invalidEvidence(`invalid equivocation height: ${e.height}`)
  if (e.power < 1n) throw evidenceError.invalidEvidence(`invalid equivocation validator power: ${e.power}`)
  parseAddress(e.consensusAddress, CONSENSUS_PREFIX)
  return e
}

function validate({ evidence }: GenesisState): void {
  const seen = new Set<string>()
  for (const hash of evidence.map((any) => toHex(hashOf(readEquivocation(any))))) {
    if (seen.has(hash)) throw evidenceError.evidenceExists(hash)
    seen.add(hash)
  }
}

export const evidenceGenesis = genesis<GenesisState>({
  type: 'cosmos.evidence.v1beta1.GenesisState',
  defaults: () => ({ evidence: [] }),
  validate,
  init(ctx, g) {
    for (const e of g.evidence.map(readEquivocation)) equivocations.set(ctx, hashOf(e), e)
  },
  export: (ctx) => ({
    evidence: [...equivocations.entries(ctx)].map(([, e]) => packAny(EQUIVOCATION, e)),
  }),
})
