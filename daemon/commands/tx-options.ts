import type { Command } from 'commander'
import { type Coin, inSmallestUnit } from '../../core/coin.ts'
import { readAmounts } from '../client/amounts.ts'
import { CliError, exitCodes } from './exit.ts'
import { withKeyring } from './keyring.ts'
import { withNode } from './node.ts'

/** Options of every command that signs. */
export interface SignOptions {
  chainId?: string
  signMode: string
  offline?: true
  accountNumber?: string
  sequence?: string
}

export const withSigning = (command: Command): Command =>
  withKeyring(withNode(command))
    .option('--chain-id <id>', "default the node's")
    .option('--sign-mode <mode>', 'direct or amino-json', 'direct')
    .option('--offline', 'ask no node; needs --chain-id, --account-number and --sequence')
    .option('--account-number <n>', "the signer's account number; default as the node says")
    .option('--sequence <n>', "the signer's sequence; default as the node says")

export interface SendOptions extends SignOptions {
  from?: string
  fees?: string
  gasPrices?: string
  gas: string
  gasAdjustment: string
  feePayer?: string
  note: string
  timeoutHeight?: string
  dryRun?: true
  generateOnly?: true
  yes?: true
  wait: boolean
}

export const withSending = (command: Command): Command =>
  withSigning(command)
    .option('--from <key>', 'the key that signs, by name or address')
    .option('--fees <coins>', 'what is paid; default gas times gas prices')
    .option(
      '--gas-prices <coins>',
      "price of a unit of gas; default as in this home's app.toml, or 1000000000afrx",
    )
    .option('--gas <n>', 'gas limit; auto asks the node', 'auto')
    .option('--gas-adjustment <factor>', 'by which auto multiplies what the node says', '1.3')
    .option('--fee-payer <address>', 'who pays, where it is not the signer; must sign too')
    .option('--note <text>', 'stored with the transaction', '')
    .option('--timeout-height <height>', 'refused after this height')
    .option('--dry-run', 'tell the gas it would take, and send nothing')
    .option('--generate-only', 'print the unsigned transaction, and send nothing')
    .option('-y, --yes', 'do not ask')
    .option('--no-wait', 'do not wait for the block')

export function unsigned(name: string, text: string): bigint {
  if (!/^\d{1,20}$/.test(text))
    throw new CliError(`${name} must be a whole number, not ${text}`, exitCodes.usage)
  return BigInt(text)
}

/** The fee of a gas limit: `fees` as given, or each price times the limit. */
export function feeCoins({ fees, gasPrices }: SendOptions, configured: string, gas: bigint): Coin[] {
  if (fees !== undefined) return readAmounts(fees)
  const prices = (gasPrices ?? configured).split(',').filter((p) => p !== '')
  const coins = prices.map((price) => {
    const [, whole, fraction = '', denom] =
      /^(\d+)(?:\.(\d{1,18}))?([a-zA-Z].*)$/.exec(inSmallestUnit(price).trim()) ?? []
    if (whole === undefined || denom === undefined)
      throw new CliError(
        `--gas-prices: ${JSON.stringify(price)} is not a price such as 1000000000afrx`,
        exitCodes.usage,
      )
    const scale = 10n ** BigInt(fraction.length)
    return `${(BigInt(whole + fraction) * gas + scale - 1n) / scale}${denom}`
  })
  return readAmounts(coins.filter((c) => !/^0+[a-zA-Z]/.test(c)).join(','))
}
