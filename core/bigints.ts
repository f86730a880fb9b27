export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
export const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
