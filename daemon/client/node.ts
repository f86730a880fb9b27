import { QueryAccountInfoRequest, QueryAccountInfoResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { toHex } from '../../core/bytes.ts'
import { ChainError } from '../../core/error.ts'
import { askComet } from './comet.ts'
import { FieldError } from './field-error.ts'
import { type CometRpc, cometRpc, RpcError, type TxJson } from './rpc.ts'

/** An account's place in the chain's order of transactions. */
export interface AccountState {
  readonly accountNumber: bigint
  readonly sequence: bigint
}

/** The chain's answer to a transaction. */
export interface Outcome {
  /** Upper-case hex. */
  readonly hash: string
  readonly code: number
  readonly codespace: string
  readonly log: string
  /** Where it stands in a block. */
  readonly included?: TxJson
}

/** How the application marks what gRPC calls NotFound (daemon/app/query.ts): CosmJS looks for it. */
const GRPC_PREFIX = /^rpc error: code = \w+ desc = /

/**
 * A client of a node's CometBFT RPC. Calls reject with RpcUnavailable where it does not answer, with RpcError where it
 * refuses.
 */
export class NodeClient {
  /** CometBFT's RPC: for answers that are shown as it gives them, and before the first block. */
  readonly rpc: CometRpc
  readonly url: string

  constructor(url: string) {
    this.rpc = cometRpc(url)
    this.url = url
  }

  async chainId(): Promise<string> {
    return (await this.rpc.status()).node_info.network
  }

  /**
   * Calls a gRPC method of the application. Rejects with ChainError where it refuses, with FieldError where the height
   * is none.
   */
  async query(path: string, data: Uint8Array, height?: bigint): Promise<Uint8Array> {
    if (height !== undefined && height > Number.MAX_SAFE_INTEGER)
      throw new FieldError(`no block has the height ${height}`)
    const {
      value,
      code = 0,
      codespace,
      log = '',
    } = await askComet(this.url, (comet) =>
      comet.abciQuery({ path, data, ...(height !== undefined && { height: Number(height) }) }),
    )
    if (code !== 0) throw new ChainError(codespace, code, log.replace(GRPC_PREFIX, ''))
    return value
  }

  /** An account's numbers, now or after the block of `height`; undefined where the chain does not know it. */
  async account(address: string, height?: bigint): Promise<AccountState | undefined> {
    const request = QueryAccountInfoRequest.encode({ address }).finish()
    try {
      const bytes = await this.query('/cosmos.auth.v1beta1.Query/AccountInfo', request, height)
      const { accountNumber, sequence } = QueryAccountInfoResponse.decode(bytes).info!
      return { accountNumber, sequence }
    } catch (error) {
      if (error instanceof ChainError && error.codespace === 'sdk' && error.code === 22) return undefined
      throw error
    }
  }

  /** Gas that a transaction takes; its signatures may be empty. Rejects with ChainError where it would fail. */
  async simulate(tx: Uint8Array): Promise<bigint> {
    const request = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes: tx })).finish()
    const bytes = await this.query('/cosmos.tx.v1beta1.Service/Simulate', request)
    return SimulateResponse.decode(bytes).gasInfo?.gasUsed ?? 0n
  }

  /**
   * Hands a transaction in. With `waitMs`, waits so long for it to stand in a block; `included` stays out where it
   * does not by then.
   */
  async broadcast(tx: Uint8Array, waitMs = 0): Promise<Outcome> {
    const told = await askComet(this.url, (comet) => comet.broadcastTxSync({ tx }))
    const { code, codespace = '', log = '' } = told
    const hash = toHex(told.hash).toUpperCase()
    const deadline = Date.now() + waitMs
    while (code === 0 && Date.now() < deadline) {
      const included = await this.transaction(hash)
      if (included) {
        const { tx_result } = included
        return { hash, code: tx_result.code, codespace: tx_result.codespace, log: tx_result.log, included }
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    return { hash, code, codespace, log }
  }

  /** The transaction of this hash (hex), where it stands in a block. */
  async transaction(hash: string): Promise<TxJson | undefined> {
    try {
      return await this.rpc.tx(Buffer.from(hash, 'hex'))
    } catch (error) {
      if (error instanceof RpcError && /not found/.test(error.message)) return undefined
      throw error
    }
  }
}

/** The bytes of a transaction. */
export function encodeTx(body: TxBody, authInfo: AuthInfo, signatures: readonly Uint8Array[]): Uint8Array {
  return TxRaw.encode({
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: AuthInfo.encode(authInfo).finish(),
    signatures: [...signatures],
  }).finish()
}
