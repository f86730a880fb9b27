import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import {
  RequestFinalizeBlock,
  RequestInitChain,
  ResponseFinalizeBlock,
  ResponseInitChain,
} from 'cosmjs-types/tendermint/abci/types'
import { equalBytes, toHex } from '../../../core/bytes.ts'
import type { Json } from '../../../core/wire/json.ts'
import type { App } from '../../../daemon/app/app.ts'
import { describeDifferences, differences } from '../oracle/difference.ts'
import type { ColdAnswer, ColdCall, ColdMessage, ColdOptions } from './protocol.ts'

const script = fileURLToPath(new URL('./cold-process.js', import.meta.url))
/** KiB; Node's own is 984. What ends in a block because the stack does must end elsewhere here. */
const STACK_KIB = 700

/** An application answered otherwise than its twin that remembers nothing. */
export class TwinsDisagree extends Error {
  override readonly name = 'TwinsDisagree'
}

const asJson = (message: unknown): Json =>
  JSON.parse(
    JSON.stringify(message, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value instanceof Uint8Array ? toHex(value) : value,
    ),
  )

interface Waiting {
  readonly resolve: (answer: Uint8Array | undefined) => void
  readonly reject: (error: Error) => void
}

/** One process for all cold applications of this one: other stack, other time zone and locale, no memories. */
class ColdProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 1
  #ended = false

  constructor() {
    this.#child = fork(script, {
      execArgv: ['--enable-source-maps', `--stack-size=${STACK_KIB}`],
      env: { ...process.env, TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#child.on('message', (message: ColdAnswer | 'ready') => {
      if (message === 'ready') return
      const waiting = this.#waiting.get(message.id)!
      this.#waiting.delete(message.id)
      if ('error' in message) waiting.reject(new Error(message.error))
      else waiting.resolve(message.answer)
      if (this.#waiting.size === 0) this.#child.channel?.unref()
    })
    this.#child.once('exit', (code, signal) => {
      this.#ended = true
      for (const { reject } of this.#waiting.values())
        reject(new Error(`the process of cold twins has ended: ${signal ?? code}`))
    })
    this.#child.unref()
    this.#child.channel?.unref()
  }

  call(app: number, call: ColdCall): Promise<Uint8Array | undefined> {
    if (this.#ended) return Promise.reject(new Error('the process of cold twins has ended'))
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#child.channel?.ref()
      this.#child.send({ id, app, call } satisfies ColdMessage)
    })
  }
}

let coldProcess: ColdProcess | undefined
let nextApp = 1

/**
 * The twin of an application that is driven with the same blocks: in a process whose memories are off, on another stack,
 * closed and opened again before every block. Its answers must be the same to the last byte.
 */
export class ColdTwin {
  readonly #options: ColdOptions
  readonly #app = nextApp++
  readonly #process: ColdProcess
  readonly #opened: Promise<unknown>
  #begun = false

  constructor(options: ColdOptions) {
    this.#options = options
    this.#process = coldProcess ??= new ColdProcess()
    this.#opened = this.#process.call(this.#app, { kind: 'open', options })
  }

  /** Has the application's genesis, blocks and commits played on the twin too. Where an answer differs, the call rejects. */
  follow(app: App): void {
    const { initChain, finalizeBlock, commit } = app
    app.initChain = (request) => {
      this.#begun = true
      const call = { kind: 'initChain', request: RequestInitChain.encode(request).finish() } as const
      return this.#both(call, () => initChain(request), ResponseInitChain, 'InitChain')
    }
    app.finalizeBlock = (request) => {
      const { rounds } = this.#options
      const { height } = request
      const call: ColdCall = {
        kind: 'finalizeBlock',
        request: RequestFinalizeBlock.encode(request).finish(),
        height,
        ...(rounds && { rounds }),
      }
      return this.#both(call, () => finalizeBlock(request), ResponseFinalizeBlock, `height ${height}`)
    }
    app.commit = async () => {
      const cold = this.#call({ kind: 'commit' })
      const answer = await commit()
      await cold
      return answer
    }
  }

  close(): Promise<unknown> {
    return this.#process.call(this.#app, { kind: 'close' })
  }

  #call(call: ColdCall): Promise<Uint8Array | undefined> {
    // A chain that goes on from a folder has no genesis to begin from.
    return this.#begun ? this.#process.call(this.#app, call) : Promise.resolve(undefined)
  }

  async #both<T>(
    call: ColdCall,
    warm: () => Promise<T>,
    type: { encode(answer: T): { finish(): Uint8Array }; decode(bytes: Uint8Array): T },
    what: string,
  ): Promise<T> {
    await this.#opened
    const cold = this.#call(call)
    const answer = await warm().catch(async (error: unknown) => {
      await cold.catch(() => {})
      throw error
    })
    const expected = await cold.catch((error: Error) => {
      throw new TwinsDisagree(`${what}: only the cold twin fails: ${error.message}`)
    })
    if (expected === undefined) return answer
    const bytes = type.encode(answer).finish()
    if (equalBytes(bytes, expected)) return answer
    const found = differences(asJson(type.decode(bytes)), asJson(type.decode(expected)))
    throw new TwinsDisagree(
      `${what}:\n${describeDifferences(found, ['warm', 'cold'])}\n${toHex(call.kind === 'finalizeBlock' ? call.request : new Uint8Array(0)).slice(0, 4000)}`,
    )
  }
}
