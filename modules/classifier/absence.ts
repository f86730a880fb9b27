import type { Address } from '../../core/address.ts'
import type { Context } from '../../core/context.ts'
import { consensusAddressOf, validator } from '../staking/api.ts'
import { KEPT_BLOCKS, leftSetAt } from './former-members.ts'

/** In words, what is known of a validator that is not on the roster. */
export function absenceOf(ctx: Context, operator: Address): string {
  const found = validator(ctx, operator)
  if (found === undefined) return 'is no validator of this chain'
  const leftAt = leftSetAt(ctx, consensusAddressOf(found))
  const left =
    leftAt === undefined
      ? `was not in the set in the last ${KEPT_BLOCKS} blocks`
      : `left the set ${ctx.height - leftAt} blocks ago`
  return found.jailed ? `is in jail and ${left}` : left
}
