import { readFileSync } from 'node:fs'
import type { ConsensusParams } from 'cosmjs-types/tendermint/types/params'
import { fromBase64, NO_BYTES, toBase64 } from '../core/bytes.ts'
import { sectionToJson } from '../core/genesis-section.ts'
import type { Module } from '../core/module.ts'
import { nanosecondsOf } from '../core/time.ts'
import type { Json } from '../core/wire/json.ts'

export const DENOM = 'afrx'
/** afrx of one FRX, and of one unit of voting power. */
export const FRX = 10n ** 18n

export type JsonObject = { [key: string]: Json }

/** What wallets and explorers show of afrx. */
export const frxMetadata = {
  description: 'The coin of Fornax: it pays for gas and is staked.',
  denom_units: [
    { denom: DENOM, exponent: 0, aliases: ['attofrx'] },
    { denom: 'frx', exponent: 18, aliases: ['FRX'] },
  ],
  base: DENOM,
  display: 'frx',
  name: 'Fornax',
  symbol: 'FRX',
  uri: '',
  uri_hash: '',
}

/** genesis.json as CometBFT 0.38 reads it; `app_state` is the application's, in the SDK's JSON. */
export interface GenesisDocument {
  genesis_time: string
  chain_id: string
  initial_height: string
  consensus_params: JsonObject
  /** Of an exported state; otherwise the state says. */
  validators?: GenesisValidator[]
  app_hash: string
  app_state: AppState
}

export interface GenesisValidator {
  /** Of the consensus key, in upper case hex. */
  readonly address: string
  /** `tendermint/PubKeyEd25519`, in base64. */
  readonly pub_key: { readonly type: string; readonly value: string }
  readonly power: string
  readonly name: string
}

/** A section for each module, the transactions that make the first validators, and what concerns the chain as a whole. */
export type AppState = JsonObject & {
  genutil: { gen_txs: Json[] }
  /**
   * `development: true` marks a chain without value: only there may a node offer a faucet.
   */
  fornax: { development: boolean }
}

/** A genesis file that cannot be used; the message says where and why. */
export class GenesisError extends Error {
  override readonly name = 'GenesisError'
}

export interface GenesisOptions {
  readonly chainId: string
  readonly modules: readonly Module[]
  /** RFC 3339; default now. */
  readonly time?: string
  readonly development?: boolean
  /** Gas that all transactions of a block may want together; -1 for no limit. */
  readonly maxGas?: bigint
  /** sha256 of the model that makes the scores; default none. */
  readonly modelHash?: Uint8Array | undefined
}

/** `fornax-<n>`: the number is the revision that IBC reads. */
export const isChainId = (text: string): boolean => /^fornax-[1-9][0-9]{0,18}$/.test(text)

/** A time in UTC as genesis files have it, RFC 3339. */
export const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) && !Number.isNaN(Date.parse(text))

/** A chain without accounts and validators, every module at its defaults. */
export function newGenesis(options: GenesisOptions): GenesisDocument {
  const {
    chainId,
    modules,
    time = new Date().toISOString(),
    development = false,
    maxGas = 100_000_000n,
    modelHash = NO_BYTES,
  } = options
  if (!isChainId(chainId))
    throw new GenesisError(
      `${JSON.stringify(chainId)} is not a chain id: it must be fornax-<number>, such as fornax-1`,
    )
  const sections: JsonObject = {}
  for (const { name, genesis } of modules)
    if (genesis) sections[name] = sectionToJson(genesis, genesis.defaults())
  return {
    genesis_time: time,
    chain_id: chainId,
    initial_height: '1',
    consensus_params: {
      block: { max_bytes: '4194304', max_gas: String(maxGas) },
      // Ages match the unbonding time of three weeks: older misbehaviour can no longer be punished.
      evidence: { max_age_num_blocks: '362880', max_age_duration: '1814400000000000', max_bytes: '1048576' },
      validator: { pub_key_types: ['ed25519'] },
      version: { app: '0' },
      abci: { vote_extensions_enable_height: '1' },
    },
    app_hash: '',
    app_state: {
      ...sections,
      ...(sections['bank'] && {
        bank: { ...(sections['bank'] as JsonObject), denom_metadata: [frxMetadata] },
      }),
      ...(sections['classifier'] && { classifier: withModel(sections['classifier'], modelHash) }),
      genutil: { gen_txs: [] },
      fornax: { development },
    },
  }
}

const withModel = (classifier: Json | undefined, hash: Uint8Array): JsonObject => ({
  ...(classifier as JsonObject),
  model: { sha256: toBase64(hash), activation_height: '0' },
})

/** sha256 of the model that a genesis file names; empty where it names none. */
export function genesisModel({ app_state }: GenesisDocument): Uint8Array {
  const { model } = (app_state['classifier'] ?? {}) as { model?: { sha256?: string | null } }
  return fromBase64(model?.sha256 ?? '')
}

/** Consensus parameters as CometBFT writes them, whose durations are nanoseconds. */
export function consensusParamsJson({
  block,
  evidence,
  validator,
  version,
  abci,
}: ConsensusParams): JsonObject {
  return {
    block: { max_bytes: String(block?.maxBytes ?? 4_194_304), max_gas: String(block?.maxGas ?? -1) },
    evidence: {
      max_age_num_blocks: String(evidence?.maxAgeNumBlocks ?? 0),
      max_age_duration: String(evidence?.maxAgeDuration ? nanosecondsOf(evidence.maxAgeDuration) : 0),
      max_bytes: String(evidence?.maxBytes ?? 0),
    },
    validator: { pub_key_types: [...(validator?.pubKeyTypes ?? ['ed25519'])] },
    version: { app: String(version?.app ?? 0) },
    abci: { vote_extensions_enable_height: String(abci?.voteExtensionsEnableHeight ?? 1) },
  }
}

export const renderGenesis = (document: GenesisDocument): string => `${JSON.stringify(document, null, 2)}\n`

/** Reads a genesis file without looking into `app_state`. Throws GenesisError. */
export function readGenesis(path: string): GenesisDocument {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new GenesisError(
      code === 'ENOENT'
        ? `${path} does not exist: run \`fornaxd init\`, or copy the chain's genesis file there`
        : `${path} cannot be read (${code})`,
    )
  }
  return parseGenesis(text, path)
}

/** As readGenesis, of text. */
export function parseGenesis(text: string, path: string): GenesisDocument {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new GenesisError(`${path} is not JSON: ${(error as Error).message}`)
  }
  if (!isObject(document)) throw new GenesisError(`${path} is not a genesis file: it must be an object`)
  const { chain_id, app_state } = document
  if (typeof chain_id !== 'string') throw new GenesisError(`${path}: chain_id must be text`)
  if (!isObject(app_state)) throw new GenesisError(`${path}: app_state must be an object`)
  return document as unknown as GenesisDocument
}

/** Whether the chain is marked as one for development. Anything but a clear yes is a no. */
export function isDevelopmentChain({ app_state }: GenesisDocument): boolean {
  const mark: unknown = app_state['fornax']
  return isObject(mark) && mark['development'] === true
}

/** `above` laid over `below`: objects field by field, anything else whole. */
export function laidOver(below: JsonObject, above: JsonObject): JsonObject {
  const merged = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const base = merged[key]
    merged[key] = isObject(base) && isObject(value) ? laidOver(base, value) : value
  }
  return merged
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
