export { baseFee } from './base-fee.ts'
export { bloomHas } from './block/bloom.ts'
export { decodeHeader, encodeHeader, type Header, hashOfHeader } from './block/header.ts'
export { loadMachine } from './chain-machine.ts'
export type { BlockEnvironment } from './machine/frame.ts'
export { reasonOf } from './machine/revert-reason.ts'
export { wordBytes, wordOf } from './machine/word.ts'
export { EVM_CHAIN_ID, MAX_TX_GAS, params } from './params.ts'
export {
  blockHashKey,
  blockKey,
  DERIVED_STORE,
  decodeReceipt,
  decodeTxRecord,
  type TxRecord,
  txHashKey,
  txKey,
} from './records.ts'
export {
  type AccountOverride,
  type Call,
  CallRefused,
  estimateGas,
  override,
  simulate,
} from './simulation.ts'
export type { Applied } from './transaction/apply.ts'
export { decodeEthereumTx, isEthereumTx } from './transaction/decode.ts'
export { type EthereumTx, effectiveGasPrice } from './transaction/ethereum-tx.ts'
export { intrinsicGas } from './transaction/intrinsic-gas.ts'
export { EMPTY_CODE_HASH, NATIVE_DENOM, WorldState } from './world-state.ts'
