import type { Params, SendEnabled } from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import * as tx from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { parseAddress } from '../../core/address.ts'
import { requireAuthority } from '../../core/authority.ts'
import { checkCoins, formatCoins, isDenom, sumCoins } from '../../core/coin.ts'
import { sdk } from '../../core/error.ts'
import { messages } from '../../core/module.ts'
import { paramsMessage } from '../../core/params-message.ts'
import * as api from './api.ts'
import { bankError } from './errors.ts'
import * as state from './state.ts'

/** Throws sdk/10 where the list is empty too. */
function requireCoins(coins: Parameters<typeof checkCoins>[0]): void {
  if (coins.length === 0) throw sdk.invalidCoins('no coins')
  checkCoins(coins)
}

function checkMultiSend({ inputs, outputs }: tx.MsgMultiSend): void {
  if (inputs.length === 0) throw bankError.noInputs()
  if (inputs.length > 1) throw bankError.multipleSenders()
  if (outputs.length === 0) throw bankError.noOutputs()
  for (const { address, coins } of [...inputs, ...outputs]) {
    parseAddress(address)
    requireCoins(coins)
  }
  if (formatCoins(inputs[0]!.coins) !== formatCoins(sumCoins(outputs.map((o) => o.coins))))
    throw bankError.inputOutputMismatch()
}

function checkSendEnabled(entries: readonly SendEnabled[], useDefaultFor: readonly string[]): void {
  const seen = new Set<string>()
  for (const { denom } of entries) {
    if (seen.has(denom)) throw sdk.invalidRequest(`duplicate denom entries found for "${denom}"`)
    seen.add(denom)
    if (!isDenom(denom)) throw sdk.invalidRequest(`invalid SendEnabled denom "${denom}"`)
  }
  for (const denom of useDefaultFor)
    if (!isDenom(denom)) throw sdk.invalidRequest(`invalid UseDefaultFor denom "${denom}"`)
}

function checkNewParams({ sendEnabled }: Params): void {
  if (sendEnabled.length > 0) throw sdk.invalidRequest('use of send_enabled in params is no longer supported')
}

export const bankMessages = messages<tx.Msg>('cosmos.bank.v1beta1.Msg', tx, {
  Send: {
    summary: 'send coins',
    check({ fromAddress, toAddress, amount }) {
      parseAddress(fromAddress)
      parseAddress(toAddress)
      requireCoins(amount)
    },
    run(ctx, { fromAddress, toAddress, amount }) {
      const to = parseAddress(toAddress)
      api.requireSendEnabled(ctx, amount)
      api.requireMayReceive(ctx, to)
      api.transfer(ctx, parseAddress(fromAddress), to, amount)
      return {}
    },
  },
  MultiSend: {
    summary: 'send coins to several at once',
    check: checkMultiSend,
    run(ctx, { inputs, outputs }) {
      const { address, coins } = inputs[0]!
      api.requireSendEnabled(ctx, coins)
      const parsed = outputs.map((o) => ({ to: parseAddress(o.address), coins: o.coins }))
      for (const { to } of parsed) api.requireMayReceive(ctx, to)
      api.transferToMany(ctx, parseAddress(address), coins, parsed)
      return {}
    },
  },
  SetSendEnabled: {
    summary: 'allow or forbid sends of a denomination (by a proposal)',
    run(ctx, { authority, sendEnabled, useDefaultFor }) {
      requireAuthority(authority)
      checkSendEnabled(sendEnabled, useDefaultFor)
      for (const { denom, enabled } of sendEnabled) state.sendEnabled.set(ctx, denom, enabled)
      for (const denom of useDefaultFor) state.sendEnabled.delete(ctx, denom)
      return {}
    },
  },
  UpdateParams: paramsMessage(state.params, checkNewParams, 'change the parameters (by a proposal)'),
})
