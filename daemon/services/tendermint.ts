import type { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import * as types from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { CONSENSUS_PREFIX, formatAddress } from '../../core/address.ts'
import { fromBase64, fromHex, NO_BYTES } from '../../core/bytes.ts'
import { sdk } from '../../core/error.ts'
import { packAny } from '../../core/wire/registry.ts'
import { query } from '../app/query.ts'
import type { BlockJson, Validators } from '../client/rpc.ts'
import { blockId } from './block-id.ts'
import { protoBlock, sdkBlock } from './block-proto.ts'
import { nodeQueries, refusals, requireHeight, type ServedNode } from './service.ts'

/** The SDK release whose interfaces the node offers; relayers read it from build_deps and choose their ways by it. */
export const SDK_VERSION = 'v0.50.13'

function blockAnswer(json: BlockJson): Pick<types.GetLatestBlockResponse, 'blockId'> & {
  block: ReturnType<typeof protoBlock>
  sdkBlock: ReturnType<typeof sdkBlock>
} {
  const block = protoBlock(json)
  return { blockId: blockId(json.block_id), block, sdkBlock: sdkBlock(block) }
}

const KEY_TYPES: Readonly<Record<string, string>> = {
  'tendermint/PubKeyEd25519': 'cosmos.crypto.ed25519.PubKey',
  'tendermint/PubKeySecp256k1': 'cosmos.crypto.secp256k1.PubKey',
}

function validator(v: Validators['validators'][number]): types.Validator {
  const type = KEY_TYPES[v.pub_key.type]
  return {
    address: formatAddress(fromHex(v.address), CONSENSUS_PREFIX),
    ...(type && { pubKey: packAny(type, { key: fromBase64(v.pub_key.value) }) }),
    votingPower: BigInt(v.voting_power),
    proposerPriority: BigInt(v.proposer_priority),
  }
}

const PAGE = 100

/** Validators from `offset` on, read in CometBFT's pages. */
async function validatorSet(
  { rpc }: ServedNode,
  height: bigint | undefined,
  pagination: PageRequest | undefined,
): Promise<types.GetLatestValidatorSetResponse> {
  const { offset = 0n, limit = 0n, key = NO_BYTES } = pagination ?? {}
  if (key.length > 0) throw sdk.invalidRequest('pagination.key does not apply to validator sets; use offset')
  const wanted = limit === 0n || limit > BigInt(PAGE) ? PAGE : Number(limit)
  let page = await refusals(rpc.validators(height))
  const total = BigInt(page.total)
  if (offset >= total) {
    if (offset > 0n) throw sdk.invalidRequest(`offset is ${offset} and there are ${total} validators`)
    return { blockHeight: BigInt(page.block_height), validators: [], pagination: { nextKey: key, total } }
  }
  const from = Number(offset)
  const at = BigInt(page.block_height)
  const found: Validators['validators'] = []
  for (let number = Math.floor(from / PAGE) + 1; ; number++) {
    if (number > 1) page = await refusals(rpc.validators(at, number))
    found.push(...page.validators)
    const first = Math.floor(from / PAGE) * PAGE
    if (found.length >= from - first + wanted || first + found.length >= Number(total)) {
      const validators = found.slice(from - first, from - first + wanted).map(validator)
      return { blockHeight: at, validators, pagination: { nextKey: key, total } }
    }
  }
}

export const tendermintService = nodeQueries<types.Service>(
  'cosmos.base.tendermint.v1beta1.Service',
  types,
  {
    async GetNodeInfo({ rpc, facts }) {
      const { node_info: info } = await rpc.status()
      const { p2p, block } = info.protocol_version
      return types.GetNodeInfoResponse.fromPartial({
        defaultNodeInfo: {
          protocolVersion: {
            p2p: BigInt(p2p),
            block: BigInt(block),
            app: BigInt(info.protocol_version.app),
          },
          defaultNodeId: info.id,
          listenAddr: info.listen_addr,
          network: info.network,
          version: info.version,
          channels: fromHex(info.channels),
          moniker: info.moniker,
          other: { txIndex: info.other.tx_index, rpcAddress: info.other.rpc_address },
        },
        applicationVersion: {
          name: 'fornax',
          appName: facts.appName,
          version: facts.version,
          gitCommit: facts.commit ?? '',
          buildDeps: [
            { path: 'github.com/cosmos/cosmos-sdk', version: SDK_VERSION, sum: '' },
            { path: 'github.com/cometbft/cometbft', version: `v${info.version}`, sum: '' },
          ],
          cosmosSdkVersion: SDK_VERSION,
        },
      })
    },
    GetSyncing: async ({ rpc }) => ({ syncing: (await rpc.status()).sync_info.catching_up }),
    GetLatestBlock: async ({ rpc }) => blockAnswer(await refusals(rpc.block())),
    GetBlockByHeight: async (node, { height }) =>
      blockAnswer(await refusals(node.rpc.block(await requireHeight(node, height)))),
    GetLatestValidatorSet: (node, { pagination }) => validatorSet(node, undefined, pagination),
    GetValidatorSetByHeight: async (node, { height, pagination }) =>
      validatorSet(node, await requireHeight(node, height), pagination),
    async ABCIQuery({ chain }, { data, path, height, prove }) {
      if (!/^\/?(?:store|app|p2p)\//.test(path))
        throw sdk.invalidRequest('a path under store, app or p2p is expected')
      const { proofOps, ...answer } = await query(chain, { data, path, height, prove })
      return { ...answer, ...(proofOps && { proofOps: { ops: proofOps.ops.map((op) => ({ ...op })) } }) }
    },
  },
  { ABCIQuery: 'near' },
)
