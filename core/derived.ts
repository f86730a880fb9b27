/**
 * Stores of what blocks leave for whoever looks it up: a journal takes them as any other, but they are in no hash, and an
 * execution reads of them only what it wrote itself. Their names begin with this.
 */
export const DERIVED_MARK = '~'

export const isDerived = (store: string): boolean => store.startsWith(DERIVED_MARK)
