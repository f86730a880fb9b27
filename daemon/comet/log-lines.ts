/** A line of CometBFT's JSON log, or of something else it printed. */
export interface CometLine {
  readonly level: 'debug' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
  /** What the line tells of that the node acts on. */
  readonly event: CometEvent
  /** The height up to which it says that it replays or fetches blocks. */
  readonly target?: number
}

/**
 * `panicked`: the consensus routine has; the process stays and does nothing.
 * `application lost`: a connection to the application broke; the process means to end, but where a call was under
 * way its consensus routine waits for the answer for ever, and the end with it.
 * `proposal rejected`: the application refused a block.
 */
export type CometEvent = 'panicked' | 'application lost' | 'proposal rejected' | undefined

/**
 * Reads a line. CometBFT's levels are shifted: its info lines, a dozen a block, are debug here; its errors, most of
 * which are peers coming and going, are warnings; only a consensus failure is an error.
 */
export function readCometLine(line: string): CometLine {
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return { level: 'warn', message: line, fields: {}, event: undefined }
  }
  if (typeof parsed !== 'object' || parsed === null) {
    return { level: 'warn', message: line, fields: {}, event: undefined }
  }
  const { _msg, level, ts: _time, msg, ...rest } = parsed as Record<string, unknown>
  // Services log twice: the kind of event as _msg, the sentence as msg.
  const message = String(msg ?? _msg ?? '')
  const event = eventOf(`${_msg}`)
  const shifted = event === 'panicked' ? 'error' : level === 'error' ? 'warn' : 'debug'
  const target = targetOf(`${_msg}`, rest)
  return { level: shifted, message, fields: rest, event, ...(target > 0 && { target }) }
}

function targetOf(message: string, fields: Record<string, unknown>): number {
  if (message === 'ABCI Replay Blocks') return Number(fields['storeHeight'])
  return message === 'Block Sync Rate' ? Number(fields['max_peer_height']) : 0
}

function eventOf(message: string): CometEvent {
  if (message.includes('CONSENSUS FAILURE!!!')) return 'panicked'
  if (message.includes('connection terminated. Did the application crash?')) return 'application lost'
  if (message.includes('state machine rejected a proposed block')) return 'proposal rejected'
  return undefined
}

/** Cuts chunks of text into lines. A line over `maxLength` characters is cut off there. */
export class LineReader {
  readonly #onLine: (line: string) => void
  readonly #maxLength: number
  #rest = ''

  constructor(onLine: (line: string) => void, maxLength = 16_384) {
    this.#onLine = onLine
    this.#maxLength = maxLength
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, this.#maxLength)
    for (const line of lines) if (line !== '') this.#onLine(line.slice(0, this.#maxLength))
  }

  end(): void {
    if (this.#rest !== '') this.#onLine(this.#rest)
    this.#rest = ''
  }
}
