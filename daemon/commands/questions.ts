import { join } from 'node:path'
import type { Command } from 'commander'
import { toHex } from '../../core/bytes.ts'
import { ChainError } from '../../core/error.ts'
import { wireType } from '../../core/wire/registry.ts'
import { FEATURES, type FeatureName } from '../../modules/classifier/api.ts'
import type {
  QueryFeaturesResponse,
  QueryModelResponse,
  QueryScoresResponse,
} from '../../proto/gen/fornax/classifier/v1/query.ts'
import { type Engine, openEngine } from '../classifier/engine.ts'
import { findModels, ownModels } from '../classifier/model-files.ts'
import type { NodeClient } from '../client/node.ts'
import { globals } from './cli.ts'
import { CliError } from './exit.ts'

/** Asks the chain, now or at a height, by a package such as `fornax.agents.v1` and a method of its Query. */
export async function asked<T>(
  client: NodeClient,
  packageName: string,
  method: string,
  value: object,
  height?: bigint,
): Promise<T> {
  const request = wireType(`${packageName}.Query${method}Request`)
  const bytes = await client.query(
    `/${packageName}.Query/${method}`,
    request.encode(request.fromPartial(value)).finish(),
    height,
  )
  return wireType(`${packageName}.Query${method}Response`).decode(bytes) as T
}

/** The same, or nothing where the chain has no such thing. */
export async function askedIfAny<T>(...question: Parameters<typeof asked>): Promise<T | undefined> {
  try {
    return await asked<T>(...question)
  } catch (error) {
    if (error instanceof ChainError && error.codespace === 'sdk' && error.code === 22) return undefined
    throw error
  }
}

export const askedScores = (client: NodeClient, height?: bigint): Promise<QueryScoresResponse> =>
  asked(client, 'fornax.classifier.v1', 'Scores', {}, height)

export const askedFeatures = (
  client: NodeClient,
  validator: string,
  height?: bigint,
): Promise<QueryFeaturesResponse> => asked(client, 'fornax.classifier.v1', 'Features', { validator }, height)

/** The model in force at a height, from the files that a node of this home would use. */
export async function engineAt(
  client: NodeClient,
  command: Command,
  height?: bigint,
): Promise<readonly [Engine, string]> {
  const { model, next } = await asked<QueryModelResponse>(client, 'fornax.classifier.v1', 'Model', {}, height)
  const inForce = next !== undefined && height !== undefined && next.activationHeight <= height ? next : model
  const hash = toHex(inForce.sha256)
  if (hash === '') throw new CliError('the chain has no model, so nobody has a score')
  const folders = [ownModels, join(globals(command).home.path, 'models')]
  const path = findModels(folders).get(hash)
  if (path === undefined) throw new CliError(`no model file with sha256 ${hash} in ${folders.join(' or ')}`)
  return [await openEngine(path, FEATURES.length), hash]
}

export const valuesOf = ({ features }: QueryFeaturesResponse): Record<FeatureName, number> =>
  Object.fromEntries(features.map(({ name, value }) => [name, value])) as Record<FeatureName, number>
