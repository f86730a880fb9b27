import { fromHex } from '../../../core/bytes.ts'
import type { Contract } from '../../../proto/gen/fornax/evm/v1/evm.ts'
import { MULTICALL3 } from './multicall3.ts'
import { PERMIT2 } from './permit2.ts'

/** Where anybody's CREATE2 puts a contract at the same address on every chain (github.com/Arachnid/deterministic-deployment-proxy). */
const CREATE2_DEPLOYER =
  '7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'
/** The hashes of the last 8,191 blocks (EIP-2935). */
const HISTORY =
  '3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500'
/** What stands at the precompile's address, so that callers find code there: INVALID. */
const PRECOMPILE = 'fe'

const contract = (address: string, code: string): Contract => ({
  address,
  code: fromHex(code),
  storage: [],
  creator: '',
})

/** The contracts that a new chain begins with. */
export const preinstalled = (): Contract[] => [
  contract('0x0000000000000000000000000000000000007373', PRECOMPILE),
  contract('0x000000000022d473030f116ddee9f6b43ac78ba3', PERMIT2),
  contract('0x0000f90827f1c53a10cb7a02335b175320002935', HISTORY),
  contract('0x4e59b44847b379578588920ca78fbf26c0b4956c', CREATE2_DEPLOYER),
  contract('0xca11bde05977b3631167028862be2a173976ca11', MULTICALL3),
]
