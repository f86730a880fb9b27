import type { Context } from '../../core/context.ts'
import type { Log } from '../../core/log.ts'
import { banOf, lastDecisions, standingOf } from '../../modules/agents/api.ts'
import { recordOf, rosterOf } from '../../modules/classifier/api.ts'
import { isTombstoned } from '../../modules/slashing/api.ts'
import { validator } from '../../modules/staking/api.ts'
import type { Agent } from './agent-signer.ts'

/** How the chain stands to a validator, from good to bad. */
export const STANDINGS = ['good', 'horizon', 'out', 'jailed', 'banned'] as const
export type Standing = (typeof STANDINGS)[number]

interface Seen {
  readonly standing: Standing
  /** For what; empty where nothing is held against it now. */
  readonly reason: string
  readonly words: string
}

/** Tells the operator, in the log, whenever the chain changes how it stands to this node's validator. */
export class StandingWatch {
  readonly #log: Log
  #seen: Seen | undefined
  /** Of this standing: causes come and go from block to block, and each is told once. */
  readonly #told = new Set<string>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Of the validator whose agent key this node holds; absent before the first look, and where it is nobody's. */
  get standing(): Standing | undefined {
    return this.#seen?.standing
  }

  /** To be called with the last committed state by a node that keeps up with the chain. */
  look(ctx: Context, agent: Agent | undefined): void {
    // Nobody has voted yet.
    if (rosterOf(ctx).records.length === 0) return
    const before = this.#seen
    this.#seen = agent && seenOf(ctx, agent)
    if (agent === undefined || this.#seen === undefined) return
    const { standing, reason, words } = this.#seen
    if (before?.standing !== standing) this.#told.clear()
    else if (standing === 'horizon' && reason === '') return
    if (this.#told.has(reason)) return
    this.#told.add(reason)
    if (before === undefined && standing === 'good') return
    const fields = {
      validator: agent.name,
      standing,
      ...(reason !== '' && { reason }),
      ...(standing !== 'good' && { remedy: `fornaxd query agents explain ${agent.name}` }),
    }
    const level =
      standing === 'good' ? 'info' : standing === 'jailed' || standing === 'banned' ? 'error' : 'warn'
    this.#log[level](fields, `this validator ${words}`)
  }
}

function seenOf(ctx: Context, { operator, name }: Agent): Seen {
  const ban = banOf(ctx, operator)
  if (ban !== undefined)
    return {
      standing: 'banned',
      reason: ban.reason,
      words: `was banned at height ${ban.height}: only governance can lift that`,
    }
  const { jailedUntil, horizonUntil, jails } = standingOf(ctx, operator)
  if (jailedUntil > ctx.height)
    return {
      standing: 'jailed',
      reason: jails.at(-1)?.reason ?? '',
      words: `has a Heavy penalty: it is in jail until height ${jailedUntil}`,
    }
  if (validator(ctx, operator)?.jailed) {
    const words = isTombstoned(ctx, operator)
      ? 'is tombstoned: its consensus key is out of the set for good'
      : 'is in jail: it may come out by MsgUnjail'
    return { standing: 'jailed', reason: '', words }
  }
  const record = recordOf(ctx, operator)
  if (record?.leftAt !== 0n) return { standing: 'out', reason: '', words: 'is not in the set' }
  if (horizonUntil <= ctx.height) return { standing: 'good', reason: '', words: 'is in good standing' }
  const decision = lastDecisions(ctx).decisions.find(({ node }) => node === name)
  return decision === undefined
    ? { standing: 'horizon', reason: '', words: `is in the Horizon Pool until height ${horizonUntil}` }
    : {
        standing: 'horizon',
        reason: decision.reason,
        words:
          'has a Moderate penalty: it is in the Horizon Pool while its cause lasts, and then for a while',
      }
}
