import { formatAddress, VALIDATOR_PREFIX } from '../../../core/address.ts'
import { type Any, packAny } from '../../../core/wire/registry.ts'
import { consensusKey, user } from './chain.ts'
import { message } from './governance.ts'

/** MsgCreateValidator of a user with this self-delegation in afrx, and with the consensus key of a name: its own or another's. */
export const newValidator = (name: string, amount: bigint, key = name): Any =>
  message('cosmos.staking.v1beta1.MsgCreateValidator', {
    description: { moniker: name },
    commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
    minSelfDelegation: '1',
    validatorAddress: formatAddress(user(name).address, VALIDATOR_PREFIX),
    pubkey: packAny('cosmos.crypto.ed25519.PubKey', { key: consensusKey(key).publicKey }),
    value: { denom: 'afrx', amount: `${amount}` },
  })
