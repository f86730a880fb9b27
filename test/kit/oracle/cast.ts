import { createHash } from 'node:crypto'
import { moduleAddress } from '../../../core/address.ts'
import { type CometKey, cometKey } from '../../../daemon/comet/keys.ts'
import { user } from '../app/chain.ts'
import { addressText, type Dialect } from './dialect.ts'

export const DENOM = 'stake'
/** Some fees are paid in it; everybody has it. */
export const OTHER_DENOM = 'photon'
/** Tokens of one unit of voting power. */
export const POWER = 1_000_000n

function cached<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, T>()
  return (name) => {
    if (!made.has(name)) made.set(name, make(name))
    return made.get(name)!
  }
}

/** A validator's consensus key is made of its name, as its account's is. */
export const consensusKey = cached(
  (name): CometKey => cometKey(createHash('sha256').update(`validator ${name}`).digest()),
)

/** The address of a person, or with `module:NAME` of a module. */
const addressOf = cached((name) =>
  name.startsWith('module:') ? moduleAddress(name.slice('module:'.length)) : user(name).address,
)

export const account = (dialect: Dialect, name: string): string => addressText(dialect, addressOf(name))

export const operatorAddress = (dialect: Dialect, name: string): string =>
  addressText(dialect, addressOf(name), 'valoper')

/** The account that governance acts as. */
export const authority = (dialect: Dialect): string => account(dialect, 'module:gov')
