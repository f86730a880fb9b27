import { existsSync } from 'node:fs'
import { type CometKey, CometKeyError, cometKey, keyJson, keyOfJson, readKeyFile } from '../comet/keys.ts'
import { writeFileAtomically } from '../files.ts'

/**
 * The ed25519 keys that a validator's agents sign with: `config/agent_key.json` is `{"priv_key": …, "previous": […]}`, each
 * in CometBFT's form, mode 0600. Of all these, the one that the chain knows signs.
 */
export interface AgentKeys {
  readonly current: CometKey
  /** The newest first. */
  readonly previous: readonly CometKey[]
}

const KEPT = 4

/** Reads the file. Throws CometKeyError where it is missing or holds something else. */
export function readAgentKeys(file: string): AgentKeys {
  const json = readKeyFile(file) as { priv_key?: unknown; previous?: unknown } | null
  const current = keyOfJson(json?.priv_key, file)
  const previous = json?.previous ?? []
  if (!Array.isArray(previous)) throw new CometKeyError(`${file} holds no list of previous keys`)
  return { current, previous: previous.map((key) => keyOfJson(key, file)) }
}

/** Makes a key where there is none, and answers what there is. Throws CometKeyError. */
export function ensureAgentKey(file: string): AgentKeys {
  if (!existsSync(file)) write(file, { current: cometKey(), previous: [] })
  return readAgentKeys(file)
}

/** Puts a new key into the file and keeps the last few. Throws CometKeyError. */
export function rotateAgentKey(file: string): AgentKeys {
  const { current, previous } = readAgentKeys(file)
  const keys = { current: cometKey(), previous: [current, ...previous].slice(0, KEPT) }
  write(file, keys)
  return keys
}

function write(file: string, { current, previous }: AgentKeys): void {
  const json = { priv_key: keyJson(current), previous: previous.map(keyJson) }
  writeFileAtomically(file, `${JSON.stringify(json, null, 2)}\n`)
}
