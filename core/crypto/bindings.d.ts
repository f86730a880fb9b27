declare module 'secp256k1/bindings.js' {
  import type * as secp256k1 from 'secp256k1'

  const bindings: typeof secp256k1
  export default bindings
}
