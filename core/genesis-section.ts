import { sdk } from './error.ts'
import type { Genesis } from './module.ts'
import { fromJson, type Json, toJson } from './wire/json.ts'

/** A module's section of a genesis file: its message, with `constants` where it declares any. Throws sdk/17. */
export function sectionFromJson(genesis: Genesis<unknown>, section: unknown, path: string): unknown {
  const names = genesis.constants ?? []
  if (names.length === 0) return fromJson(genesis.type, section, path)
  if (typeof section !== 'object' || section === null || Array.isArray(section))
    throw sdk.jsonUnmarshal(`${path}: expected an object`)
  const fields: Record<string, unknown> = { ...section }
  const constants: Record<string, bigint> = {}
  for (const name of names) {
    const value = fields[name]
    delete fields[name]
    if (value === undefined) continue
    if (typeof value !== 'string' || !/^[1-9][0-9]{0,37}$/.test(value))
      throw sdk.jsonUnmarshal(`${path}.${name}: expected a positive integer as text`)
    constants[name] = BigInt(value)
  }
  return { ...(fromJson(genesis.type, fields, path) as object), constants }
}

export function sectionToJson(genesis: Genesis<unknown>, state: unknown): { [field: string]: Json } {
  const json = toJson(genesis.type, state)
  const { constants = {} } = state as { constants?: Readonly<Record<string, bigint>> }
  for (const [name, value] of Object.entries(constants)) json[name] = value.toString()
  return json
}
