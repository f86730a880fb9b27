import { createServer, type Socket } from 'node:net'
import { formatAddress, parseAddress } from './address.ts'
import { Connection, type Shared } from './connection.ts'
import { errorLog } from './error-log.ts'
import { Exclusion } from './exclusion.ts'
import type { AbciHandler, AbciLog } from './handler.ts'
import { listen } from './listen.ts'
import type { MethodName } from './methods.ts'
import { type TurnOptions, Turns } from './turns.ts'

export interface AbciOptions {
  /** `unix:///path` or `tcp://host:port` (port 0: any free one). */
  readonly address: string
  readonly handler: AbciHandler
  /**
   * Told once of the first throw in a call that has no error answer (see AbciHandler). Nothing is answered from
   * then on, on any connection; the owner is to end the process.
   */
  readonly onFatal: (error: unknown, method: MethodName) => void
  readonly log: AbciLog
  /** Default 100 MiB. A longer request closes its connection. */
  readonly maxFrameBytes?: number
  /**
   * Requests of a connection may wait up to this many bytes; then its socket is not read. Default 256 KiB. CometBFT has
   * the mempool's calls answered before each Commit, so what waits lengthens a block; but while its writes block it
   * spends a processor on a timer of 20 ns.
   */
  readonly maxWaitingBytes?: number
  /** Told how long each call of the handler took, until its promise was settled where it gave one. */
  readonly observe?: (method: MethodName, seconds: number) => void
  /** How long calls other than those of consensus are worked on before the sockets are read again. */
  readonly turns?: TurnOptions
}

export interface AbciServer {
  /** Where the server listens, with the real port. */
  readonly address: string
  /** Connections open now. */
  readonly connections: number
  /** Stops listening, closes every connection and waits for the calls under way. Safe to call twice. */
  close(): Promise<void>
}

const DEFAULT_MAX_FRAME_BYTES = 100 * 1024 * 1024
const DEFAULT_MAX_WAITING_BYTES = 256 * 1024

/**
 * Serves an application to CometBFT 0.38 and later over ABCI 2.0's socket protocol. Rejects with ListenError where
 * it cannot listen.
 */
export async function serveAbci(options: AbciOptions): Promise<AbciServer> {
  const { handler, log, onFatal, observe, maxFrameBytes = DEFAULT_MAX_FRAME_BYTES } = options
  const { maxWaitingBytes = DEFAULT_MAX_WAITING_BYTES } = options
  const endpoint = parseAddress(options.address)
  const connections = new Set<Connection>()
  let nextId = 1
  let failed = false
  let callsUnderWay = 0
  let onIdle: (() => void) | undefined

  const shared: Shared = {
    handler,
    log,
    maxFrameBytes,
    maxWaitingBytes,
    observe,
    report: errorLog(log),
    exclusion: new Exclusion(() => {
      for (const connection of connections) connection.wake()
    }),
    turns: new Turns(options.turns),
    get failed() {
      return failed
    },
    fail(error, method) {
      if (failed) return
      failed = true
      onFatal(error, method)
    },
    callStarted() {
      callsUnderWay++
    },
    callEnded() {
      callsUnderWay--
      if (callsUnderWay === 0) onIdle?.()
    },
  }

  const server = createServer((socket: Socket) => {
    socket.setNoDelay(true)
    const connection = new Connection(socket, nextId++, shared)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  })
  const bound = await listen(server, endpoint)
  server.on('error', (error) => log.error({ err: error }, 'abci server'))
  const address = formatAddress(bound)
  log.info({ address }, 'abci server listens')

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const connection of connections) connection.close()
    await closed
    if (callsUnderWay > 0) await new Promise<void>((resolve) => (onIdle = resolve))
  }
  return {
    address,
    get connections() {
      return connections.size
    },
    close: () => (closing ??= close()),
  }
}
