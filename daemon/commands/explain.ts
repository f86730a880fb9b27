import { Command } from 'commander'
import type { QuerySigningInfoResponse } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import type { QueryValidatorResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { CONSENSUS_PREFIX, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { isHexForm } from '../../core/hex-address.ts'
import { parseValidator } from '../../modules/classifier/api.ts'
import { consensusAddressOf } from '../../modules/staking/api.ts'
import type { QueryBanResponse, QueryStandingResponse } from '../../proto/gen/fornax/agents/v1/query.ts'
import { explain } from '../classifier/explanation.ts'
import { fromHexForm } from '../client/fields.ts'
import type { NodeClient } from '../client/node.ts'
import { type Absence, absence } from './absence.ts'
import { examples, print } from './cli.ts'
import { keyNames, withKeyring } from './keyring.ts'
import { clientOf, withNode } from './node.ts'
import { asked, askedFeatures, askedIfAny, askedScores, engineAt, valuesOf } from './questions.ts'
import { unsigned } from './tx-options.ts'
import { causesIn, wayBack } from './way-back.ts'

const HEAVY = 7_000
const BAN = 8_000

export function explainCommand(): Command {
  return withKeyring(
    withNode(new Command('explain'))
      .argument('<validator>', 'operator or account address, the latter also as 0x…, or the name of a key')
      .description('tell in words why a validator has its score, and what follows from it'),
  )
    .option('--height <n>', 'as it was at this height')
    .addHelpText('after', examples('fornaxd query agents explain fornaxvaloper1…'))
    .action(async (validator: string, options: { height?: string }, command: Command) => {
      const at = options.height === undefined ? undefined : unsigned('--height', options.height)
      const client = clientOf(command)
      const named = isHexForm(validator)
        ? fromHexForm(validator, 'validator')
        : await keyNames(command).addressOf(validator)
      const operator = formatAddress(parseValidator(named ?? validator), VALIDATOR_PREFIX)
      const { height } = await askedScores(client, at)
      const standing = await asked<QueryStandingResponse>(
        client,
        'fornax.agents.v1',
        'Standing',
        { validator: operator },
        height,
      )
      const isOut = standing.banned || standing.standing.jailedUntil > height || standing.pool === ''
      const out = isOut ? await absenceAt(client, operator, standing, height) : undefined
      // Figures are of those on the roster, all of them of each.
      if (standing.evidence.length > 0)
        await explainScore(client, command, operator, { standing, height, out })
      else explainAbsence(command, operator, standing, height, out!)
    })
}

async function absenceAt(
  client: NodeClient,
  operator: string,
  standing: QueryStandingResponse,
  height: bigint,
): Promise<Absence> {
  const found = standing.banned
    ? await asked<QueryBanResponse>(client, 'fornax.agents.v1', 'Ban', { validator: operator }, height)
    : undefined
  const staked = await askedIfAny<QueryValidatorResponse>(
    client,
    'cosmos.staking.v1beta1',
    'Validator',
    { validatorAddr: operator },
    height,
  )
  const signed =
    staked &&
    (await askedIfAny<QuerySigningInfoResponse>(
      client,
      'cosmos.slashing.v1beta1',
      'SigningInfo',
      { consAddress: formatAddress(consensusAddressOf(staked.validator), CONSENSUS_PREFIX) },
      height,
    ))
  return absence({
    standing,
    height,
    ban: found?.ban,
    validator: staked?.validator,
    signingInfo: signed?.valSigningInfo,
  })
}

/** Of one that is not scored any more, or never was. */
function explainAbsence(
  command: Command,
  validator: string,
  { banned }: QueryStandingResponse,
  height: bigint,
  { because, back }: Absence,
): void {
  const json = {
    validator,
    height: `${height}`,
    score: null,
    pool: '',
    banned,
    out_because: because,
    way_back: back,
  }
  print(command, json, () =>
    [
      `${validator} at height ${height}`,
      'score      none: it is not on the roster',
      `pool       ${banned ? 'banned' : 'out of the set'}`,
      `out of it  ${because}`,
      `way back   ${back}`,
    ].join('\n'),
  )
}

interface Judged {
  readonly standing: QueryStandingResponse
  readonly height: bigint
  readonly out: Absence | undefined
}

async function explainScore(
  client: NodeClient,
  command: Command,
  validator: string,
  { standing, height, out }: Judged,
): Promise<void> {
  const [engine] = await engineAt(client, command, height)
  const found = await askedFeatures(client, validator, height)
  const { pool, banned, reason } = standing
  const causes = causesIn(standing.evidence)
  const back = out?.back ?? wayBack(standing, height)
  const { score, contributions } = await explain(engine, valuesOf(found))
  const json = {
    validator,
    height: `${height}`,
    score,
    agreed_score: found.score,
    pool,
    banned,
    out_because: out?.because ?? '',
    reason,
    causes,
    way_back: back,
    contributions: contributions.map(({ group, words, points }) => ({ group, words, points })),
  }
  print(command, json, () =>
    [
      `${validator} at height ${height}`,
      `score      ${score / 100} %, agreed two blocks before: ${found.score / 100} %: ${tierOf(found.score)}`,
      `pool       ${banned ? 'banned' : pool === '' ? 'out of the set' : pool}`,
      ...(out === undefined ? [] : [`out of it  ${out.because}`]),
      `decided on ${decidedOn(reason, found.score)}`,
      ...causes.map((cause) => `cause      ${cause}`),
      `way back   ${back}`,
      ...contributions.map(
        ({ group, words, points }) =>
          `${group.padEnd(10)} ${`${points > 0 ? '+' : ''}${(points / 100).toFixed(2)}`.padStart(7)}  ${words}`,
      ),
      'Each figure is what that adds to the score (in %): were it blameless and all else the same, the score would fall by so much, or rise where the figure is negative.',
    ].join('\n'),
  )
}

function decidedOn(reason: string, score: number): string {
  if (reason === '') return 'nothing'
  return score < HEAVY ? `${reason}: a cause alone brings Moderate, whatever the score below 70 %` : reason
}

function tierOf(score: number): string {
  if (score >= BAN) return 'enough for a ban'
  return score >= HEAVY ? 'Heavy where a cause carries it' : 'at most Moderate'
}
