import { expect } from 'chai'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, Fee, SignerInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { toBase64 } from '../../core/bytes.ts'
import { signTx } from '../../core/tx/build.ts'
import { packAny } from '../../core/wire/registry.ts'
import { CHAIN_ID, user } from '../kit/app/chain.ts'
import { type RunningNode, runNode } from '../kit/comet/running-node.ts'
import { eventually } from '../kit/eventually.ts'
import { ask } from '../kit/http/rest.ts'

/** The status that a path has to have, the path, the client's file that asks it, and the fields that it reads. */
interface Row {
  readonly status: number
  readonly path: string
  readonly file: string
  readonly fields: readonly string[]
}

const table = (text: string): Row[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [status = '', path = '', file = '', ...fields] = line.split(' ')
      return { status: Number(status), path, file, fields }
    })

/** https://github.com/chainapsis/keplr-wallet at b00f8d53afd4. */
const keplr = table(`
200 /cosmos/auth/v1beta1/accounts/ALICE cosmos/account/index.ts account.@type account.address account.account_number account.sequence
200 /cosmos/bank/v1beta1/balances/ALICE?pagination.limit=1000 cosmos/balance/balances.ts balances.0.denom balances.0.amount pagination.next_key
200 /cosmos/bank/v1beta1/spendable_balances/ALICE cosmos/balance/spendable.ts balances.0.denom
200 /cosmos/distribution/v1beta1/params cosmos/distribution/params.ts params.community_tax
200 /cosmos/staking/v1beta1/delegations/VALIDATOR?pagination.limit=1000 cosmos/staking/delegations.ts delegation_responses.0.delegation.validator_address delegation_responses.0.balance.amount
200 /cosmos/staking/v1beta1/params cosmos/staking/params.ts params.unbonding_time params.bond_denom
200 /cosmos/staking/v1beta1/pool cosmos/staking/pool.ts pool.bonded_tokens pool.not_bonded_tokens
200 /cosmos/distribution/v1beta1/delegators/VALIDATOR/rewards cosmos/staking/rewards.ts rewards.0.validator_address total
200 /cosmos/staking/v1beta1/delegators/ALICE/unbonding_delegations?pagination.limit=1000 cosmos/staking/unbonding-delegations.ts unbonding_responses
200 /cosmos/staking/v1beta1/validators?pagination.limit=1000&status=BOND_STATUS_BONDED cosmos/staking/validators.ts validators.0.operator_address validators.0.consensus_pubkey.@type validators.0.tokens validators.0.commission.commission_rates.rate validators.0.description.moniker
501 /cosmos/authz/v1beta1/grants/granter/ALICE?pagination.limit=1000 cosmos/authz/index.ts
501 /ibc/apps/transfer/v1/denom_traces/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA cosmos/ibc/denom-trace.ts
501 /ibc/core/channel/v1/channels/channel-0/ports/transfer cosmos/ibc/channel.ts
501 /ibc/core/channel/v1/channels/channel-0/ports/transfer/client_state cosmos/ibc/client-state.ts
404 /cosmos/evm/feemarket/v1/base_fee cosmos/evm/feemarket/index.ts
501 /ibc/apps/transfer/v1/params chain-validator/feature.ts
501 /ibc/applications/transfer/v1beta1/params chain-validator/feature.ts
400 /cosmos/bank/v1beta1/spendable_balances/test chain-validator/feature.ts
404 /feemarket/v1/params chain-validator/feature.ts error.code
`)

/** https://github.com/ping-pub/explorer at ca4adc028c79: src/libs/client.ts with the paths of src/libs/api. */
const pingPub = table(`
200 /cosmos/auth/v1beta1/accounts?pagination.offset=0&pagination.limit=20&pagination.count_total=true index.ts accounts.0.@type pagination.total
200 /cosmos/auth/v1beta1/accounts/ALICE index.ts account.@type
200 /cosmos/auth/v1beta1/params index.ts params.max_memo_characters
200 /cosmos/params/v1beta1/params?subspace=staking&key=MaxValidators index.ts param.subspace param.key param.value
200 /cosmos/bank/v1beta1/params index.ts params.default_send_enabled
200 /cosmos/bank/v1beta1/balances/ALICE index.ts balances.0.amount
200 /cosmos/bank/v1beta1/denoms_metadata index.ts metadatas.0.base metadatas.0.display metadatas.0.symbol metadatas.0.denom_units.1.exponent
200 /cosmos/bank/v1beta1/supply?pagination.offset=0&pagination.limit=20&pagination.count_total=true index.ts supply.0.denom pagination.total
501 /cosmos/bank/v1beta1/supply/afrx index.ts
200 /cosmos/bank/v1beta1/supply/by_denom?denom=afrx client.ts amount.amount
200 /cosmos/distribution/v1beta1/params index.ts params.community_tax
200 /cosmos/distribution/v1beta1/community_pool index.ts pool
200 /cosmos/distribution/v1beta1/validators/OPERATOR/commission index.ts commission.commission
200 /cosmos/distribution/v1beta1/validators/OPERATOR/outstanding_rewards index.ts rewards.rewards
200 /cosmos/distribution/v1beta1/validators/OPERATOR/slashes index.ts slashes
200 /cosmos/distribution/v1beta1/delegators/VALIDATOR/rewards index.ts rewards.0.reward total
200 /cosmos/slashing/v1beta1/params index.ts params.signed_blocks_window
200 /cosmos/slashing/v1beta1/signing_infos?pagination.limit=300 client.ts info.0.address info.0.missed_blocks_counter
200 /cosmos/gov/v1/params/voting v0.50.0.ts voting_params.voting_period
200 /cosmos/gov/v1/params/tallying v0.50.0.ts tally_params.quorum
200 /cosmos/gov/v1/params/deposit v0.50.0.ts deposit_params.min_deposit
200 /cosmos/gov/v1beta1/params/voting index.ts voting_params.voting_period
200 /cosmos/gov/v1/proposals?proposal_status=2&pagination.offset=0&pagination.limit=50&pagination.count_total=true&pagination.reverse=true client.ts proposals pagination.total
200 /cosmos/gov/v1beta1/proposals?proposal_status=2&pagination.offset=0&pagination.limit=50&pagination.count_total=true&pagination.reverse=true client.ts proposals pagination.total
200 /cosmos/gov/v1/proposals/1/votes?proposal_status={status}&pagination.offset=0&pagination.limit=20&pagination.count_total=true&pagination.reverse=true client.ts votes pagination.total
200 /cosmos/gov/v1/proposals/1/deposits client.ts deposits
404 /cosmos/gov/v1/proposals/1 client.ts
200 /cosmos/staking/v1beta1/delegations/VALIDATOR index.ts delegation_responses.0.balance.amount
200 /cosmos/staking/v1beta1/delegators/ALICE/redelegations index.ts redelegation_responses
200 /cosmos/staking/v1beta1/delegators/ALICE/unbonding_delegations index.ts unbonding_responses
200 /cosmos/staking/v1beta1/delegators/VALIDATOR/validators index.ts validators.0.operator_address
200 /cosmos/staking/v1beta1/pool index.ts pool.bonded_tokens
200 /cosmos/staking/v1beta1/validators?pagination.limit=200&status=BOND_STATUS_BONDED index.ts validators.0.status validators.0.min_self_delegation
200 /cosmos/staking/v1beta1/validators/OPERATOR index.ts validator.delegator_shares
200 /cosmos/staking/v1beta1/validators/OPERATOR/delegations?pagination.offset=0&pagination.limit=10&pagination.count_total=true client.ts delegation_responses.0.delegation.shares pagination.total
200 /cosmos/staking/v1beta1/validators/OPERATOR/delegations/VALIDATOR index.ts delegation_response.balance.amount
200 /cosmos/base/tendermint/v1beta1/blocks/latest index.ts block_id.hash block.header.height block.header.time block.last_commit.signatures
200 /cosmos/base/tendermint/v1beta1/blocks/1 index.ts block.header.chain_id
200 /cosmos/base/tendermint/v1beta1/node_info index.ts default_node_info.network application_version.version application_version.cosmos_sdk_version application_version.build_deps.0.path
200 /cosmos/base/tendermint/v1beta1/validatorsets/latest?pagination.limit=100&pagination.offset=0 client.ts validators.0.pub_key pagination.total
200 /cosmos/base/tendermint/v1beta1/validatorsets/1?pagination.limit=100&pagination.offset=0 client.ts block_height
200 /cosmos/tx/v1beta1/txs?query=message.sender='ALICE'&order_by=ORDER_BY_DESC&pagination.limit=20&pagination.offset=0 client.ts txs.0.body.messages.0.@type tx_responses.0.txhash tx_responses.0.timestamp tx_responses.0.tx.@type total
200 /cosmos/tx/v1beta1/txs?events=message.sender='ALICE'&pagination.limit=20&pagination.offset=0 client.ts tx_responses.0.height
200 /cosmos/tx/v1beta1/txs/HASH index.ts tx.auth_info.fee.amount tx_response.code tx_response.gas_used tx_response.events.0.type
200 /cosmos/tx/v1beta1/txs/block/HEIGHT index.ts txs pagination.total
501 /cosmos/mint/v1beta1/inflation index.ts
501 /cosmos/mint/v1beta1/params index.ts
501 /cosmos/mint/v1beta1/annual_provisions index.ts
501 /cosmos/group/v1/groups index.ts
501 /ibc/core/connection/v1/connections?pagination.offset=0&pagination.limit=20&pagination.count_total=true index.ts
501 /ibc/core/channel/v1/channels index.ts
501 /ibc/core/channel/v1/connections/connection-0/channels index.ts
404 /interchain_security/ccv/provider/opted_in_validators/1 index.ts error.code
`)

/** https://github.com/cosmostation/cosmostation-chrome-extension at 0f4594389418. */
const cosmostation = table(`
200 /cosmos/base/tendermint/v1beta1/node_info utils/cosmos.ts default_node_info.network application_version.cosmos_sdk_version
200 /cosmos/bank/v1beta1/balances/ALICE?pagination.limit=10000 utils/cosmos.ts balances.0.amount
200 /cosmos/staking/v1beta1/delegations/VALIDATOR utils/cosmos.ts delegation_responses.0.delegation.shares
200 /cosmos/distribution/v1beta1/delegators/VALIDATOR/rewards utils/cosmos.ts rewards.0.reward total
200 /cosmos/staking/v1beta1/delegators/ALICE/unbonding_delegations utils/cosmos.ts unbonding_responses
200 /cosmos/auth/v1beta1/accounts/ALICE utils/cosmos.ts account.account_number account.sequence
200 /cosmos/distribution/v1beta1/validators/OPERATOR/commission utils/cosmos.ts commission.commission
200 /cosmos/base/tendermint/v1beta1/blocks/latest utils/cosmos.ts block.header.height
200 /cosmos/tx/v1beta1/txs/HASH utils/cosmos.ts tx_response.code
501 /ibc/core/channel/v1/channels/channel-0/ports/transfer/client_state utils/cosmos.ts
404 /feemarket/v1/gas_prices/afrx utils/cosmos.ts error.code
`)

describe('wallets and explorers read', () => {
  let node: RunningNode
  let names: Readonly<Record<string, string>>

  before(async function () {
    this.timeout(300_000)
    node = await runNode((users) => ({
      faucet: {
        keyType: 'secp256k1',
        privateKey: users.get('carol')!.privateKey,
        amount: [{ denom: 'afrx', amount: '1000' }],
        intervalMs: 0,
        gasPrice: { denom: 'afrx', amount: 0n },
      },
    }))
    const { text, privateKey, accountNumber } = node.users.get('alice')!
    const value = { fromAddress: text, toAddress: text, amount: [{ denom: 'afrx', amount: '1' }] }
    const tx = {
      messages: [packAny('cosmos.bank.v1beta1.MsgSend', value)],
      fee: { amount: [], gasLimit: 200_000n },
    }
    const bytes = signTx(tx, CHAIN_ID, [{ privateKey, accountNumber, sequence: 0n }])
    const sent = await post('/broadcast_tx?wait=commit', { tx_bytes: toBase64(bytes) })
    expect([sent.status, sent.body.code]).to.deep.equal([200, 0])
    const validator = node.users.get('validator')!
    names = {
      ALICE: text,
      VALIDATOR: validator.text,
      OPERATOR: formatAddress(validator.address, VALIDATOR_PREFIX),
      HASH: sent.body.tx_hash,
      HEIGHT: sent.body.height,
    }
  })
  afterEach(() => expect(node.faults).to.deep.equal([]))
  after(() => node?.stop())

  const post = (path: string, body: object) =>
    ask(node.restUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const at = (body: unknown, path: string): unknown =>
    path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], body)

  for (const [client, rows] of Object.entries({
    Keplr: keplr,
    'Ping.pub': pingPub,
    Cosmostation: cosmostation,
  }))
    describe(client, () => {
      for (const { file, path, status, fields } of rows)
        it(`${path} (${file})`, async () => {
          const url = node.restUrl + path.replace(/[A-Z]{4,}/g, (name) => names[name] ?? name)
          const { status: got, body } = await ask(url)
          expect(got, JSON.stringify(body)).to.equal(status)
          for (const field of fields) expect(at(body, field), field).not.to.equal(undefined)
          if (status >= 400 && /^\/(cosmos|ibc)\//.test(path))
            expect(body)
              .to.deep.include({ message: body.error.message, details: [] })
              .and.have.property('code')
        })
    })

  it('the faucet, as @cosmjs/faucet-client asks it: any answer below 300 will do, and it is “ok”', async () => {
    const address = user('frank').text
    const answer = await post('/credit', { address, denom: 'afrx' })
    expect([answer.status, answer.body]).to.deep.equal([200, 'ok'])
    expect(answer.headers.get('content-type')).to.match(/^text\/plain/)
    await eventually('the coins', async () => {
      const { body } = await ask(`${node.restUrl}/cosmos/bank/v1beta1/balances/${address}`)
      return body.balances[0]?.amount === '1000'
    })
  })

  it('a simulation in the form of Keplr, without a public key and a signature, and its refusal', async () => {
    const simulate = (amount: string) => {
      const value = {
        fromAddress: names['ALICE'],
        toAddress: names['VALIDATOR'],
        amount: [{ denom: 'afrx', amount }],
      }
      const body = { messages: [packAny('cosmos.bank.v1beta1.MsgSend', value)], memo: '' }
      const signer = SignerInfo.fromPartial({
        modeInfo: { single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } },
        sequence: 1n,
      })
      const raw = TxRaw.encode({
        bodyBytes: TxBody.encode(TxBody.fromPartial(body)).finish(),
        authInfoBytes: AuthInfo.encode({ signerInfos: [signer], fee: Fee.fromPartial({}) }).finish(),
        signatures: [new Uint8Array(64)],
      }).finish()
      return post('/cosmos/tx/v1beta1/simulate', { tx_bytes: toBase64(raw) })
    }
    const fine = await simulate('5')
    expect(fine.status, JSON.stringify(fine.body)).to.equal(200)
    expect(Number(fine.body.gas_info.gas_used)).to.be.greaterThan(10_000)
    const much = await simulate(`1${'0'.repeat(30)}`)
    expect(much.status).to.equal(422)
    expect(much.body.message).to.contain('insufficient funds')
  })
})
