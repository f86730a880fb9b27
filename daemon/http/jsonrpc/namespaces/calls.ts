import { smaller } from '../../../../core/bigints.ts'
import type { Json } from '../../../../core/wire/json.ts'
import { type AccountOverride, CallRefused, MAX_TX_GAS, reasonOf } from '../../../../modules/evm/api.ts'
import { type CallPool, CallTookTooLong } from '../../../evm-calls/call-pool.ts'
import type { BlockOverride, CallRequest, CallResult } from '../../../evm-calls/messages.ts'
import type { EthBlocks } from '../../../index/eth-blocks.ts'
import type { EthState } from '../../../index/eth-state.ts'
import { type BlockRef, blockRef } from '../block-ref.ts'
import { blockOverrides, type CallObject, callObject, gasPriceOf, stateOverrides } from '../call-object.ts'
import { encodeData } from '../data.ts'
import { codes, JsonRpcError, timedOut } from '../errors.ts'
import { type CallContext, type Methods, method } from '../method.ts'
import { encodeQuantity } from '../quantity.ts'
import { requireBlock } from './blocks.ts'

export interface CallOptions {
  readonly blocks: EthBlocks
  readonly state: EthState
  readonly pool: CallPool
  /** Gas that a call may use. */
  readonly gasCap: bigint
}

const REVERTED = 3

/** What a program's failure is answered with: geth's codes and words. */
function failure({ error, output }: CallResult): JsonRpcError {
  if (error !== 'revert') return new JsonRpcError(codes.refused, error!)
  const reason = reasonOf(output)
  const message = reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`
  return new JsonRpcError(REVERTED, message, encodeData(output))
}

/** What a pool's rejection is answered with. */
export function refusal(error: unknown): unknown {
  if (error instanceof CallRefused) return new JsonRpcError(codes.refused, error.message)
  if (error instanceof CallTookTooLong) return timedOut()
  return error
}

/** Calls that change nothing, run beside the thread that decides blocks. */
export function callMethods({ blocks, state, pool, gasCap }: CallOptions): Methods {
  const run = async (
    { client }: CallContext,
    kind: CallRequest['kind'],
    call: CallObject,
    ref: BlockRef,
    overrides: readonly AccountOverride[],
    block: BlockOverride,
  ): Promise<CallResult> => {
    const { header } = requireBlock(blocks, ref)
    const gasPrice = gasPriceOf(call, block.baseFee ?? header.baseFeePerGas)
    const most = kind === 'call' ? gasCap : smaller(header.gasLimit, MAX_TX_GAS)
    let gas = call.gas === undefined || call.gas > most ? most : call.gas
    if (kind === 'estimate' && gasPrice > 0n) {
      const left = state.at(header.number).balance(call.from) - call.value
      const affordable = left < 0n ? 0n : left / gasPrice
      if (affordable < gas) gas = affordable
    }
    const request: CallRequest = {
      kind,
      number: header.number,
      call: { ...call, gas, gasPrice },
      overrides,
      block,
    }
    try {
      return await pool.run(client, request)
    } catch (error) {
      throw refusal(error)
    }
  }
  return {
    eth_call: method(
      [callObject, blockRef, stateOverrides, blockOverrides],
      async (context, call, ref, overrides, block) => {
        const result = await run(context, 'call', call, ref, overrides, block)
        if (result.error !== undefined) throw failure(result)
        return encodeData(result.output)
      },
    ),
    eth_estimateGas: method(
      [callObject, blockRef, stateOverrides, blockOverrides],
      async (context, call, ref, overrides, block) => {
        const result = await run(context, 'estimate', call, ref, overrides, block)
        if (result.error === undefined) return encodeQuantity(result.gasUsed)
        if (result.error === 'out of gas')
          throw new JsonRpcError(codes.refused, `gas required exceeds allowance (${result.gasUsed})`)
        throw failure(result)
      },
    ),
    eth_createAccessList: method(
      [callObject, blockRef, stateOverrides],
      async (context, call, ref, overrides): Promise<Json> => {
        const result = await run(context, 'accessList', call, ref, overrides, {})
        return {
          accessList: (result.accessList ?? []).map(({ address, slots }) => ({
            address: encodeData(address),
            storageKeys: slots.map(encodeData),
          })),
          gasUsed: encodeQuantity(result.gasUsed),
          ...(result.error !== undefined && { error: failure(result).message }),
        }
      },
    ),
  }
}
