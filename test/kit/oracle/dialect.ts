import { bech32 } from '@scure/base'

/** What differs between two chains that hold the same keys: how they write addresses. */
export type Dialect = 'cosmos' | 'fornax'
export type AddressKind = '' | 'valoper' | 'valcons'

export const addressText = (dialect: Dialect, address: Uint8Array, kind: AddressKind = ''): string =>
  bech32.encode(`${dialect}${kind}`, bech32.toWords(address), 1023)

const known = new Map<string, string>()
const FORNAX_ADDRESS = /\bfornax(valoper|valcons)?1[02-9ac-hj-np-z]{6,}/gi

/** The address as it is written on the other chain; a text that is none stays. */
function translated(address: string): string {
  const decoded = bech32.decodeUnsafe(address, 1023)
  if (decoded === undefined) return address
  const translation = bech32.encode(decoded.prefix.replace('fornax', 'cosmos'), decoded.words, 1023)
  return address === address.toUpperCase() ? translation.toUpperCase() : translation
}

/**
 * Text with every Fornax address in it written as a Cosmos one, and our base denomination (all that says it on a chain
 * of `stake` is a withdrawal of nothing) as the SDK's.
 */
export function inCosmosDialect(text: string): string {
  if (text.endsWith('afrx')) return text.replace(/^(\d*)afrx$/, '$1stake')
  if (!/fornax/i.test(text)) return text
  return text.replace(FORNAX_ADDRESS, (address) => {
    let translation = known.get(address)
    if (translation === undefined) known.set(address, (translation = translated(address)))
    return translation
  })
}
