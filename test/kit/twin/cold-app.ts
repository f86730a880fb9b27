import {
  RequestFinalizeBlock,
  RequestInitChain,
  ResponseFinalizeBlock,
  ResponseInitChain,
} from 'cosmjs-types/tendermint/abci/types'
import { type App, createApp } from '../../../daemon/app/app.ts'
import { Chain } from '../../../daemon/app/chain.ts'
import { Store } from '../../../daemon/store/store.ts'
import { modules as allModules } from '../../../modules/index.ts'
import { type Rounds, roundsModule } from '../app/rounds.ts'
import { sdkModules } from '../oracle/sdk-modules.ts'
import { tempDir } from '../temp-dir.ts'
import type { ColdCall, ColdOptions } from './protocol.ts'

const silent = { info() {}, warn() {}, error() {} }

/**
 * The application as a node that was just started has it: before each block its store is closed and opened again, and
 * blocks whose commit is withheld are replayed, as CometBFT does.
 */
export class ColdApp {
  readonly #dir = tempDir()
  readonly #options: ColdOptions
  readonly #rounds: { degraded: Set<bigint>; maxGas: Map<bigint, bigint> }
  #node: { readonly app: App; readonly store: Store } | undefined
  #genesis: RequestInitChain | undefined
  /** Blocks since the last commit. */
  #withheld: RequestFinalizeBlock[] = []
  #current: RequestFinalizeBlock | undefined

  constructor(options: ColdOptions) {
    this.#options = options
    this.#rounds = { degraded: new Set(), maxGas: new Map() }
  }

  async call(call: ColdCall): Promise<Uint8Array | undefined> {
    if (call.kind === 'initChain') {
      this.#genesis = RequestInitChain.decode(call.request)
      this.#withheld = []
      const { app } = await this.#reopen()
      return ResponseInitChain.encode(await app.initChain(this.#genesis)).finish()
    }
    if (call.kind === 'finalizeBlock') {
      this.#follow(call.rounds)
      return this.#finalize(RequestFinalizeBlock.decode(call.request))
    }
    if (call.kind === 'commit') await this.#commit()
    else if (call.kind === 'close') await this.#close()
    return undefined
  }

  #follow(rounds: Rounds | undefined): void {
    this.#rounds.degraded.clear()
    for (const height of rounds?.degraded ?? []) this.#rounds.degraded.add(height)
    for (const [height, gas] of rounds?.maxGas ?? []) this.#rounds.maxGas.set(height, gas)
  }

  async #finalize(request: RequestFinalizeBlock): Promise<Uint8Array> {
    this.#withheld = this.#withheld.filter(({ height }) => height < request.height)
    const { app, store } = await this.#reopen()
    if (store.height === 0) await app.initChain(this.#genesis!)
    for (const replayed of this.#withheld) {
      await app.finalizeBlock(replayed)
      await app.commit()
    }
    this.#current = request
    return ResponseFinalizeBlock.encode(await app.finalizeBlock(request)).finish()
  }

  async #commit(): Promise<void> {
    const { app, store } = this.#node!
    await app.commit()
    if (BigInt(store.height) === this.#current!.height) this.#withheld = []
    else this.#withheld.push(this.#current!)
  }

  async #reopen(): Promise<{ readonly app: App; readonly store: Store }> {
    await this.#node?.store.close()
    const base = this.#options.modules === 'sdk' ? sdkModules : allModules
    const modules = this.#options.rounds ? [...base, roundsModule(this.#rounds)] : base
    const stores = modules.flatMap((m) => m.stores)
    const store = await Store.open({ path: this.#dir.path, stores, pruning: { kind: 'everything' } })
    const chain = new Chain({ store, modules, version: '0.0.0-test', minimumGasPrices: [], log: silent })
    this.#node = { app: createApp(chain), store }
    return this.#node
  }

  async #close(): Promise<void> {
    await this.#node?.store.close()
    this.#dir.remove()
  }
}
