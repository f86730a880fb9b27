/** What came of a group of test files. */
export interface Tally {
  passed: number
  failed: number
  /** Titles. */
  readonly skipped: string[]
  /** In full, as mocha tells them. */
  readonly failures: string[]
}

export const nothing = (): Tally => ({ passed: 0, failed: 0, skipped: [], failures: [] })

export function add(to: Tally, { passed, failed, skipped, failures }: Tally): void {
  to.passed += passed
  to.failed += failed
  to.skipped.push(...skipped)
  to.failures.push(...failures)
}

export function summary({ passed, failed, skipped }: Tally): string {
  const counts = [`${passed} passed`]
  if (failed > 0) counts.push(`${failed} failed`)
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`)
  return counts.join(', ')
}
