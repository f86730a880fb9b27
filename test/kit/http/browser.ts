import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** The machine's Chromium; nothing where it has none. */
export function chromium(): string | undefined {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome'])
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    } catch {
      // It goes by another name, or is not there.
    }
  return undefined
}

interface Reply {
  readonly id?: number
  readonly method?: string
  readonly result?: object
  readonly error?: { readonly message: string }
}

/** One page in a headless Chromium, driven by its DevTools protocol over pipes. */
export class Browser {
  readonly #child: ChildProcess
  readonly #profile: string
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  readonly #loaded: (() => void)[] = []
  #session = ''
  #calls = 0

  private constructor(program: string) {
    this.#profile = mkdtempSync(join(tmpdir(), 'fornax-browser-'))
    const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe']
    this.#child = spawn(program, [...options, `--user-data-dir=${this.#profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    })
    let rest = ''
    ;(this.#child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split('\0')
      rest = messages.pop()!
      for (const message of messages) this.#take(JSON.parse(message))
    })
  }

  /** A page as wide as a phone's, or of another size, in CSS pixels. */
  static async open(program: string, width = 390, height = 844): Promise<Browser> {
    const browser = new Browser(program)
    const { targetId } = await browser.#call<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
    })
    const attached = await browser.#call<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    })
    browser.#session = attached.sessionId
    await browser.#call('Page.enable')
    await browser.#call('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 2,
      mobile: true,
    })
    return browser
  }

  /** Resolves when the page has loaded. */
  async go(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.#loaded.push(resolve))
    await this.#call('Page.navigate', { url })
    await loaded
  }

  /** The value of an expression in the page, which may be a promise. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result } = await this.#call<{ result: { value: T } }>('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    return result.value
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }

  #take(reply: Reply): void {
    if (reply.method === 'Page.loadEventFired') for (const resolve of this.#loaded.splice(0)) resolve()
    if (reply.id === undefined) return
    this.#waiting.get(reply.id)?.(reply)
    this.#waiting.delete(reply.id)
  }

  #call<T>(method: string, params: object = {}): Promise<T> {
    const id = ++this.#calls
    const message = { id, method, params, ...(this.#session !== '' && { sessionId: this.#session }) }
    ;(this.#child.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result as T) : reject(new Error(`${method}: ${error.message}`)),
      )
    })
  }
}
