import { formatAddress, moduleAddress } from './address.ts'
import { errors } from './error.ts'

/** The account that changes parameters: governance's. */
export const AUTHORITY = formatAddress(moduleAddress('gov'))

const gov = errors('gov', {
  invalidSigner: [13, 'expected gov account as only signer for proposal message', 'INVALID_ARGUMENT'],
})

/** Throws gov/13 unless `authority` is governance's account. */
export function requireAuthority(authority: string): void {
  if (authority !== AUTHORITY)
    throw gov.invalidSigner(`invalid authority; expected ${AUTHORITY}, got ${authority}`)
}
