import * as pool from './community-pool.ts'
import * as rewards from './delegation-rewards.ts'
import * as parameters from './params.ts'
import * as withdrawals from './withdrawals.ts'

export const { params } = parameters
export const { communityPool, fundCommunityPool, spendCommunityPool } = pool
export const { pendingRewards } = rewards
export const { setWithdrawAddress, withdrawAddressOf, withdrawRewards, withdrawCommission } = withdrawals
