import type { ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import type { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { formatTimestamp } from '../../core/time.ts'
import type { Ban } from '../../proto/gen/fornax/agents/v1/agents.ts'
import type { QueryStandingResponse } from '../../proto/gen/fornax/agents/v1/query.ts'
import { wayBack } from './way-back.ts'

/** What the chain keeps of a validator however long it is out of the set. */
export interface Known {
  readonly standing: QueryStandingResponse
  /** Of the state that all of this is from. */
  readonly height: bigint
  readonly ban?: Ban | undefined
  readonly validator?: Validator | undefined
  readonly signingInfo?: ValidatorSigningInfo | undefined
}

export interface Absence {
  readonly because: string
  readonly back: string
}

const UNJAIL = '`fornaxd tx slashing unjail`'

/** Why a validator is banned, in jail or otherwise out of the set, and how it comes back. */
export function absence({ standing, height, ban, validator, signingInfo }: Known): Absence {
  const { jailedUntil, jails } = standing.standing
  const last = jails.at(-1)
  const jailing =
    last === undefined ? 'jailed by the agents' : `jailed at height ${last.height} for ${last.reason}`
  if (ban !== undefined)
    return {
      because: `banned for good at height ${ban.height} for ${ban.reason}, with a score of ${ban.score / 100} %`,
      back: wayBack(standing, height),
    }
  if (jailedUntil > height)
    return { because: `${jailing}, until height ${jailedUntil}`, back: wayBack(standing, height) }
  if (validator === undefined)
    return { because: 'no validator has this address', back: '`fornaxd tx staking create-validator`' }
  if (signingInfo?.tombstoned)
    return {
      because: 'barred for good for evidence of a double vote or an attack on light clients',
      back: 'none for this consensus key: make another validator with another account and key',
    }
  if (!validator.jailed) return outOfSet(validator, signingInfo)
  if (last !== undefined && last.height >= validator.unbondingHeight)
    return { because: `${jailing}; that time is over`, back: `${UNJAIL}, then Horizon for a while` }
  const { seconds = 0n } = signingInfo?.jailedUntil ?? {}
  if (signingInfo === undefined || seconds <= 0n)
    return {
      because: 'in jail, as its own stake fell below its minimum',
      back: `more stake of its own, then ${UNJAIL}`,
    }
  const until = formatTimestamp(signingInfo.jailedUntil)
  return {
    because: `in jail until ${until}: for downtime, where no ban has been lifted`,
    back: `after that ${UNJAIL}, then Horizon for a while`,
  }
}

const BONDED = 3

function outOfSet({ status, unbondingHeight }: Validator, signingInfo?: ValidatorSigningInfo): Absence {
  if (status === BONDED)
    return { because: 'its stake is in the set; it votes within two blocks', back: 'by itself' }
  const back = 'more stake than the last of the set has'
  if (signingInfo === undefined) return { because: 'it was never in the set: others have more stake', back }
  const left = unbondingHeight > 0n ? `left the set at height ${unbondingHeight}` : 'left the set'
  return { because: `${left}, not for a penalty: others have more stake`, back }
}
