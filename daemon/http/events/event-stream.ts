import type { ServerResponse } from 'node:http'
import { RpcUnavailable } from '../../client/rpc.ts'
import { type EventFeed, type StreamedEvent, WINDOW } from './event-feed.ts'

/** How far a client has seen: all before `height`, and of `height` the events up to `index`. */
export interface Cursor {
  readonly height: number
  readonly index: number
}

export interface StreamOptions {
  readonly feed: Pick<EventFeed, 'head' | 'oldest' | 'at' | 'reach'>
  /** The last event seen; without it, the stream begins with the next block. */
  readonly after?: Cursor | undefined
  /** All types where absent. */
  readonly types?: ReadonlySet<string> | undefined
  readonly heartbeatMs?: number
  /** How long a client may take to read what it was sent. */
  readonly patienceMs?: number
}

const END = Number.MAX_SAFE_INTEGER

/** Reads an id of the stream: `<height>-<index>`, or `<height>-end` for the whole block. */
export function readCursor(id: string): Cursor | undefined {
  const [, height, index] = /^([0-9]{1,15})-([0-9]{1,9}|end)$/.exec(id) ?? []
  if (height === undefined) return undefined
  return { height: Number(height), index: index === 'end' ? END : Number(index) }
}

const frame = ({ height, index, type, attributes }: StreamedEvent): string =>
  `id: ${height}-${index}\nevent: ${type}\ndata: ${JSON.stringify({ height, index, type, attributes })}\n\n`

/** Heights whose events cannot be had. */
const gapFrame = (from: number, to: number): string =>
  `id: ${to}-end\nevent: gap\ndata: ${JSON.stringify({ from_height: from, to_height: to })}\n\n`

/** An id without data: nobody is told, but a client that comes again goes on from there. */
const heartbeat = (height: number): string => `: alive\nid: ${height}-end\n\n`

/**
 * Writes events as they are committed until the client leaves. It reads no further ahead than the client does; who reads
 * nothing for `patienceMs` is cut off, and may resume.
 */
export async function streamEvents(response: ServerResponse, options: StreamOptions): Promise<void> {
  const { feed, types, heartbeatMs = 15_000, patienceMs = 30_000 } = options
  // An answer to HEAD.
  if (response.writableEnded) return
  const left = new AbortController()
  if (response.closed) left.abort()
  response.once('close', () => left.abort())
  response.on('error', () => {})
  let wroteAt = performance.now()
  const write = async (text: string): Promise<void> => {
    wroteAt = performance.now()
    if (!response.write(text)) await drained(response, patienceMs)
  }
  let { height, index } = beginning(feed, options.after)
  await write('retry: 2000\n\n')
  while (!left.signal.aborted) {
    if (height > feed.head) {
      await feed.reach(height, heartbeatMs, left.signal)
      if (height > feed.head) await write(heartbeat(height - 1))
      continue
    }
    if (height < feed.oldest) {
      await write(gapFrame(height, feed.oldest - 1))
      height = feed.oldest
      index = -1
    }
    const events = await eventsAt(feed, height)
    if (events === 'unavailable') {
      await write(heartbeat(height - 1))
      await feed.reach(feed.head + 1, heartbeatMs, left.signal)
      continue
    }
    if (events === undefined) await write(gapFrame(height, height))
    for (const event of events ?? [])
      if (event.index > index && (types === undefined || types.has(event.type))) await write(frame(event))
    height++
    index = -1
    // Blocks without an event for this client are no sign of life to it.
    if (performance.now() - wroteAt >= heartbeatMs) await write(heartbeat(height - 1))
  }
}

/** The first height to stream and the last index of it that was seen. An id of another chain's future starts anew. */
function beginning(feed: StreamOptions['feed'], after: Cursor | undefined): Cursor {
  if (after === undefined || after.height > feed.head + WINDOW) return { height: feed.head + 1, index: -1 }
  return after.index === END ? { height: after.height + 1, index: -1 } : after
}

async function eventsAt(
  feed: StreamOptions['feed'],
  height: number,
): Promise<readonly StreamedEvent[] | undefined | 'unavailable'> {
  try {
    return await feed.at(height)
  } catch (error) {
    if (error instanceof RpcUnavailable) return 'unavailable'
    throw error
  }
}

/** Resolves when the client has read, or is gone; one that does not read for too long is cut off. */
function drained(response: ServerResponse, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), patienceMs)
    const end = (): void => {
      clearTimeout(timer)
      response.off('drain', end)
      response.off('close', end)
      resolve()
    }
    response.once('drain', end)
    response.once('close', end)
    if (response.destroyed || response.closed) end()
  })
}
