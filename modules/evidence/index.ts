import { defineModule, type Module } from '../../core/module.ts'
import { punishMisbehavior } from './equivocation.ts'
import { evidenceGenesis } from './genesis.ts'
import type { EvidenceHooks } from './hooks.ts'
import { evidenceQueries } from './queries.ts'
import * as state from './state.ts'

/** The module, with whom it tells of accepted evidence, in this order. */
export const createEvidence = (...listeners: readonly EvidenceHooks[]): Module =>
  defineModule({
    name: 'evidence',
    stores: [state.STORE],
    queries: evidenceQueries,
    listeners,
    genesis: evidenceGenesis,
    beginBlock: punishMisbehavior,
  })
