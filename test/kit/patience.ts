import Mocha from 'mocha'

/** Limits of time are set where two cores have nothing else to do; a test may run where they are slower and busy. */
export const PATIENCE = 3

/** Gives all tests and hooks, however their limits are set, that many times as long. */
export function bePatient(): void {
  const { prototype } = Mocha.Runnable
  const { timeout } = prototype
  Object.assign(prototype, {
    timeout(this: Mocha.Runnable, ms?: number) {
      return ms === undefined ? (timeout as () => number).call(this) : timeout.call(this, ms * PATIENCE)
    },
  })
}
