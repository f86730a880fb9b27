/** Section 2.1 of the interface; scores are of 10,000. */
export const BAN_CONFIDENCE_MIN = 8_000
export const HIGH_PENALTY_THRESHOLD = 7_000
/** Percent of the Zenith Pool that must agree. */
export const SIMILARITY_THRESHOLD = 60
export const FAILSAFE_HALT_AFTER_BLOCKS = 3
