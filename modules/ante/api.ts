import type { Params } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import type { ModeInfo, SignerInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type Address, formatAddress } from '../../core/address.ts'
import { equalBytes, toBase64 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { countKeys, keptKey, type PublicKey, parsePublicKey } from '../../core/crypto/public-key.ts'
import { sdk } from '../../core/error.ts'
import type { GasPrice } from '../../core/module.ts'
import { keyOf, type Memory } from '../../core/remembered.ts'
import type { DecodedTx } from '../../core/tx/decode.ts'
import { type Account, params as authParams, putAccount, requireAccount } from '../auth/api.ts'
import { maxBlockGas } from '../consensus/api.ts'
import { consumeGasOfFee, deductFee, requireBaseFee, requireMinimumFee } from './fees.ts'
import {
  consumeGasOfAbsentSignature,
  consumeSignatureGas,
  signatureParts,
  verifySignature,
} from './signatures.ts'

export { checkSelfAuthenticatedForm, runSelfAuthenticatedAnte } from './self-authenticated.ts'

/** The SDK's cap on a transaction's gas limit: what an int64 holds. */
export const MAX_GAS_WANTED = 2n ** 63n - 1n

/** The node's own part in a check; none of it decides in a block. */
export interface AnteOptions {
  /** This validator's prices; asked in `check` and `recheck` only. */
  readonly minimumGasPrices: readonly GasPrice[]
  /** Remembers signatures that verified, so that a block does not verify again what CheckTx did. */
  readonly verified: Memory<true>
}

interface Signer {
  readonly address: Address
  readonly account: Account
  readonly key: PublicKey | undefined
  readonly info: SignerInfo | undefined
  readonly signature: Uint8Array
}

/** Checks a transaction by itself, without any state. Throws the SDK's codes. */
export function checkTxForm(tx: DecodedTx): void {
  const { body, authInfo, signatures } = tx
  if (body.extensionOptions.length > 0) throw sdk.unknownExtensionOptions()
  if (authInfo.fee === undefined) throw sdk.invalidRequest('missing fee')
  if (authInfo.tip !== undefined) throw sdk.notSupported('tips')
  if (authInfo.fee.gasLimit > MAX_GAS_WANTED)
    throw sdk.invalidRequest(`invalid gas supplied; ${authInfo.fee.gasLimit} > ${MAX_GAS_WANTED}`)
  if (body.unordered) throw sdk.notSupported('unordered transactions are not enabled')
  if (signatures.length === 0) throw sdk.noSignatures()
  if (signatures.length !== tx.signers.length || authInfo.signerInfos.length !== tx.signers.length)
    throw sdk.unauthorized(`wrong number of signers; expected ${tx.signers.length}, got ${signatures.length}`)
}

/** No block has room for more. Throws sdk/41. */
function requireGasOfBlock(ctx: Context, { authInfo }: DecodedTx): void {
  const most = maxBlockGas(ctx)
  const asked = authInfo.fee?.gasLimit ?? 0n
  if (most > 0n && asked > most)
    throw sdk.invalidGasLimit(`tx gas limit ${asked} exceeds block max gas ${most}`)
}

/**
 * Everything between a transaction's form (`checkTxForm`) and its messages, in the SDK's order: timeout, memo, size gas,
 * fee, keys, signatures, sequences. The caller's checkpoint takes it back when it throws.
 */
export function runAnte(ctx: Context, tx: DecodedTx, options: AnteOptions): void {
  const simulate = ctx.mode === 'simulate'
  const checking = ctx.mode === 'check' || ctx.mode === 'recheck'
  requireGasOfBlock(ctx, tx)
  const { body, authInfo } = tx
  if (body.timeoutHeight > 0n && ctx.height > body.timeoutHeight)
    throw sdk.txTimeoutHeight(`block height: ${ctx.height}, timeout height: ${body.timeoutHeight}`)
  const timeout = body.timeoutTimestamp
  if (timeout !== undefined && ctx.timeNs > timeout.seconds * 1_000_000_000n + BigInt(timeout.nanos))
    throw sdk.txTimeoutHeight('block time is behind the timeout timestamp')
  const params = authParams(ctx)
  const memoLength = BigInt(Buffer.byteLength(body.memo))
  if (memoLength > params.maxMemoCharacters)
    throw sdk.memoTooLarge(
      `maximum number of characters is ${params.maxMemoCharacters} but received ${memoLength} characters`,
    )
  ctx.gas.consume(params.txSizeCostPerByte * BigInt(tx.bytes.length), 'txSize')
  const { gasLimit, amount } = authInfo.fee!
  if (!simulate && ctx.height > 0n && gasLimit === 0n) throw sdk.invalidGasLimit('must provide positive gas')
  if (checking || ctx.mode === 'deliver') requireBaseFee(ctx, amount, gasLimit)
  if (checking) requireMinimumFee(amount, gasLimit, options.minimumGasPrices)
  if (ctx.mode === 'genesis' && amount.length === 0)
    ctx.emit('tx', { fee: '', fee_payer: formatAddress(tx.feePayer) })
  else deductFee(ctx, tx)
  if (simulate && amount.length === 0) consumeGasOfFee(ctx, tx.feePayer, options.minimumGasPrices)
  const signers = tx.signers.map((address, i) => resolveSigner(ctx, tx, address, i, simulate))
  requireSignatureCount(params, signers)
  for (const signer of signers) authenticate(ctx, tx, params, signer, options, simulate)
  // Nobody sees events of what is refused; by now there are no more signatures than keys.
  if (!checking) emitSignatureEvents(ctx, signers)
  for (const { address, account } of signers)
    putAccount(ctx, address, { ...account, sequence: account.sequence + 1n })
}

/** The signer's account, and its key: that of the account, or the transaction's where the account has none yet. */
function resolveSigner(ctx: Context, tx: DecodedTx, address: Address, i: number, simulate: boolean): Signer {
  const info = tx.authInfo.signerInfos[i]
  const told = info?.publicKey === undefined ? undefined : parsePublicKey(info.publicKey)
  const isOwn = told === undefined || equalBytes(told.address, address)
  if (!simulate && !isOwn)
    throw sdk.invalidPubKey(
      `pubKey does not match signer address ${formatAddress(address)} with signer index: ${i}`,
    )
  // CosmJS simulates with a key of Cosmos's kind for every account: that says nothing of an account of Ethereum's.
  const offered = isOwn ? told : undefined
  const account = requireAccount(ctx, address)
  const signature = tx.signatures[i] ?? new Uint8Array(0)
  if (account.pubKey !== undefined)
    return { address, account, key: parsePublicKey(account.pubKey), info, signature }
  if (offered === undefined) {
    if (!simulate) throw sdk.invalidPubKey('pubkey on account is not set')
    return { address, account, key: undefined, info, signature }
  }
  return {
    address,
    account: { ...account, pubKey: keptKey(info!.publicKey!) },
    key: offered,
    info,
    signature,
  }
}

function emitSignatureEvents(ctx: Context, signers: readonly Signer[]): void {
  for (const { address, info, signature } of signers) {
    ctx.emit('tx', { acc_seq: `${formatAddress(address)}/${info?.sequence ?? 0n}` })
    for (const part of signatureParts(info?.modeInfo, signature))
      ctx.emit('tx', { signature: toBase64(part) })
  }
}

function requireSignatureCount(params: Params, signers: readonly Signer[]): void {
  const count = BigInt(signers.reduce((n, s) => n + (s.key === undefined ? 1 : countKeys(s.key)), 0))
  if (count > params.txSigLimit)
    throw sdk.tooManySignatures(`signatures: ${count}, limit: ${params.txSigLimit}`)
}

const complete = (mode: ModeInfo | undefined, signature: Uint8Array): boolean =>
  signature.length > 0 && mode !== undefined

function authenticate(
  ctx: Context,
  tx: DecodedTx,
  params: Params,
  { account, key, info, signature, address }: Signer,
  options: AnteOptions,
  simulate: boolean,
): void {
  const mode = info?.modeInfo
  if (key !== undefined && (!simulate || complete(mode, signature)))
    consumeSignatureGas(ctx.gas, params, key, mode, signature)
  else consumeGasOfAbsentSignature(ctx.gas, params, key)
  const sequence = info?.sequence ?? 0n
  if (sequence !== account.sequence)
    throw sdk.wrongSequence(`account sequence mismatch, expected ${account.sequence}, got ${sequence}`)
  if (simulate || ctx.mode === 'recheck') return
  const accountNumber = ctx.mode === 'genesis' ? 0n : account.accountNumber
  const id = keyOf(tx.hash, address, accountNumber, sequence)
  if (options.verified.get(id)) return
  const { chainId } = ctx.block
  if (!verifySignature(tx, { chainId, accountNumber, sequence }, key!, mode, signature))
    throw sdk.unauthorized(
      `signature verification failed; please verify account number (${accountNumber}), sequence (${sequence}) and chain-id (${chainId})`,
    )
  options.verified.set(id, true)
}
