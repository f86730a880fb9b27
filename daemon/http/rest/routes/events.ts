import { badRequest, HttpError } from '../../errors.ts'
import { type EventFeed, STREAMED_TYPES, WINDOW } from '../../events/event-feed.ts'
import { type Cursor, readCursor, type StreamOptions, streamEvents } from '../../events/event-stream.ts'
import { networkOf } from '../../rate-limit.ts'
import type { Route } from '../route.ts'

const MAX_STREAMS = 200
const MAX_STREAMS_OF_CLIENT = 10

/** `GET /events`: what the agents do, as it is committed, as server-sent events. */
export function eventsRoute(
  feed: EventFeed,
  timing: Pick<StreamOptions, 'heartbeatMs' | 'patienceMs'> = {},
): Route {
  const streams = new Map<string, number>()
  let total = 0
  function takePlace(client: string): () => void {
    const name = networkOf(client)
    const of = streams.get(name) ?? 0
    if (of >= MAX_STREAMS_OF_CLIENT)
      throw new HttpError(429, 'too_many_streams', `a client has ${MAX_STREAMS_OF_CLIENT} streams at most`)
    if (total >= MAX_STREAMS)
      throw new HttpError(
        503,
        'too_many_streams',
        'the node has no place for another stream',
        {},
        { 'retry-after': '60' },
      )
    streams.set(name, of + 1)
    total++
    return () => {
      total--
      const rest = streams.get(name)! - 1
      if (rest === 0) streams.delete(name)
      else streams.set(name, rest)
    }
  }
  return {
    method: 'GET',
    path: '/events',
    tag: 'Agents',
    summary: 'Stream the events of the agents',
    description:
      'Server-sent events of committed blocks, in order, each with the id `<height>-<index>` and as data a JSON object ' +
      `of \`height\`, \`index\`, \`type\` and \`attributes\`, the fields of the message that \`type\` names. A client that comes again with \`Last-Event-ID\` goes on ` +
      `behind that event, up to ${WINDOW} blocks back; where events are missing, an event \`gap\` tells \`from_height\` ` +
      'and `to_height`. A withheld block’s events come when it is committed.',
    headers: {
      'Last-Event-ID': { type: 'string', description: 'The id of the last event seen.' },
    },
    query: {
      types: {
        type: 'string',
        description: `Only these, separated by commas: ${STREAMED_TYPES.join(', ')}.`,
      },
      after: { type: 'string', description: 'In place of the header `Last-Event-ID`.' },
    },
    answers: { 200: { description: 'The stream.', schema: { type: 'string' }, media: 'text/event-stream' } },
    errors: {
      400: 'A type or an id is none.',
      429: 'The client has too many streams.',
      503: 'The node has too many streams.',
    },
    run({ headers, query, client }) {
      const after = cursorOf(headers['last-event-id'] ?? query['after'])
      const types = typesOf(query['types'])
      const leave = takePlace(client)
      return {
        status: 200,
        stream: (response) => streamEvents(response, { feed, after, types, ...timing }).finally(leave),
      }
    },
  }
}

function cursorOf(id: string | string[] | undefined): Cursor | undefined {
  if (id === undefined || id === '') return undefined
  const cursor = readCursor(String(id))
  if (cursor === undefined) throw badRequest('invalid_event_id', 'an event id is <height>-<index>')
  return cursor
}

function typesOf(text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined
  const types = text.split(',')
  const unknown = types.find((type) => !STREAMED_TYPES.some((known) => known === type))
  if (unknown !== undefined)
    throw badRequest('invalid_parameter', `types: ${unknown.slice(0, 80)} is not streamed`, {
      parameter: 'types',
    })
  return new Set(types)
}
