/** A value on the command line that cannot be taken. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
}
