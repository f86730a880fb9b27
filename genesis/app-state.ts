import type { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Context } from '../core/context.ts'
import { ChainError, sdk } from '../core/error.ts'
import { sectionFromJson, sectionToJson } from '../core/genesis-section.ts'
import type { Genesis, Module } from '../core/module.ts'
import { fromJson, type Json } from '../core/wire/json.ts'

export interface ModuleGenesis {
  readonly module: Module
  readonly genesis: Genesis<unknown>
  readonly state: unknown
}

/** Sections of a genesis file that no module owns: genesis transactions, and the mark of a development chain. */
const OTHER_SECTIONS = ['genutil', 'fornax']

function asObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw sdk.jsonUnmarshal(`${path}: expected an object`)
  return value as Record<string, unknown>
}

/**
 * Reads and validates every module's section of `app_state`, in the modules' order; a missing one has the defaults.
 * Throws a ChainError that names the faulty place.
 */
export function readAppState(modules: readonly Module[], appState: unknown): ModuleGenesis[] {
  const sections = asObject(appState, 'app_state')
  const names = new Set([...modules.filter((m) => m.genesis).map((m) => m.name), ...OTHER_SECTIONS])
  for (const name of Object.keys(sections))
    if (!names.has(name)) throw sdk.jsonUnmarshal(`app_state.${name}: no such module`)
  return modules.flatMap((module) => {
    const { genesis } = module
    if (genesis === undefined) return []
    const section = sections[module.name]
    const path = `app_state.${module.name}`
    const state = section === undefined ? genesis.defaults() : sectionFromJson(genesis, section, path)
    try {
      genesis.validate?.(state as never)
    } catch (error) {
      if (error instanceof ChainError) throw sdk.invalidRequest(`${path}: ${error.message}`)
      throw error
    }
    return [{ module, genesis, state }]
  })
}

/** The bytes of `genutil.gen_txs`, whose elements are transactions in the SDK's JSON. */
export function genesisTransactions(appState: unknown): Uint8Array[] {
  const genutil = asObject(appState, 'app_state')['genutil']
  if (genutil === undefined) return []
  const list = asObject(genutil, 'app_state.genutil')['gen_txs'] ?? []
  if (!Array.isArray(list)) throw sdk.jsonUnmarshal('app_state.genutil.gen_txs: expected a list')
  return list.map((json, i) => {
    const tx = fromJson('cosmos.tx.v1beta1.Tx', json, `app_state.genutil.gen_txs[${i}]`) as Tx
    return TxRaw.encode({
      bodyBytes: TxBody.encode(tx.body!).finish(),
      authInfoBytes: AuthInfo.encode(tx.authInfo!).finish(),
      signatures: tx.signatures,
    }).finish()
  })
}

/** `app_state` of a running chain: a genesis that starts again with the same state. */
export function exportGenesis(modules: readonly Module[], ctx: Context): { [module: string]: Json } {
  const out: { [module: string]: Json } = {}
  for (const { name, genesis } of modules)
    if (genesis !== undefined) out[name] = sectionToJson(genesis, genesis.export(ctx))
  return out
}
