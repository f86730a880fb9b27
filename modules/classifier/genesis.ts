import { type Address, formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { compareBytes, toLatin1 } from '../../core/bytes.ts'
import type { Context } from '../../core/context.ts'
import { sdk } from '../../core/error.ts'
import { genesis } from '../../core/module.ts'
import { registerTypes } from '../../core/wire/registry.ts'
import * as types from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import { Roster } from '../../proto/gen/fornax/classifier/v1/classifier.ts'
import type { GenesisState } from '../../proto/gen/fornax/classifier/v1/genesis.ts'
import * as genesisTypes from '../../proto/gen/fornax/classifier/v1/genesis.ts'
import { setAgentKey } from './agent-keys.ts'
import { WINDOW } from './bit-window.ts'
import { classifierError } from './errors.ts'
import { model, nextModel } from './model.ts'
import { checkParams, defaultParams, params } from './params.ts'
import { rosterOf } from './roster.ts'
import * as state from './state.ts'

registerTypes(types, genesisTypes)

const ADDRESS_BYTES = 20

const parseOperator = (text: string) => parseAddress(text, VALIDATOR_PREFIX)
const operatorText = (operator: Uint8Array): string => formatAddress(operator, VALIDATOR_PREFIX)

function validate({
  params,
  model,
  next,
  roster,
  agentKeys,
  metrics: telemetry,
  former,
}: GenesisState): void {
  checkParams(params)
  for (const { sha256 } of [model, ...(next ? [next] : [])])
    if (sha256.length !== 32 && sha256.length !== 0) throw classifierError.badModel('the sha256 has 32 bytes')
  for (const { pubKey, validator } of agentKeys) {
    parseOperator(validator)
    if (pubKey.length !== 32) throw sdk.invalidPubKey(`agent key of ${validator}`)
  }
  for (const { validator } of telemetry) parseOperator(validator)
  for (const { address, leftAt } of former)
    if (address.length !== ADDRESS_BYTES || leftAt <= 0n)
      throw sdk.invalidRequest('a former member has a consensus address and a height at which it left')
  for (const { missedWindow, nilWindow } of [...roster.records, ...former])
    for (const { length } of [missedWindow, nilWindow])
      if (length !== 0 && length !== WINDOW >> 3) throw sdk.invalidRequest(`a window has ${WINDOW} bits`)
  if (roster.proposers.length > WINDOW) throw sdk.invalidRequest(`at most ${WINDOW} proposers are remembered`)
  for (const records of [roster.records, former])
    for (const [i, { address }] of records.entries())
      if (i > 0 && compareBytes(records[i - 1]!.address, address) >= 0)
        throw sdk.invalidRequest('the roster, or its former members, are not in the order of their addresses')
  const members = new Set(roster.records.map(({ address }) => toLatin1(address)))
  if (former.some(({ address }) => members.has(toLatin1(address))))
    throw sdk.invalidRequest('a former member is on the roster')
}

function init(ctx: Context, g: GenesisState): void {
  state.params.set(ctx, g.params)
  if (g.model.sha256.length > 0) state.model.set(ctx, g.model)
  if (g.next !== undefined) state.nextModel.set(ctx, g.next)
  if (g.roster.records.length > 0) state.roster.set(ctx, g.roster)
  for (const { validator, pubKey } of g.agentKeys) setAgentKey(ctx, parseOperator(validator), pubKey)
  for (const { validator, metrics: telemetry } of g.metrics)
    state.telemetry.set(ctx, parseOperator(validator), telemetry)
  for (const record of g.former) {
    const address = record.address as Address
    state.formerMembers.set(ctx, address, record)
    state.departures.set(ctx, [record.leftAt, address], true)
  }
}

const exportState = (ctx: Context): GenesisState => ({
  params: params(ctx),
  model: model(ctx),
  next: nextModel(ctx),
  roster: rosterOf(ctx),
  agentKeys: [...state.agentKeys.entries(ctx)].map(([operator, pubKey]) => ({
    validator: operatorText(operator),
    pubKey,
  })),
  metrics: [...state.telemetry.entries(ctx)].map(([operator, telemetry]) => ({
    validator: operatorText(operator),
    metrics: telemetry,
  })),
  former: [...state.formerMembers.entries(ctx)].map(([, record]) => record),
})

export const classifierGenesis = genesis<GenesisState>({
  type: 'fornax.classifier.v1.GenesisState',
  defaults: () => ({
    params: defaultParams(),
    model: { sha256: new Uint8Array(0), activationHeight: 0n },
    next: undefined,
    roster: Roster.fromPartial({}),
    agentKeys: [],
    metrics: [],
    former: [],
  }),
  validate,
  init,
  export: exportState,
})
