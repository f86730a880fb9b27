export { communityPool, fundCommunityPool, spendCommunityPool } from './community-pool.ts'
export { pendingRewards } from './delegation-rewards.ts'
export { params } from './params.ts'
export { setWithdrawAddress, withdrawAddressOf, withdrawCommission, withdrawRewards } from './withdrawals.ts'
