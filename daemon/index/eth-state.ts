import type { Context } from '../../core/context.ts'
import { baseFee, WorldState } from '../../modules/evm/api.ts'
import type { Chain } from '../app/chain.ts'

/** Accounts and programs, as the EVM sees them at a height. */
export class EthState {
  readonly #chain: Chain

  constructor(chain: Chain) {
    this.#chain = chain
  }

  #view(at: bigint | 'latest' | 'pending'): Context {
    if (at === 'pending') return this.#chain.view('checked')
    return at === 'latest' ? this.#chain.view('committed') : this.#chain.view('committed', Number(at))
  }

  /** Throws sdk/26 where the height's state is not kept. */
  at(at: bigint | 'latest' | 'pending'): WorldState {
    return new WorldState(this.#view(at))
  }

  /** Of the next block, in afrx a gas. */
  get nextBaseFee(): bigint {
    return baseFee(this.#chain.view('checked'))
  }
}
