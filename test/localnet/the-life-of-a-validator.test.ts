import { assertIsDeliverTxSuccess, calculateFee, SigningStargateClient } from '@cosmjs/stargate'
import { expect } from 'chai'
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import { CONSENSUS_PREFIX, formatAddress, parseAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { packAny } from '../../core/wire/registry.ts'
import { type CometKey, ensureKeys } from '../../daemon/comet/keys.ts'
import { heightOf } from '../../localnet/localnet.ts'
import type { NodeProcess } from '../../localnet/node-process.ts'
import { eventually } from '../kit/eventually.ts'
import { accountOf, walletOf } from '../kit/localnet/accounts.ts'
import { equivocation } from '../kit/localnet/equivocation.ts'
import { joiningNode } from '../kit/localnet/joining-node.ts'
import { type TestLocalnet, testLocalnet } from '../kit/localnet/localnet.ts'
import { tempDir } from '../kit/temp-dir.ts'

const FRX = 10n ** 18n
const STAKE = 60n * FRX
const fee = calculateFee(400_000, '1000000000afrx')

interface CometValidator {
  readonly address: string
  readonly voting_power: string
}

interface StateValidator {
  readonly operator_address: string
  readonly jailed: boolean
  readonly status: string
  readonly tokens: string
}

describe('a validator made by CosmJS on a fifth node', () => {
  const dir = tempDir()
  let net: TestLocalnet
  let fifth: NodeProcess
  let key: CometKey
  let client: SigningStargateClient
  let account: string
  let operator: string
  let created: number

  const json = async <T>(url: string, headers: Record<string, string> = {}): Promise<T> =>
    (await (await fetch(url, { headers })).json()) as T
  const rpc = async <T>(path: string): Promise<T> =>
    (await json<{ result: T }>(`${net.info.nodes[0]!.rpc}/${path}`)).result
  const state = <T>(path: string, height?: number): Promise<T> =>
    json(
      `${net.info.nodes[0]!.rest}/cosmos/${path}`,
      height === undefined ? {} : { 'x-cosmos-block-height': String(height) },
    )
  const own = async (): Promise<StateValidator> =>
    (await state<{ validator: StateValidator }>(`staking/v1beta1/validators/${operator}`)).validator
  const setAt = async (height: number): Promise<readonly CometValidator[]> =>
    (await rpc<{ validators: CometValidator[] }>(`validators?height=${height}&per_page=100`)).validators
  const isInSet = async (): Promise<boolean> => {
    const address = Buffer.from(key.address).toString('hex').toUpperCase()
    return (await setAt((await heightOf(net.info.nodes[0]!))!)).some((v) => v.address === address)
  }
  const signs = async (): Promise<boolean> => {
    const address = Buffer.from(key.address).toString('hex').toUpperCase()
    const { block } = await rpc<{
      block: { last_commit: { signatures: { validator_address: string; block_id_flag: number }[] } }
    }>('block')
    return block.last_commit.signatures.some((s) => s.validator_address === address && s.block_id_flag === 2)
  }

  before(async function () {
    this.timeout(300_000)
    net = await testLocalnet({
      appState: {
        slashing: {
          params: {
            signed_blocks_window: '12',
            min_signed_per_window: '0.500000000000000000',
            downtime_jail_duration: '60s',
            slash_fraction_downtime: '0.010000000000000000',
          },
        },
      },
    })
    const joined = await joiningNode(net, dir.path, 'fifth')
    fifth = joined.node
    key = ensureKeys(joined.home.path).validator
    fifth.start()
    await eventually('the fifth node in step', async () => ((await heightOf(fifth.info)) ?? 0) > 5, 90_000)
    const wallet = await walletOf(accountOf(net.info, 'dave'))
    account = (await wallet.getAccounts())[0]!.address
    operator = formatAddress(parseAddress(account), VALIDATOR_PREFIX)
    client = await SigningStargateClient.connectWithSigner(net.info.nodes[0]!.rpc, wallet, {
      broadcastPollIntervalMs: 100,
    })
    client.registry.register('/cosmos.slashing.v1beta1.MsgUnjail', MsgUnjail)
  })
  after(async function () {
    this.timeout(60_000)
    client?.disconnect()
    await fifth?.stop()
    await net?.remove()
    dir.remove()
  })

  const send = async (typeUrl: string, value: object) => {
    const result = await client.signAndBroadcast(account, [{ typeUrl, value }], fee)
    assertIsDeliverTxSuccess(result)
    return result
  }

  it('enters the set and signs blocks', async () => {
    const result = await send('/cosmos.staking.v1beta1.MsgCreateValidator', {
      description: { moniker: 'fifth', identity: '', website: '', securityContact: '', details: '' },
      commission: {
        rate: '100000000000000000',
        maxRate: '200000000000000000',
        maxChangeRate: '10000000000000000',
      },
      minSelfDelegation: '1',
      delegatorAddress: account,
      validatorAddress: operator,
      pubkey: packAny('cosmos.crypto.ed25519.PubKey', { key: key.publicKey }),
      value: { denom: 'afrx', amount: STAKE.toString() },
    })
    created = result.height
    expect(await own()).to.include({ status: 'BOND_STATUS_BONDED', jailed: false, tokens: STAKE.toString() })
    await eventually('its signature', signs, 60_000)
  }).timeout(120_000)

  it('is jailed and slashed when it stops, and comes back when it unjails', async () => {
    await fifth.stop()
    await eventually('its jail', async () => (await own()).jailed, 90_000)
    const { tokens, status } = await own()
    expect([status, BigInt(tokens)]).to.deep.equal(['BOND_STATUS_UNBONDING', (STAKE * 99n) / 100n])
    await eventually('a set without it', async () => !(await isInSet()))
    fifth.start()
    const unjail = { typeUrl: '/cosmos.slashing.v1beta1.MsgUnjail', value: { validatorAddr: operator } }
    await eventually(
      'the end of its jail',
      async () => (await client.signAndBroadcast(account, [unjail], fee)).code === 0,
      150_000,
    )
    await eventually('its signature', signs, 90_000)
    expect((await own()).jailed).to.equal(false)
  }).timeout(300_000)

  it('is slashed and tombstoned for two votes of one height that are handed to CometBFT', async () => {
    const height = (await heightOf(net.info.nodes[0]!))! - 1
    const set = await setAt(height)
    const validatorIndex = set.findIndex((v) =>
      Buffer.from(v.address, 'hex').equals(Buffer.from(key.address)),
    )
    const { block } = await rpc<{ block: { header: { time: string } } }>(`block?height=${height}`)
    const evidence = equivocation(key, {
      chainId: net.info.chain_id,
      height,
      time: block.header.time,
      validatorIndex,
      validatorPower: Number(set[validatorIndex]!.voting_power),
      totalPower: set.reduce((sum, v) => sum + Number(v.voting_power), 0),
    })
    const before = BigInt((await own()).tokens)
    const answer = await (
      await fetch(net.info.nodes[0]!.rpc, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_evidence', params: { evidence } }),
      })
    ).json()
    expect(answer).to.have.nested.property('result.hash')
    await eventually('its jail', async () => (await own()).jailed, 60_000)
    const power = BigInt(set[validatorIndex]!.voting_power)
    expect(BigInt((await own()).tokens)).to.equal(before - (power * FRX) / 20n)
    const consensus = formatAddress(key.address, CONSENSUS_PREFIX)
    const { val_signing_info } = await state<{ val_signing_info: { tombstoned: boolean } }>(
      `slashing/v1beta1/signing_infos/${consensus}`,
    )
    expect(val_signing_info.tombstoned).to.equal(true)
    await eventually('a set without it', async () => !(await isInSet()))
    const unjail = { typeUrl: '/cosmos.slashing.v1beta1.MsgUnjail', value: { validatorAddr: operator } }
    expect((await client.signAndBroadcast(account, [unjail], fee)).code).to.equal(4)
  }).timeout(180_000)

  it('stood in CometBFT’s set just as it stood in state, at every height', async () => {
    const tip = (await heightOf(net.info.nodes[0]!))! - 3
    for (let height = created - 2; height < tip; height++) {
      const { validators } = await state<{ validators: StateValidator[] }>(
        'staking/v1beta1/validators?status=BOND_STATUS_BONDED',
        height,
      )
      const inState = validators.map((v) => BigInt(v.tokens) / FRX)
      const atComet = (await setAt(height + 2)).map((v) => BigInt(v.voting_power))
      const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : 1)
      expect(atComet.sort(ascending), `height ${height}`).to.deep.equal(inState.sort(ascending))
    }
  }).timeout(120_000)
})
