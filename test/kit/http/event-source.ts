import { request } from 'node:http'

export interface ServerSentEvent {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every form
  readonly data: any
}

/** A client of a stream of server-sent events, which tests read step by step. */
export class EventSourceClient {
  readonly events: ServerSentEvent[] = []
  /** Ids that came without data. */
  readonly heartbeats: string[] = []
  status = 0
  closed = false
  readonly #request: ReturnType<typeof request>
  #rest = ''

  constructor(url: string, headers: Record<string, string> = {}, { reads = true } = {}) {
    this.#request = request(url, { headers, agent: false }, (response) => {
      this.status = response.statusCode ?? 0
      response.on('close', () => {
        this.closed = true
      })
      response.on('error', () => {})
      if (reads) response.setEncoding('utf8').on('data', (text: string) => this.#take(text))
    })
    this.#request.on('error', () => {
      this.closed = true
    })
    this.#request.end()
  }

  #take(text: string): void {
    const frames = (this.#rest + text).split('\n\n')
    this.#rest = frames.pop() ?? ''
    for (const frame of frames) {
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1] ?? ''
      if (field('data') !== '')
        this.events.push({ id: field('id'), event: field('event'), data: JSON.parse(field('data')) })
      else if (field('id') !== '') this.heartbeats.push(field('id'))
    }
  }

  close(): void {
    this.#request.destroy()
  }
}
