import { bech32 } from '@scure/base'

/** What differs between two chains that hold the same keys: how they write addresses. */
export type Dialect = 'cosmos' | 'fornax'
export type AddressKind = '' | 'valoper' | 'valcons'

export const addressText = (dialect: Dialect, address: Uint8Array, kind: AddressKind = ''): string =>
  bech32.encode(`${dialect}${kind}`, bech32.toWords(address), 1023)

const known = new Map<string, string>()
const FORNAX_ADDRESS = /\bfornax(valoper|valcons)?1[02-9ac-hj-np-z]{38,}/g

function translated(address: string): string {
  const { prefix, words } = bech32.decode(address as `${string}1${string}`, 1023)
  return bech32.encode(prefix.replace('fornax', 'cosmos'), words, 1023)
}

/**
 * Text with every Fornax address in it written as a Cosmos one, and our base denomination (all that says it on a chain
 * of `stake` is a withdrawal of nothing) as the SDK's.
 */
export function inCosmosDialect(text: string): string {
  if (text.endsWith('afrx')) return text.replace(/^(\d*)afrx$/, '$1stake')
  if (!text.includes('fornax')) return text
  return text.replace(FORNAX_ADDRESS, (address) => {
    let translation = known.get(address)
    if (translation === undefined) known.set(address, (translation = translated(address)))
    return translation
  })
}
