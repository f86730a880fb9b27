import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../../../core/address.ts'
import { toBase64, toHex } from '../../../../core/bytes.ts'
import type { Context } from '../../../../core/context.ts'
import { isHexForm, parseEitherAddress } from '../../../../core/hex-address.ts'
import type { Json } from '../../../../core/wire/json.ts'
import { banOf, lastDecisions, listBans, route as routing } from '../../../../modules/agents/api.ts'
import {
  absenceOf,
  FEATURES,
  MAX_SCORE,
  modelOfReports,
  parseValidator,
  recordOf,
} from '../../../../modules/classifier/api.ts'
import type { Ban } from '../../../../proto/gen/fornax/agents/v1/agents.ts'
import type { Chain } from '../../../app/chain.ts'
import { currentRound } from '../../../app/current-round.ts'
import { badRequest, HttpError } from '../../errors.ts'
import { type JsonSchema, objectSchema, type Route } from '../route.ts'

const text: JsonSchema = { type: 'string' }
const height: JsonSchema = { type: 'integer', minimum: 0 }
const hash: JsonSchema = { type: 'string', pattern: '^([0-9a-f]{64})?$' }
const confidence: JsonSchema = { type: 'number', minimum: 0, maximum: 1 }
const operator: JsonSchema = { type: 'string', description: 'Operator address.' }
const address: JsonSchema = {
  type: 'string',
  description: "Operator or account address of a validator; an account's also as 0x….",
}

const validatorOf = (text: string): Address =>
  isHexForm(text) ? parseEitherAddress(text) : parseValidator(text)

const mark = objectSchema({
  mark: objectSchema({
    chain_id: text,
    node: operator,
    height,
    reason: text,
    score: { type: 'integer', minimum: 0, maximum: MAX_SCORE },
    model_hash: hash,
    issuer: operator,
  }),
  pub_key: { type: 'string', description: "The issuer's agent key, 32 bytes in base64." },
  signature: { type: 'string', description: '64 bytes in base64; docs/ban-mark.md tells over what.' },
})
const ban = objectSchema({
  node: operator,
  height,
  reason: text,
  score: { type: 'integer', minimum: 0, maximum: MAX_SCORE },
  model_hash: hash,
  features: objectSchema(Object.fromEntries(FEATURES.map(([name]) => [name, { type: 'integer' }]))),
  feature_height: height,
  first_height: height,
  evidence: { type: 'array', items: hash },
  power: { type: 'string', pattern: '^[0-9]+$' },
  marks: { type: 'array', items: mark },
})

const MAX_BANS = 100

const banJson = ({ features, evidence, marks, ...of }: Ban): Json => ({
  node: of.node,
  height: Number(of.height),
  reason: of.reason,
  score: of.score,
  model_hash: toHex(of.modelHash),
  features: Object.fromEntries(FEATURES.map(([name], i) => [name, features[i] ?? 0])),
  feature_height: Number(of.featureHeight),
  first_height: Number(of.firstHeight),
  evidence: evidence.map(toHex),
  power: of.power.toString(),
  marks: marks.map(({ mark, pubKey, signature }) => ({
    mark: {
      chain_id: mark.chainId,
      node: mark.node,
      height: Number(mark.height),
      reason: mark.reason,
      score: mark.score,
      model_hash: toHex(mark.modelHash),
      issuer: mark.issuer,
    },
    pub_key: toBase64(pubKey),
    signature: toBase64(signature),
  })),
})

/** Routes to what the classifier and the agents tell, from the last committed state. */
export function agentRoutes(chain: Chain): Route[] {
  const committed = (): Context => chain.view('committed')
  return [
    {
      method: 'GET',
      path: '/classifier/predict/{address}',
      tag: 'Agents',
      summary: "The classifier's confidence that a validator misbehaves",
      params: { address },
      answers: {
        200: {
          description:
            'The score agreed on by the validators; `model_hash` is empty on a chain without a model.',
          schema: objectSchema({ address: operator, confidence, height, model_hash: hash }),
        },
      },
      errors: { 400: 'The address is malformed.', 404: 'The validator is not on the roster.' },
      run: ({ params }) => ({
        status: 200,
        body: prediction(committed(), validatorOf(params['address']!)),
      }),
    },
    {
      method: 'GET',
      path: '/agents/decisions',
      tag: 'Agents',
      summary: "The Decision Module's decisions of the last block",
      answers: {
        200: {
          description: 'One for each validator with a cause.',
          schema: {
            type: 'array',
            items: objectSchema({
              node: operator,
              penalty: { type: 'string', enum: ['PermanentBan', 'Heavy', 'Moderate'] },
              trigger_ban: { type: 'boolean' },
              reason: text,
              confidence,
            }),
          },
        },
      },
      run: () => ({ status: 200, body: decisions(committed()) }),
    },
    {
      method: 'GET',
      path: '/agents/consensus',
      tag: 'Agents',
      summary: "The Consensus Agent's state",
      description: 'Of the last round, its commit withheld or not.',
      answers: {
        200: {
          description: '`failsafe_active` while the last round was degraded or the chain is halted.',
          schema: objectSchema({
            similarity_ratio: { type: 'number', minimum: 0, maximum: 1 },
            failsafe_active: { type: 'boolean' },
            zenith_size: { type: 'integer', minimum: 0 },
          }),
        },
      },
      run() {
        const { similarity, degraded, zenithSize } = currentRound(chain)
        const failsafe_active = degraded || chain.isHalted
        return {
          status: 200,
          body: { similarity_ratio: similarity, failsafe_active, zenith_size: zenithSize },
        }
      },
    },
    {
      method: 'GET',
      path: '/agents/routing',
      tag: 'Agents',
      summary: "The Routing Agent's pool for the next transaction",
      answers: {
        200: {
          description: 'The pool with the least estimated latency; `load_score` is 0 (idle) to 1.',
          schema: objectSchema({
            target_pool: objectSchema({ id: { type: 'integer', minimum: 0 }, label: text }),
            estimated_latency_ms: { type: 'number', minimum: 0 },
            load_score: { type: 'number', minimum: 0, maximum: 1 },
          }),
        },
      },
      run: () => ({ status: 200, body: recommendation(committed()) }),
    },
    {
      method: 'GET',
      path: '/agents/bans',
      tag: 'Agents',
      summary: 'Bans with their BAN MARK SIGNs',
      query: {
        limit: {
          type: 'string',
          pattern: '^[1-9][0-9]{0,2}$',
          description: `1 to ${MAX_BANS}, by default all.`,
        },
        after: { type: 'string', description: "The last one's `node` of the page before." },
      },
      answers: {
        200: {
          description: 'By operator address; `next` is what `after` of the next page is, or null.',
          schema: objectSchema({
            bans: { type: 'array', items: ban },
            next: { type: ['string', 'null'] },
          }),
        },
      },
      errors: { 400: 'A parameter is malformed.' },
      run({ query }) {
        const limit = Number(query['limit'] ?? MAX_BANS)
        if (limit > MAX_BANS)
          throw badRequest('invalid_parameter', `limit is 1 to ${MAX_BANS}`, { parameter: 'limit' })
        const after = query['after']
        const found = listBans(
          committed(),
          limit + 1,
          after === undefined ? undefined : parseValidator(after),
        )
        const bans = found.slice(0, limit)
        return {
          status: 200,
          body: { bans: bans.map(banJson), next: found.length > limit ? bans.at(-1)!.node : null },
        }
      },
    },
    {
      method: 'GET',
      path: '/agents/bans/{address}',
      tag: 'Agents',
      summary: "A validator's ban with its BAN MARK SIGNs",
      params: { address },
      answers: { 200: { description: 'All that the ban can be replayed and verified from.', schema: ban } },
      errors: { 400: 'The address is malformed.', 404: 'The validator is not banned.' },
      run({ params }) {
        const who = validatorOf(params['address']!)
        const found = banOf(committed(), who)
        if (found === undefined)
          throw new HttpError(404, 'not_banned', `${formatAddress(who, VALIDATOR_PREFIX)} is not banned`)
        return { status: 200, body: banJson(found) }
      },
    },
  ]
}

function prediction(ctx: Context, who: Address): Json {
  const record = recordOf(ctx, who)
  const name = formatAddress(who, VALIDATOR_PREFIX)
  if (record === undefined) {
    const ban = banOf(ctx, who)
    const state = ban === undefined ? absenceOf(ctx, who) : `is banned since height ${ban.height}`
    const more = `\`fornaxd query agents explain ${name}\` says why`
    throw new HttpError(404, 'not_on_roster', `${name} is not on the roster: it ${state}; ${more}`)
  }
  return {
    address: name,
    confidence: record.score / MAX_SCORE,
    height: Number(ctx.height),
    // The votes on a block carry scores of the state before it.
    model_hash: toHex(modelOfReports(ctx).sha256),
  }
}

const decisions = (ctx: Context): Json =>
  lastDecisions(ctx).decisions.map(({ node, penalty, triggerBan, reason, score }) => ({
    node,
    penalty,
    trigger_ban: triggerBan,
    reason,
    confidence: score / MAX_SCORE,
  }))

function recommendation(ctx: Context): Json {
  const { pools, preferred } = routing(ctx)
  const { id, label, estimatedLatencyMs, load } = pools[preferred]!
  return {
    target_pool: { id, label },
    estimated_latency_ms: estimatedLatencyMs,
    load_score: load / MAX_SCORE,
  }
}
