import { join } from 'node:path'
import { Command } from 'commander'
import { toHex } from '../../core/bytes.ts'
import { ChainError } from '../../core/error.ts'
import { wireType } from '../../core/wire/registry.ts'
import { FEATURES, type FeatureName } from '../../modules/classifier/api.ts'
import type { QueryStandingResponse } from '../../proto/gen/fornax/agents/v1/query.ts'
import type {
  QueryFeaturesResponse,
  QueryModelResponse,
  QueryScoresResponse,
} from '../../proto/gen/fornax/classifier/v1/query.ts'
import { type Engine, openEngine } from '../classifier/engine.ts'
import { explain } from '../classifier/explanation.ts'
import { findModels, ownModels } from '../classifier/model-files.ts'
import type { NodeClient } from '../client/node.ts'
import { examples, globals, print } from './cli.ts'
import { CliError } from './exit.ts'
import { clientOf, withNode } from './node.ts'
import { unsigned } from './tx-options.ts'
import { causesIn, wayBack } from './way-back.ts'

/** Blocks from a state to the one that holds the scores agreed of it. */
const DELAY = 2n

async function ask<T>(
  client: NodeClient,
  path: string,
  request: { type: string; value: object },
  answer: string,
  height?: bigint,
): Promise<T> {
  const type = wireType(request.type)
  try {
    const bytes = await client.query(path, type.encode(type.fromPartial(request.value)).finish(), height)
    return wireType(answer).decode(bytes) as T
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new CliError(error.message)
  }
}

function asked<T>(
  client: NodeClient,
  service: string,
  method: string,
  value: object,
  height?: bigint,
): Promise<T> {
  const name = `fornax.${service}.v1.Query${method}`
  return ask(
    client,
    `/fornax.${service}.v1.Query/${method}`,
    { type: `${name}Request`, value },
    `${name}Response`,
    height,
  )
}

/** The model in force at a height, from the files that a node of this home would use. */
async function engineAt(
  client: NodeClient,
  command: Command,
  height?: bigint,
): Promise<readonly [Engine, string]> {
  const { model, next } = await asked<QueryModelResponse>(client, 'classifier', 'Model', {}, height)
  const inForce = next !== undefined && height !== undefined && next.activationHeight <= height ? next : model
  const hash = toHex(inForce.sha256)
  const folders = [ownModels, join(globals(command).home.path, 'models')]
  const path = findModels(folders).get(hash)
  if (path === undefined) throw new CliError(`no model file with sha256 ${hash} in ${folders.join(' or ')}`)
  return [await openEngine(path, FEATURES.length), hash]
}

const valuesOf = ({ features }: QueryFeaturesResponse): Record<FeatureName, number> =>
  Object.fromEntries(features.map(({ name, value }) => [name, value])) as Record<FeatureName, number>

export function verifyScoresCommand(): Command {
  return withNode(
    new Command('verify').description(
      'make the scores of a past state again, and compare them with the chain’s',
    ),
  )
    .requiredOption('--height <n>', 'a height whose state the node keeps; its scores stand two blocks later')
    .addHelpText('after', examples('fornaxd query classifier verify --height 1200'))
    .action(async (options: { height: string }, command: Command) => {
      const height = unsigned('--height', options.height)
      const client = clientOf(command)
      const [engine, model] = await engineAt(client, command, height)
      const before = await asked<QueryScoresResponse>(client, 'classifier', 'Scores', {}, height)
      const after = await asked<QueryScoresResponse>(client, 'classifier', 'Scores', {}, height + DELAY)
      const agreed = new Map(after.scores.map(({ validator, score }) => [validator, score]))
      const rows = await Promise.all(
        before.scores.map(({ validator }) =>
          asked<QueryFeaturesResponse>(client, 'classifier', 'Features', { validator }, height),
        ),
      )
      const made = await engine.scores(rows.map((row) => FEATURES.map(([name]) => valuesOf(row)[name])))
      const scores = rows.map(({ validator }, i) => ({
        validator,
        score: made[i]!,
        agreed: agreed.get(validator) ?? null,
      }))
      const differing = scores.filter(({ score, agreed }) => agreed !== null && agreed !== score)
      print(command, { height: `${height}`, model, scores, equal: differing.length === 0 }, () =>
        [
          ...scores.map(
            ({ validator, score, agreed }) =>
              `${validator}  ${score}  ${agreed === null ? 'left the roster' : agreed === score ? 'equal' : `the chain says ${agreed}`}`,
          ),
          differing.length === 0
            ? `the scores of height ${height} are those of model ${model.slice(0, 16)}…`
            : `${differing.length} of ${scores.length} scores differ`,
        ].join('\n'),
      )
      if (differing.length > 0) throw new CliError('the chain’s scores are not those of the model')
    })
}

export function explainCommand(): Command {
  return withNode(
    new Command('explain')
      .argument('<validator>', 'operator or account address')
      .description('tell in words why a validator has its score, and what follows from it'),
  )
    .option('--height <n>', 'as it was at this height')
    .addHelpText('after', examples('fornaxd query agents explain fornaxvaloper1…'))
    .action(async (validator: string, options: { height?: string }, command: Command) => {
      const height = options.height === undefined ? undefined : unsigned('--height', options.height)
      const client = clientOf(command)
      const [engine] = await engineAt(client, command, height)
      const found = await asked<QueryFeaturesResponse>(
        client,
        'classifier',
        'Features',
        { validator },
        height,
      )
      const standing = await asked<QueryStandingResponse>(client, 'agents', 'Standing', { validator }, height)
      const { pool, banned, reason } = standing
      const causes = causesIn(standing.evidence)
      const back = wayBack(standing, found.height)
      const { score, contributions } = await explain(engine, valuesOf(found))
      const json = {
        validator: found.validator,
        height: `${found.height}`,
        score,
        agreed_score: found.score,
        pool,
        banned,
        reason,
        causes,
        way_back: back,
        contributions: contributions.map(({ group, words, points }) => ({ group, words, points })),
      }
      print(command, json, () =>
        [
          `${found.validator} at height ${found.height}`,
          `score      ${score / 100} %, agreed two blocks before: ${found.score / 100} %: ${tierOf(found.score)}`,
          `pool       ${banned ? 'banned' : pool === '' ? 'out of the set' : pool}`,
          `decided on ${reason === '' ? 'nothing' : reason}`,
          ...causes.map((cause) => `cause      ${cause}`),
          `way back   ${back}`,
          ...contributions.map(
            ({ group, words, points }) =>
              `${group.padEnd(10)} ${`${points > 0 ? '+' : ''}${(points / 100).toFixed(2)}`.padStart(7)}  ${words}`,
          ),
          'Each figure is by how much the score would fall (in %) if that were blameless and all else the same.',
        ].join('\n'),
      )
    })
}

function tierOf(score: number): string {
  if (score >= 8_000) return 'enough for a ban'
  return score >= 7_000 ? 'Heavy where a cause carries it' : 'at most Moderate'
}
