import type { Metadata } from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import {
  QueryDenomsMetadataRequest,
  type QueryDenomsMetadataResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { ACCOUNT_PREFIX, CONSENSUS_PREFIX, VALIDATOR_PREFIX } from '../../../../core/address.ts'
import type { Json } from '../../../../core/wire/json.ts'
import { frxMetadata } from '../../../../genesis/document.ts'
import { params as stakingParams } from '../../../../modules/staking/api.ts'
import { call } from '../../../app/call.ts'
import type { Chain } from '../../../app/chain.ts'
import { SDK_VERSION } from '../../../services/tendermint.ts'
import { type ChainFacts, endpointsFor } from '../chain-facts.ts'
import type { JsonSchema, Route } from '../route.ts'

/** The name of the chain in registries: small letters and digits. */
const CHAIN_NAME = 'fornax'
const bech32Config = {
  bech32PrefixAccAddr: ACCOUNT_PREFIX,
  bech32PrefixAccPub: `${ACCOUNT_PREFIX}pub`,
  bech32PrefixValAddr: VALIDATOR_PREFIX,
  bech32PrefixValPub: `${VALIDATOR_PREFIX}pub`,
  bech32PrefixConsAddr: CONSENSUS_PREFIX,
  bech32PrefixConsPub: `${CONSENSUS_PREFIX}pub`,
}

type Unit = Pick<Metadata['denomUnits'][number], 'denom' | 'exponent' | 'aliases'>
type Asset = Pick<Metadata, 'description' | 'base' | 'display' | 'name' | 'symbol'> & {
  readonly denomUnits: readonly Unit[]
}

const frx: Asset = { ...frxMetadata, denomUnits: frxMetadata.denom_units }
const METADATA = '/cosmos.bank.v1beta1.Query/DenomsMetadata'
const metadataRequest = QueryDenomsMetadataRequest.fromPartial({ pagination: { limit: 200n } })

/** The coin that is staked first, also on chains whose genesis says nothing of how it is shown. */
async function assetsOf(chain: Chain, staked: string): Promise<Asset[]> {
  const answer = await call(chain, chain.router.methods.get(METADATA)!, metadataRequest)
  const told = (answer as QueryDenomsMetadataResponse).metadatas
  const plain = {
    denomUnits: [{ denom: staked, exponent: 0, aliases: [] }],
    description: '',
    base: staked,
    display: staked,
    name: staked,
    symbol: staked,
  }
  const first = told.find(({ base }) => base === staked) ?? (staked === frx.base ? frx : plain)
  return [first, ...told.filter(({ base }) => base !== staked)]
}

/** Prices of a unit of gas: the least that this node takes, and more for nodes that ask more. */
function gasPrices({ minimumGasPrices }: ChainFacts, denom: string) {
  const least = Number(minimumGasPrices.find((price) => price.denom === denom)?.amount ?? 0n)
  return { low: least, average: least * 1.25, high: least * 2 }
}

function asset({ description, denomUnits, base, display, name, symbol }: Asset): { [field: string]: Json } {
  return {
    ...(description !== '' && { description }),
    denom_units: denomUnits.map(({ denom, exponent, aliases }) => ({
      denom,
      exponent,
      ...(aliases.length > 0 && { aliases: [...aliases] }),
    })),
    type_asset: base.startsWith('ibc/') ? 'ics20' : 'sdk.coin',
    base,
    name,
    display,
    symbol,
  }
}

const currency = ({ base, display, symbol, denomUnits }: Asset): { [field: string]: Json } => ({
  coinDenom: symbol,
  coinMinimalDenom: base,
  coinDecimals: denomUnits.find(({ denom }) => denom === display)?.exponent ?? 0,
})

const prettyName = ({ development }: ChainFacts): string => (development ? 'Fornax (development)' : 'Fornax')

/** Keplr's coin type of keys whose address is not Ethereum's. */
const COSMOS_COIN_TYPE = 118

/** Names of Keplr's for keys with Ethereum's address, that sign as cosmos/evm has it. */
const ETH_KEYS = ['eth-address-gen', 'eth-key-sign', 'eth-secp256k1-cosmos']

/** Names of Keplr's for what this chain has. */
function keplrFeatures({ router }: Chain, coinType: number): string[] {
  const has = (method: string): boolean => router.methods.has(method)
  return [
    ...(coinType === COSMOS_COIN_TYPE ? [] : ETH_KEYS),
    ...(has('/cosmos.bank.v1beta1.Query/SpendableBalances')
      ? ['query:/cosmos/bank/v1beta1/spendable_balances']
      : []),
    ...(has('/ibc.applications.transfer.v1.Query/Params') ? ['ibc-transfer', 'ibc-go'] : []),
  ]
}

const object: JsonSchema = { type: 'object', additionalProperties: true }
const ofHost =
  'Endpoints are those by which whoever asks reached the node, unless `rest.public_url` and `comet.public_rpc_url` say ' +
  'others.'

/** What registries and wallets ask about a chain before they show it. */
export function chainInfoRoutes(chain: Chain, facts: ChainFacts, version: string): Route[] {
  const staking = () => stakingParams(chain.view('committed'))
  return [
    {
      method: 'GET',
      path: '/chain.json',
      tag: 'Chain',
      summary: 'The chain as the Cosmos chain registry describes one',
      description: `In the form of the registry's chain.schema.json. ${ofHost}`,
      answers: { 200: { description: 'The description.', schema: object } },
      errors: { 400: 'The header Host is malformed.' },
      run(asked) {
        const { bondDenom, unbondingTime } = staking()
        const { rest, rpc, isRpcOpen } = endpointsFor(facts, asked)
        const { low, average, high } = gasPrices(facts, bondDenom)
        const body: Json = {
          $schema: '../chain.schema.json',
          chain_name: CHAIN_NAME,
          chain_type: 'cosmos',
          chain_id: chain.lastBlock.chainId,
          pretty_name: prettyName(facts),
          status: 'live',
          network_type: facts.development ? 'devnet' : 'mainnet',
          bech32_prefix: ACCOUNT_PREFIX,
          bech32_config: bech32Config,
          daemon_name: 'fornaxd',
          node_home: '$HOME/.fornaxd',
          key_algos: ['ethsecp256k1', 'secp256k1'],
          slip44: facts.coinType,
          fees: {
            fee_tokens: [
              {
                denom: bondDenom,
                fixed_min_gas_price: low,
                low_gas_price: low,
                average_gas_price: average,
                high_gas_price: high,
              },
            ],
          },
          staking: {
            staking_tokens: [{ denom: bondDenom }],
            lock_duration: { time: `${unbondingTime.seconds}s` },
          },
          codebase: {
            recommended_version: `v${version}`,
            compatible_versions: [`v${version}`],
            language: { type: 'other' },
            sdk: { type: 'cosmos', version: SDK_VERSION },
            consensus: { type: 'cometbft', version: `v${facts.cometVersion}` },
          },
          apis: { rpc: isRpcOpen ? [{ address: rpc }] : [], rest: [{ address: rest }] },
        }
        return { status: 200, body }
      },
    },
    {
      method: 'GET',
      path: '/assetlist.json',
      tag: 'Chain',
      summary: "The chain's coins as the Cosmos chain registry describes them",
      description: "In the form of the registry's assetlist.schema.json, from the bank's metadata.",
      answers: { 200: { description: 'The list.', schema: object } },
      async run() {
        const assets = await assetsOf(chain, staking().bondDenom)
        const body = {
          $schema: '../assetlist.schema.json',
          chain_name: CHAIN_NAME,
          assets: assets.map(asset),
        }
        return { status: 200, body }
      },
    },
    {
      method: 'GET',
      path: '/keplr.json',
      tag: 'Chain',
      summary: 'What a page hands to Keplr to have it show the chain',
      description:
        `For \`window.keplr.experimentalSuggestChain\`, which Cosmostation has too. Keplr knows a chain by one kind of ` +
        `key: by default that of Ethereum's wallets. ${ofHost}`,
      query: {
        coin_type: {
          type: 'string',
          enum: ['60', '118'],
          description: '118 for accounts that were made with the coin type of Cosmos.',
        },
      },
      answers: { 200: { description: "Keplr's ChainInfo.", schema: object } },
      errors: { 400: 'The header Host is malformed.' },
      async run(asked) {
        const { rest, rpc } = endpointsFor(facts, asked)
        const coinType = Number(asked.query['coin_type'] ?? facts.coinType)
        const { bondDenom } = staking()
        const currencies = (await assetsOf(chain, bondDenom)).map(currency)
        const body: Json = {
          rpc,
          rest,
          chainId: chain.lastBlock.chainId,
          chainName: prettyName(facts),
          bip44: { coinType },
          bech32Config,
          currencies,
          feeCurrencies: [{ ...currencies[0], gasPriceStep: gasPrices(facts, bondDenom) }],
          stakeCurrency: currencies[0]!,
          features: keplrFeatures(chain, coinType),
          isTestnet: facts.development,
        }
        return { status: 200, body }
      },
    },
  ]
}
