import { errors } from '../../core/error.ts'

/** cosmos/evm's codes, where it has one. */
export const evmError = errors('evm', {
  executionReverted: [3, 'execution reverted', 'FAILED_PRECONDITION'],
  vmExecution: [11, 'evm transaction execution failed', 'FAILED_PRECONDITION'],
  gasAboveBlock: [21, 'exceeds block gas limit', 'FAILED_PRECONDITION'],
  senderIsContract: [22, 'sender not an eoa', 'FAILED_PRECONDITION'],
  nonceTooLow: [23, 'nonce too low', 'ABORTED'],
  nonceTooHigh: [24, 'nonce too high', 'ABORTED'],
  insufficientFunds: [25, 'insufficient funds for gas * price + value', 'FAILED_PRECONDITION'],
  intrinsicGas: [26, 'intrinsic gas too low', 'FAILED_PRECONDITION'],
  feeCapTooLow: [27, 'max fee per gas less than block base fee', 'FAILED_PRECONDITION'],
  underpriced: [28, 'transaction underpriced', 'FAILED_PRECONDITION'],
  floorGas: [29, 'insufficient gas for floor data gas cost', 'FAILED_PRECONDITION'],
  gasAboveCap: [30, 'transaction gas limit too high', 'FAILED_PRECONDITION'],
  initCodeTooLong: [31, 'max initcode size exceeded', 'FAILED_PRECONDITION'],
})
