import type { Command } from 'commander'
import { AuthInfo, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Coin } from '../../core/coin.ts'
import { ChainError } from '../../core/error.ts'
import { isHexForm } from '../../core/hex-address.ts'
import type { SignerData } from '../../core/tx/sign-bytes.ts'
import { type Json, toJson } from '../../core/wire/json.ts'
import type { Any } from '../../core/wire/registry.ts'
import { encodeTx, type NodeClient } from '../client/node.ts'
import type { TxJson } from '../client/rpc.ts'
import { type Draft, type Mode, signDraft, simulatedSigner } from '../client/sign.ts'
import type { Price } from '../config/kinds.ts'
import { KeyringError } from '../keyring/keyring.ts'
import { accountAddress, type Key } from '../keyring/record.ts'
import { configOf, globals, note, print } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { keyringOf } from './keyring.ts'
import { clientOf } from './node.ts'
import { confirm } from './prompt.ts'
import { feeCoins, type SendOptions, type SignOptions, unsigned } from './tx-options.ts'
import { txJson, txResponse } from './tx-response.ts'

/** How long to wait for a block. */
const waitMs = 60_000

/** The key of a name or an address. */
export async function keyOf(command: Command, nameOrAddress: string): Promise<Key> {
  const ring = keyringOf(command)
  const key = await ring.byAddress(nameOrAddress)
  if (key === undefined && isHexForm(nameOrAddress))
    throw new KeyringError(`no key in ${ring.folder} has the address ${nameOrAddress}`)
  return key ?? (await ring.get(nameOrAddress))
}

export function signMode(options: SignOptions): Mode {
  const { signMode: mode } = options
  if (mode !== 'direct' && mode !== 'amino-json')
    throw new CliError(`--sign-mode must be direct or amino-json, not ${mode}`, exitCodes.usage)
  return mode
}

/** Chain id, account number and sequence that an account signs with now: from the options, else from the node. */
export async function signerData(command: Command, address: string): Promise<SignerData> {
  const options = command.opts<SignOptions>()
  const { chainId, accountNumber, sequence, offline } = options
  if (offline && (chainId === undefined || accountNumber === undefined || sequence === undefined))
    throw new CliError('--offline needs --chain-id, --account-number and --sequence', exitCodes.usage)
  if (chainId !== undefined && accountNumber !== undefined && sequence !== undefined)
    return {
      chainId,
      accountNumber: unsigned('--account-number', accountNumber),
      sequence: unsigned('--sequence', sequence),
    }
  const client = clientOf(command)
  const account = await client.account(address)
  if (!account)
    throw new CliError(
      `${address} has no account on the chain yet: send it some coins first`,
      exitCodes.rejected,
    )
  return {
    chainId: chainId ?? (await client.chainId()),
    accountNumber:
      accountNumber === undefined ? account.accountNumber : unsigned('--account-number', accountNumber),
    sequence: sequence === undefined ? account.sequence : unsigned('--sequence', sequence),
  }
}

/** Makes, signs and sends a transaction, or prints it, as the options say. */
export async function send(command: Command, messages: readonly Any[], key: Key | undefined): Promise<void> {
  const options = command.opts<SendOptions>()
  const configured = gasPrices(configOf(globals(command).home)?.minimum_gas_prices)
  const body = TxBody.fromPartial({
    messages: [...messages],
    memo: options.note,
    timeoutHeight:
      options.timeoutHeight === undefined ? 0n : unsigned('--timeout-height', options.timeoutHeight),
  })
  const mode = signMode(options)
  const data =
    key && !options.generateOnly ? await signerData(command, accountAddress(key.publicKey)) : undefined
  const simulate = async (): Promise<bigint> => {
    if (!key) throw new CliError('--gas auto needs --from: the gas depends on who signs', exitCodes.usage)
    const sequence = (data ?? (await signerData(command, accountAddress(key.publicKey)))).sequence
    // A fee like the later one: taking it costs gas too.
    const amount = feeCoins(options, configured, 200_000n).map(({ denom, amount }) => ({ denom, amount }))
    return simulated(clientOf(command), body, key, sequence, amount)
  }
  if (options.dryRun) {
    const gas = await simulate()
    print(command, { gas_estimate: String(gas) }, () => `gas estimate: ${gas}`)
    return
  }
  const gasLimit = await gasLimitOf(options, simulate)
  const fee = {
    amount: feeCoins(options, configured, gasLimit).map(({ denom, amount }) => ({
      denom,
      amount,
    })),
    gasLimit,
    payer: options.feePayer ?? '',
  }
  const draft: Draft = { body, authInfo: AuthInfo.fromPartial({ fee }), signatures: [] }
  if (options.generateOnly) {
    process.stdout.write(`${JSON.stringify(txJson(draft))}\n`)
    return
  }
  if (!key || !data) throw new CliError('--from must name the key that signs', exitCodes.usage)
  if (key.kind === 'multisig')
    throw new CliError(
      `${key.name} is a multisig key: write the transaction with --generate-only, sign it with \`fornaxd tx sign\`, join with \`fornaxd tx multisign\``,
    )
  const ring = keyringOf(command)
  const signed = await signDraft(draft, key.publicKey, data, mode, (bytes) => ring.sign(key.name, bytes))
  if (!options.yes) note(JSON.stringify(toJson('cosmos.tx.v1beta1.Tx', signed) as Json, null, 2))
  await confirm('Sign and send this transaction?', options.yes)
  await broadcast(command, signed, options.wait)
}

const gasPrices = (configured: readonly Price[] = [{ amount: 1_000_000_000n, denom: 'afrx' }]): string =>
  configured.map(({ amount, denom }) => `${amount}${denom}`).join(',')

async function gasLimitOf(
  { gas, gasAdjustment, generateOnly }: SendOptions,
  simulate: () => Promise<bigint>,
): Promise<bigint> {
  if (gas !== 'auto') return unsigned('--gas', gas)
  // An unsigned transaction may be written where no node is at hand.
  if (generateOnly) return 200_000n
  const factor = Number(gasAdjustment)
  if (!(factor >= 1 && factor <= 100))
    throw new CliError(
      `--gas-adjustment must be a number from 1 to 100, not ${gasAdjustment}`,
      exitCodes.usage,
    )
  return BigInt(Math.ceil(Number(await simulate()) * factor))
}

/** Rejects with exit code 4 where the chain would refuse. */
async function simulated(
  client: NodeClient,
  body: TxBody,
  key: Key,
  sequence: bigint,
  amount: Coin[],
): Promise<bigint> {
  const { info, signature } = simulatedSigner(key.publicKey, sequence)
  const authInfo = AuthInfo.fromPartial({ signerInfos: [info], fee: { amount, gasLimit: 200_000n } })
  try {
    return await client.simulate(encodeTx(body, authInfo, [signature]))
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const { codespace, code, message } = error
    throw new CliError(
      `the chain would refuse the transaction (${codespace} ${code}): ${message}${hintOf(message)}`,
      exitCodes.rejected,
    )
  }
}

/** A line more on a refusal that the SDK tells in words that hide what the agents did; or nothing. */
const hintOf = (refusal: string): string =>
  refusal.includes('validator still jailed')
    ? '\nIt may be in the agents’ jail or banned: `fornaxd query agents explain` with its address says which, and until when.'
    : ''

/** What a transaction has made that later ones name, or wait for: a line each. */
function outcomesOf({ tx_result: { events } }: TxJson): string[] {
  const attributes = (events ?? []).flatMap(({ attributes }) => attributes ?? [])
  const told = attributes.filter(({ key }) => /_id$|^completion_time$/.test(key))
  return [...new Set(told.map(({ key, value }) => `${key}: ${value}`))]
}

/** Sends a signed transaction and prints what the chain says. Rejects with exit code 4 where it refuses. */
export async function broadcast(
  command: Command,
  { body, authInfo, signatures }: Draft,
  wait: boolean,
): Promise<void> {
  const client = clientOf(command)
  const outcome = await client.broadcast(encodeTx(body, authInfo, signatures), wait ? waitMs : 0)
  const { hash, code, codespace, log, included } = outcome
  const response = included
    ? txResponse(included)
    : { height: '0', txhash: hash, codespace, code, raw_log: log }
  print(command, response, () =>
    code === 0
      ? included
        ? [
            `${hash} is in block ${included.height} (gas used ${included.tx_result.gas_used} of ${included.tx_result.gas_wanted})`,
            ...outcomesOf(included),
          ].join('\n')
        : `${hash} is in the mempool`
      : `${hash} failed`,
  )
  if (code !== 0)
    throw new CliError(
      `the chain refused the transaction (${codespace} ${code}): ${log}${hintOf(log)}`,
      exitCodes.rejected,
    )
  if (wait && !included)
    throw new CliError(
      `the transaction is in no block after ${waitMs / 1000} s: \`fornaxd query tx ${hash}\` tells later`,
    )
}
