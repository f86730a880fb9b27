import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../../../core/address.ts'
import { equalBytes, fromBase64, toHex, utf8 } from '../../../../core/bytes.ts'
import type { Context } from '../../../../core/context.ts'
import { verifyEd25519 } from '../../../../core/crypto/ed25519.ts'
import {
  agentKeyOf,
  MAX_TELEMETRY_BYTES,
  parseValidator,
  readTelemetry,
  TELEMETRY_LIMITS,
  type TelemetryBody,
  telemetrySignBytes,
} from '../../../../modules/classifier/api.ts'
import { consensusAddressOf, validator } from '../../../../modules/staking/api.ts'
import type { Chain } from '../../../app/chain.ts'
import type { CometRpc } from '../../../client/rpc.ts'
import { type AgentSigner, telemetryTx } from '../../../validator/agent-signer.ts'
import type { OwnTelemetry } from '../../../validator/own-telemetry.ts'
import { type CredentialRules, requireCredential } from '../../credentials.ts'
import { badRequest, HttpError } from '../../errors.ts'
import { type Call, type JsonSchema, objectSchema, type Route } from '../route.ts'
import { broadcast } from './broadcast.ts'

export interface SubmissionRouteOptions {
  readonly chain: Chain
  readonly rpc: CometRpc
  /** The node's own agent key. */
  readonly signer?: AgentSigner | undefined
  /** What this node's votes tell of its host. */
  readonly ownTelemetry?: OwnTelemetry | undefined
  readonly credentials?: CredentialRules | undefined
}

/** The vote on the next block goes into the one after it. */
const BLOCKS_TO_CARRY = 2
const SIGNATURE = 'x-fornax-signature'
const TIMESTAMP = 'x-fornax-timestamp'

const schemaOf = ([name, maximum]: (typeof TELEMETRY_LIMITS)[number]): [string, JsonSchema] => [
  name,
  { type: name === 'connections' ? 'integer' : 'number', minimum: 0, maximum },
]

/** `POST /agents/metrics`: a validator's telemetry, with this node's next vote or as a transaction of its agent. */
export function submissionRoute(options: SubmissionRouteOptions): Route {
  const { chain, rpc } = options
  return {
    method: 'POST',
    path: '/agents/metrics',
    tag: 'Agents',
    summary: "Submit a validator's metrics",
    description:
      `For the validator whose agent key this node holds: with a bearer token whose scopes cover \`classifier\`. It goes ` +
      "with this node's next vote where the node is that validator's, else as a transaction. For any validator: with a " +
      'detached signature by its agent key over the lines `fornax/metrics`, chain id, timestamp and ' +
      `the exact body (UTF-8, joined by \\n, at most ${MAX_TELEMETRY_BYTES} bytes of body). The last submission of a block ` +
      'takes effect.',
    headers: {
      'X-Fornax-Signature': {
        type: 'string',
        description: 'The detached ed25519 signature, 64 bytes in base64.',
      },
      'X-Fornax-Timestamp': {
        type: 'string',
        pattern: '^[0-9]{1,15}$',
        description:
          "With the signature: milliseconds since 1970, later than the validator's last, within a minute of the chain's time.",
      },
    },
    security: [{ token: [] }, {}],
    body: objectSchema({
      node: { type: 'string', description: "The validator's operator or account address." },
      ...Object.fromEntries(TELEMETRY_LIMITS.map(schemaOf)),
    }),
    answers: {
      202: {
        description:
          'The mempool took the submission, or it goes with the next vote: `height` is the first block that can carry it.',
        schema: objectSchema(
          {
            accepted: { type: 'boolean', const: true },
            tx_hash: { type: 'string' },
            height: { type: 'integer', minimum: 1 },
          },
          ['tx_hash', 'height'],
        ),
      },
    },
    errors: {
      401: 'Neither a valid token nor a valid signature.',
      403: 'The token does not cover this, or the node does not hold the agent key of that validator.',
      404: 'There is no such validator, or it has no agent key.',
      422: 'The timestamp is too old, too new or not the latest.',
      429: 'Too many writes of this client, or agent transactions of this validator in one block.',
    },
    async run(call) {
      const { node, ...telemetry } = call.body as TelemetryBody
      const operator = parseValidator(node)
      if (chain.isHalted)
        throw new HttpError(503, 'halted', 'the chain is halted', {}, { 'retry-after': '5' })
      const isSigned = call.headers[SIGNATURE] !== undefined || call.headers[TIMESTAMP] !== undefined
      if (!isSigned) requireCallersCredential(options, call)
      const ctx = chain.view('committed')
      const name = formatAddress(operator, VALIDATOR_PREFIX)
      if (validator(ctx, operator) === undefined)
        throw new HttpError(404, 'unknown_validator', `there is no validator ${name}`)
      const key = agentKeyOf(ctx, operator)
      if (key === undefined) throw new HttpError(404, 'no_agent_key', `${name} has no agent key`)
      if (!isSigned && (await isOwnVoter(options, ctx, operator))) {
        options.ownTelemetry!.post(readTelemetry(utf8(call.text)).telemetry)
        return { status: 202, body: { accepted: true, height: chain.decidedHeight + BLOCKS_TO_CARRY } }
      }
      const tx = isSigned
        ? signedByCaller(ctx, call, name, key)
        : signedHere(options.signer, ctx, operator, telemetry)
      return { status: 202, body: { accepted: true, tx_hash: await broadcast(rpc, tx) } }
    },
  }
}

/** Whether this node votes for that validator, and holds its agent key. */
async function isOwnVoter(
  { rpc, signer, ownTelemetry }: SubmissionRouteOptions,
  ctx: Context,
  operator: Address,
): Promise<boolean> {
  const agent = signer?.agent(ctx)
  if (!ownTelemetry?.isAsked || agent === undefined || !equalBytes(agent.operator, operator)) return false
  const { validator_info } = await rpc.status()
  return validator_info.address === toHex(consensusAddressOf(validator(ctx, operator)!)).toUpperCase()
}

function requireCallersCredential({ credentials }: SubmissionRouteOptions, call: Call): void {
  if (credentials === undefined)
    throw new HttpError(401, 'unauthorized', `this node takes metrics with ${SIGNATURE} only`)
  requireCredential(credentials, call, 'classifier')
}

/** Throws 403 where the node's key is not that validator's. */
function signedHere(
  signer: AgentSigner | undefined,
  ctx: Context,
  operator: Address,
  telemetry: Omit<TelemetryBody, 'node'>,
): Uint8Array {
  const agent = signer?.agent(ctx)
  if (signer === undefined || agent === undefined || !equalBytes(agent.operator, operator))
    throw new HttpError(403, 'agent_key_not_held', 'this node does not hold the agent key of that validator')
  return signer.submitTelemetry(ctx, agent, telemetry)
}

/** Throws 400 for headers that are malformed, 401 for a signature that is not of the key, 413. */
function signedByCaller(ctx: Context, { headers, text }: Call, name: string, key: Uint8Array): Uint8Array {
  const time = headers[TIMESTAMP]
  if (typeof time !== 'string' || !/^[0-9]{1,15}$/.test(time))
    throw badRequest('invalid_header', 'X-Fornax-Timestamp must be milliseconds since 1970', {
      at: TIMESTAMP,
    })
  const signature = readSignature(headers[SIGNATURE])
  const body = utf8(text)
  if (body.length > MAX_TELEMETRY_BYTES)
    throw new HttpError(413, 'body_too_large', `a signed body has at most ${MAX_TELEMETRY_BYTES} bytes`)
  requireReadable(body)
  const timestampMs = BigInt(time)
  if (!verifyEd25519(key, telemetrySignBytes(ctx.block.chainId, timestampMs, body), signature))
    throw new HttpError(401, 'bad_signature', `the signature is not of the agent key of ${name}`)
  return telemetryTx(name, body, timestampMs, signature)
}

/** The chain reads the text itself, and not as leniently: a byte order mark is none of JSON. */
function requireReadable(body: Uint8Array): void {
  try {
    readTelemetry(body)
  } catch (error) {
    throw badRequest('invalid_body', (error as Error).message)
  }
}

function readSignature(header: string | string[] | undefined): Uint8Array {
  try {
    const signature = fromBase64(String(header))
    if (signature.length === 64) return signature
  } catch {}
  throw badRequest('invalid_header', 'X-Fornax-Signature must be 64 bytes in base64', { at: SIGNATURE })
}
