import * as bans from './bans.ts'
import * as consensusAgent from './consensus-agent.ts'
import * as constants from './constants.ts'
import * as routing from './routing-agent.ts'

export type { Routing } from './routing-agent.ts'

export const { banMarkSignBytes, banOf, markOf } = bans
export const { isDegraded } = consensusAgent
export const { FAILSAFE_HALT_AFTER_BLOCKS } = constants
export const { route } = routing
