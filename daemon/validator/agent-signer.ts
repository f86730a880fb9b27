import { statSync } from 'node:fs'
import { type Address, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { equalBytes, utf8 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { selfAuthenticatedTx } from '../../core/tx/build.ts'
import { type Any, packAny } from '../../core/wire/registry.ts'
import { banMarkSignBytes, markOf } from '../../modules/agents/api.ts'
import {
  agentKeyOf,
  agentKeySignBytes,
  operatorOfAgentKey,
  type TelemetryBody,
  telemetryOf,
  telemetrySignBytes,
} from '../../modules/classifier/api.ts'
import type { Ban } from '../../proto/gen/fornax/agents/v1/agents.ts'
import { type CometKey, signEd25519 } from '../comet/keys.ts'
import { readAgentKeys } from './agent-key.ts'

/** The validator that this node's agents act for, and the key by which the chain knows them. */
export interface Agent {
  readonly operator: Address
  /** Operator address in text. */
  readonly name: string
  readonly key: CometKey
}

/** A submission of telemetry as a transaction. `signature` is over `telemetrySignBytes`. */
export const telemetryTx = (
  validator: string,
  body: Uint8Array,
  timestampMs: bigint,
  signature: Uint8Array,
): Uint8Array =>
  selfAuthenticatedTx(
    packAny('fornax.classifier.v1.MsgSubmitMetrics', { validator, body, timestampMs, signature }),
  )

/** Makes a key the agents' of a validator: signed by the key itself, so that nobody can give one that is another's. */
export const agentKeyMessage = (key: CometKey, chainId: string, validator: string): Any =>
  packAny('fornax.classifier.v1.MsgSetAgentKey', {
    validator,
    pubKey: key.publicKey,
    signature: signEd25519(key, agentKeySignBytes(chainId, validator, key.publicKey)),
  })

/** Signs for the agents with the keys of a file, which may change while the node runs. */
export class AgentSigner {
  readonly #file: string
  readonly #now: () => number
  #seen = ''
  #keys: readonly CometKey[] = []
  #agent: Agent | undefined
  #lastMs = 0n

  /** `now` in milliseconds since 1970. */
  constructor(file: string, now: () => number = Date.now) {
    this.#file = file
    this.#now = now
  }

  /** Nothing where the chain knows none of the file's keys. Throws CometKeyError where the file is damaged. */
  agent(ctx: Context): Agent | undefined {
    this.#readFile()
    const known = this.#agent && agentKeyOf(ctx, this.#agent.operator)
    if (this.#agent === undefined || known === undefined || !equalBytes(known, this.#agent.key.publicKey))
      this.#agent = this.#find(ctx)
    return this.#agent
  }

  #find(ctx: Context): Agent | undefined {
    for (const key of this.#keys) {
      const operator = operatorOfAgentKey(ctx, key.publicKey)
      if (operator !== undefined) return { operator, name: formatAddress(operator, VALIDATOR_PREFIX), key }
    }
    return undefined
  }

  #readFile(): void {
    const { mtimeNs, ino } = statSync(this.#file, { bigint: true, throwIfNoEntry: false }) ?? {}
    const state = `${mtimeNs} ${ino}`
    if (state === this.#seen) return
    const { current, previous } = readAgentKeys(this.#file)
    this.#keys = [current, ...previous]
    this.#agent = undefined
    this.#seen = state
  }

  /** A submission of this telemetry, signed now. `node` is the agent's own validator. */
  submitTelemetry(
    ctx: Context,
    { name, operator, key }: Agent,
    telemetry: Omit<TelemetryBody, 'node'>,
  ): Uint8Array {
    const { cpu_pct, latency_ms, connections, net_contrib } = telemetry
    const body = utf8(JSON.stringify({ node: name, cpu_pct, latency_ms, connections, net_contrib }))
    const timestampMs = this.#nextTime(telemetryOf(ctx, operator)?.timestampMs ?? 0n)
    const signature = signEd25519(key, telemetrySignBytes(ctx.block.chainId, timestampMs, body))
    return telemetryTx(name, body, timestampMs, signature)
  }

  /** Later than every submission before. */
  #nextTime(onChain: bigint): bigint {
    const now = BigInt(this.#now())
    const floor = onChain > this.#lastMs ? onChain : this.#lastMs
    this.#lastMs = now > floor ? now : floor + 1n
    return this.#lastMs
  }

  /** This validator's BAN MARK SIGN for a ban. */
  submitBanMark(ctx: Context, { name, key }: Agent, ban: Ban): Uint8Array {
    const mark = markOf(ctx.block.chainId, ban, name)
    const signature = signEd25519(key, banMarkSignBytes(mark))
    return selfAuthenticatedTx(
      packAny('fornax.agents.v1.MsgSubmitBanMark', { validator: name, mark, signature }),
    )
  }
}
