export { parseEitherAddress } from './account-address.ts'
export { baseFee } from './base-fee.ts'
export { NATIVE_DENOM } from './world-state.ts'
