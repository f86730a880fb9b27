/** The peer sent something that is not ABCI: its connection is closed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** The server cannot listen where it was told to. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}
