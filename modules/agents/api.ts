import * as bans from './bans.ts'
import * as consensusAgent from './consensus-agent.ts'
import * as constants from './constants.ts'
import * as decisions from './decision-module.ts'
import * as parameters from './params.ts'
import * as routing from './routing-agent.ts'

export const { banMarkSignBytes, banOf, bansToMark, listBans, markOf, requireBan } = bans
export const { lastDecisions } = decisions
export const { lastRound, sixfoldWhole } = consensusAgent
export const { FAILSAFE_HALT_AFTER_BLOCKS } = constants
export const { params } = parameters
export const { route } = routing
