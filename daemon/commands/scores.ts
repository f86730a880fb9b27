import { Command } from 'commander'
import { ChainError } from '../../core/error.ts'
import { FEATURES } from '../../modules/classifier/api.ts'
import type { QueryScoresResponse } from '../../proto/gen/fornax/classifier/v1/query.ts'
import type { NodeClient } from '../client/node.ts'
import { examples, print } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { clientOf, withNode } from './node.ts'
import { askedFeatures, askedScores, engineAt, valuesOf } from './questions.ts'
import { unsigned } from './tx-options.ts'

/** Blocks from a state to the one that holds the scores agreed of it. */
const DELAY = 2n

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
      // The node takes height 0 for its last.
      if (height === 0n) throw new CliError('--height must be 1 or more', exitCodes.usage)
      const client = clientOf(command)
      const [before, after] = await scoresAround(client, height)
      const [engine, model] = await engineAt(client, command, height)
      const agreed = new Map(after.scores.map(({ validator, score }) => [validator, score]))
      const rows = await Promise.all(
        before.scores.map(({ validator }) => askedFeatures(client, validator, height)),
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

/** The scores in a state, and those that were agreed of it. */
async function scoresAround(
  client: NodeClient,
  height: bigint,
): Promise<readonly [before: QueryScoresResponse, after: QueryScoresResponse]> {
  const { height: last } = await askedScores(client)
  if (height + DELAY > last) {
    const newest =
      last > DELAY ? `the newest that can be verified is ${last - DELAY}` : 'none can be verified'
    throw new CliError(
      `the scores of height ${height} are known once height ${height + DELAY} is committed; the last committed is ${last}: ${newest}`,
    )
  }
  const before = await askedScores(client, height)
  if (before.scores.length === 0)
    throw new CliError(
      `there are no scores of height ${height}: nobody was on the roster yet (it begins with the second block)`,
    )
  return [before, await agreedScores(client, height)]
}

async function agreedScores(client: NodeClient, height: bigint): Promise<QueryScoresResponse> {
  try {
    return await askedScores(client, height + DELAY)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new CliError(
      `the scores of height ${height} stand at height ${height + DELAY}, which cannot be read: ${error.message}`,
    )
  }
}
