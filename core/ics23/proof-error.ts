/** Why a proof does not hold. Thrown only inside core/ics23 and by the functions that say so. */
export class ProofError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProofError'
  }
}
