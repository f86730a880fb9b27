import { CheckTxType, type RequestCheckTx, type ResponseCheckTx } from 'cosmjs-types/tendermint/abci/types'
import { NO_BYTES } from '../../core/bytes.ts'
import { ChainError, sdk } from '../../core/error.ts'
import type { Chain } from './chain.ts'
import { checkTx as check, type TxOutcome } from './execute.ts'
import { nodeError } from './halt.ts'

const NO_GAS: Pick<TxOutcome, 'gasWanted' | 'gasUsed'> = { gasWanted: 0n, gasUsed: 0n }

/** A mempool check. Transactions that pass build on one another until the next commit. */
export function checkTx(chain: Chain, { tx: bytes, type }: RequestCheckTx): ResponseCheckTx {
  try {
    if (chain.lastBlock.chainId === '') throw sdk.logic('the chain has not begun')
    // What the mempool holds stays there: it is rechecked when the chain goes on.
    if (type !== CheckTxType.RECHECK && chain.isHalted) throw nodeError.halted()
    const tx = chain.txs.decode(bytes)
    const mode = type === CheckTxType.RECHECK ? 'recheck' : 'check'
    const outcome = check(chain.execution, chain.checked, chain.nextBlock, mode, tx)
    chain.checked.takeEvents()
    // It goes into no block of ours: nobody will ask for it again.
    if (outcome.error !== undefined) chain.txs.forget(bytes)
    return answer(outcome, outcome.error)
  } catch (error) {
    if (error instanceof ChainError) return answer(NO_GAS, error)
    throw error
  }
}

function answer(
  { gasWanted, gasUsed }: Pick<TxOutcome, 'gasWanted' | 'gasUsed'>,
  error: ChainError | undefined,
): ResponseCheckTx {
  return {
    code: error?.code ?? 0,
    codespace: error?.codespace ?? '',
    log: error?.message ?? '',
    data: NO_BYTES,
    info: '',
    gasWanted,
    gasUsed,
    events: [],
  }
}
