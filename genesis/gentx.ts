import * as ed25519Types from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import type { MsgCreateValidator } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import * as stakingTypes from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import * as txTypes from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { AuthInfo, type Tx, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { formatAddress, parseAddress, VALIDATOR_PREFIX } from '../core/address.ts'
import { equalBytes, toHex } from '../core/bytes.ts'
import { isSingleKey, publicKeyAny, type SingleKey, verifySingle } from '../core/crypto/account-key.ts'
import { verifyEd25519 } from '../core/crypto/ed25519.ts'
import { ED25519_URL, parsePublicKey } from '../core/crypto/public-key.ts'
import { atomicsFromDecimal } from '../core/decimal-text.ts'
import { directSignBytes } from '../core/tx/sign-bytes.ts'
import { fromJson, type Json, toJson } from '../core/wire/json.ts'
import { type Any, packAny, registerTypes, unpackAny } from '../core/wire/registry.ts'
import { agentKeySignBytes } from '../modules/classifier/api.ts'
import type { MsgSetAgentKey } from '../proto/gen/fornax/classifier/v1/tx.ts'
import * as classifierTypes from '../proto/gen/fornax/classifier/v1/tx.ts'
import { balanceAt } from './accounts.ts'
import { DENOM, FRX, type GenesisDocument, GenesisError } from './document.ts'

registerTypes(stakingTypes, ed25519Types, txTypes, classifierTypes)

const MSG = 'cosmos.staking.v1beta1.MsgCreateValidator'
const AGENT_KEY_MSG = 'fornax.classifier.v1.MsgSetAgentKey'
const AGENT_KEY_URL = `/${AGENT_KEY_MSG}`
const TX = 'cosmos.tx.v1beta1.Tx'
const SIGN_MODE_DIRECT = 1

export interface GentxOptions {
  readonly chainId: string
  readonly moniker: string
  /** afrx that the validator stakes of its own. */
  readonly selfDelegation: bigint
  /** The account's key. */
  readonly key: SingleKey
  /** 64-byte signature over the given bytes by that key. */
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>
  /** The validator's 32-byte ed25519 consensus key. */
  readonly consensusKey: Uint8Array
  /** The MsgSetAgentKey of this operator, by which its agents have a key from the first block on. */
  readonly agentKeyMessage?: (operator: string) => Any
  /** `nodeid@host:port`, by which other nodes find this one. */
  readonly peer: string
  /** Decimal fractions. */
  readonly commission?: { readonly rate: string; readonly maxRate: string; readonly maxChangeRate: string }
  readonly details?: string
  readonly website?: string
}

/** The signed transaction, in the SDK's JSON, that makes a validator in the first block. */
export async function makeGentx(options: GentxOptions): Promise<Json> {
  const { key, moniker, details = '', website = '', selfDelegation } = options
  const commission = options.commission ?? { rate: '0.1', maxRate: '0.2', maxChangeRate: '0.01' }
  if (selfDelegation < FRX)
    throw new GenesisError(
      `a validator stakes at least ${FRX}${DENOM} (1 FRX): less gives it no voting power`,
    )
  const message: MsgCreateValidator = {
    description: { moniker, identity: '', website, securityContact: '', details },
    commission: {
      rate: atomicsFromDecimal(commission.rate),
      maxRate: atomicsFromDecimal(commission.maxRate),
      maxChangeRate: atomicsFromDecimal(commission.maxChangeRate),
    },
    minSelfDelegation: '1',
    delegatorAddress: formatAddress(key.address),
    validatorAddress: formatAddress(key.address, VALIDATOR_PREFIX),
    pubkey: packAny('cosmos.crypto.ed25519.PubKey', { key: options.consensusKey }),
    value: { denom: DENOM, amount: selfDelegation.toString() },
  }
  const messages = [packAny(MSG, message)]
  if (options.agentKeyMessage !== undefined) messages.push(options.agentKeyMessage(message.validatorAddress))
  const body = TxBody.fromPartial({ messages, memo: options.peer })
  const authInfo = AuthInfo.fromPartial({
    signerInfos: [
      {
        publicKey: publicKeyAny(key),
        modeInfo: { single: { mode: SIGN_MODE_DIRECT } },
        sequence: 0n,
      },
    ],
    fee: { amount: [], gasLimit: 200_000n },
  })
  const signature = await options.sign(signBytes({ body, authInfo, signatures: [] }, options.chainId))
  return toJson(TX, { body, authInfo, signatures: [signature] })
}

/** The contents of a genesis transaction. */
export interface Gentx {
  readonly moniker: string
  /** fornax1… */
  readonly account: string
  /** fornaxvaloper1… */
  readonly operator: string
  readonly consensusKey: Uint8Array
  readonly agentKey: Uint8Array | undefined
  readonly selfDelegation: bigint
  /** `nodeid@host:port`, or empty. */
  readonly peer: string
}

/** Checks form and signature of a genesis transaction. `path` begins every GenesisError's message. */
export function readGentx(json: Json, chainId: string, path: string): Gentx {
  const refuse = (why: string): never => {
    throw new GenesisError(`${path}: ${why}`)
  }
  const tx = asGenesisError(path, () => fromJson(TX, json, '') as Tx)
  const { body, authInfo, signatures } = tx
  const [any, second, ...others] = body?.messages ?? []
  const hasForm = any?.typeUrl === `/${MSG}` && (second?.typeUrl ?? AGENT_KEY_URL) === AGENT_KEY_URL
  if (!body || !authInfo || !any || !hasForm || others.length > 0)
    return refuse(`must hold one /${MSG}, behind it ${AGENT_KEY_URL} or nothing, and nothing else`)
  const message = unpackAny(any) as MsgCreateValidator
  const operator = asGenesisError(path, () => parseAddress(message.validatorAddress, VALIDATOR_PREFIX))
  const account = formatAddress(operator)
  if (message.delegatorAddress !== '' && message.delegatorAddress !== account)
    refuse(`delegator_address must be the account of the validator, ${account}`)
  if (message.pubkey?.typeUrl !== ED25519_URL) return refuse('pubkey must be an ed25519 key')
  const consensusKey = asGenesisError(path, () => parsePublicKey(message.pubkey!))
  if (consensusKey.kind !== 'ed25519') return refuse('pubkey must be an ed25519 key')
  if (message.value.denom !== DENOM || !/^[1-9][0-9]{0,77}$/.test(message.value.amount))
    refuse(`value must be an amount of ${DENOM}`)
  const selfDelegation = BigInt(message.value.amount)
  if (selfDelegation < FRX)
    refuse(`value must be at least ${FRX}${DENOM} (1 FRX), which gives one unit of voting power`)
  const agentKey = second && readAgentKey(second, message.validatorAddress, chainId, refuse)
  const [signer, ...more] = authInfo.signerInfos
  const [signature] = signatures
  if (!signer?.publicKey || more.length > 0 || !signature) return refuse('must be signed by one key')
  const key = asGenesisError(path, () => parsePublicKey(signer.publicKey!))
  if (!isSingleKey(key)) return refuse(`must be signed by a secp256k1 or ethsecp256k1 key, not ${key.kind}`)
  if (!equalBytes(key.address, operator)) return refuse(`must be signed by the key of ${account}`)
  if (!verifySingle(key, signBytes(tx, chainId), signature))
    refuse(`the signature does not verify: it must be made for chain ${chainId}`)
  return {
    moniker: message.description.moniker,
    account,
    operator: message.validatorAddress,
    consensusKey: consensusKey.key,
    agentKey,
    selfDelegation,
    peer: body.memo,
  }
}

function readAgentKey(
  any: Any,
  operator: string,
  chainId: string,
  refuse: (why: string) => never,
): Uint8Array {
  const { validator, pubKey, signature } = unpackAny(any) as MsgSetAgentKey
  if (validator !== operator) refuse(`sets the agent key of another validator than ${operator}`)
  if (pubKey.length !== 32) refuse('the agent key must be an ed25519 key of 32 bytes')
  if (!verifyEd25519(pubKey, agentKeySignBytes(chainId, operator, pubKey), signature))
    refuse(`the agent key does not prove that it is ${operator}'s on chain ${chainId}`)
  return pubKey
}

/**
 * Puts genesis transactions into the document, in place, ordered by operator address so that all who collect the same
 * ones get the same file. Throws GenesisError; `names` are what messages call them.
 */
export function collectGentxs(
  document: GenesisDocument,
  gentxs: readonly Json[],
  names: readonly string[],
): Gentx[] {
  const read = gentxs.map((json, i) => ({
    json,
    gentx: readGentx(json, document.chain_id, names[i] ?? `gentx ${i}`),
  }))
  read.sort((a, b) => (a.gentx.operator < b.gentx.operator ? -1 : 1))
  document.app_state.genutil = { gen_txs: read.map(({ json }) => json) }
  return checkGentxs(document, (i) => names[gentxs.indexOf(read[i]!.json)] ?? `gentx ${i}`)
}

/** Checks the transactions in the document, each and together. Throws GenesisError. */
export function checkGentxs(
  document: GenesisDocument,
  name: (index: number) => string = (i) => `app_state.genutil.gen_txs[${i}]`,
): Gentx[] {
  const operators = new Set<string>()
  const keys = new Set<string>()
  const agentKeys = new Set<string>()
  return document.app_state.genutil.gen_txs.map((json, i) => {
    const gentx = readGentx(json, document.chain_id, name(i))
    const { account, operator, consensusKey, agentKey, selfDelegation } = gentx
    if (operators.has(operator)) throw new GenesisError(`${name(i)}: ${operator} is made a validator twice`)
    if (keys.has(toHex(consensusKey)))
      throw new GenesisError(
        `${name(i)}: its consensus key belongs to another validator: it would be taken to sign twice`,
      )
    if (agentKey !== undefined && agentKeys.has(toHex(agentKey)))
      throw new GenesisError(`${name(i)}: its agent key belongs to another validator`)
    operators.add(operator)
    keys.add(toHex(consensusKey))
    if (agentKey !== undefined) agentKeys.add(toHex(agentKey))
    const balance = balanceAt(document, account, DENOM)
    if (balance < selfDelegation)
      throw new GenesisError(
        `${name(i)}: ${account} stakes ${selfDelegation}${DENOM} but has ${balance}${DENOM}`,
      )
    return gentx
  })
}

function signBytes({ body, authInfo }: Tx, chainId: string): Uint8Array {
  return directSignBytes(
    {
      body: body!,
      authInfo: authInfo!,
      bodyBytes: TxBody.encode(body!).finish(),
      authInfoBytes: AuthInfo.encode(authInfo!).finish(),
    },
    { chainId, accountNumber: 0n, sequence: 0n },
  )
}

function asGenesisError<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new GenesisError(`${path}: ${(error as Error).message}`)
  }
}
