/** Bytes of a stored value and back. */
export interface Codec<T> {
  readonly encode: (value: T) => Uint8Array
  readonly decode: (bytes: Uint8Array) => T
}
