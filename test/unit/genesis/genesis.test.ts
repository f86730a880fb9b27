import { expect } from 'chai'
import { Tx, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { formatAddress } from '../../../core/address.ts'
import { singleKey } from '../../../core/crypto/account-key.ts'
import { secp256k1PublicKey, signSecp256k1 } from '../../../core/crypto/secp256k1.ts'
import { decodeTx } from '../../../core/tx/decode.ts'
import { fromJson, type Json } from '../../../core/wire/json.ts'
import { type CometKey, cometKey } from '../../../daemon/comet/keys.ts'
import { derivePrivateKey, readMnemonic } from '../../../daemon/keyring/derive.ts'
import { agentKeyMessage } from '../../../daemon/validator/agent-signer.ts'
import { addAccount } from '../../../genesis/accounts.ts'
import {
  FRX,
  type frxMetadata,
  type GenesisDocument,
  GenesisError,
  isDevelopmentChain,
  newGenesis,
  parseGenesis,
  renderGenesis,
} from '../../../genesis/document.ts'
import { collectGentxs, makeGentx } from '../../../genesis/gentx.ts'
import { developmentAccounts } from '../../../genesis/presets.ts'
import { validateGenesis } from '../../../genesis/validate.ts'
import { modules } from '../../../modules/index.ts'

const secretOf = (i: number): Promise<Uint8Array> =>
  derivePrivateKey(developmentAccounts[0].mnemonic, `m/44'/118'/0'/0/${i}`)
const addressOf = async (i: number): Promise<string> =>
  formatAddress(singleKey('secp256k1', secp256k1PublicKey(await secretOf(i))).address)

async function gentxOf(
  i: number,
  chainId = 'fornax-1',
  consensusSeed = i,
  agentKey?: CometKey,
): Promise<Json> {
  const secret = await secretOf(i)
  return makeGentx({
    chainId,
    moniker: `node-${i}`,
    selfDelegation: 100n * FRX,
    key: singleKey('secp256k1', secp256k1PublicKey(secret)),
    sign: async (bytes) => signSecp256k1(secret, bytes),
    consensusKey: cometKey(new Uint8Array(32).fill(consensusSeed)).publicKey,
    peer: `${'0'.repeat(40)}@127.0.0.1:26656`,
    ...(agentKey && { agentKeyMessage: (operator) => agentKeyMessage(agentKey, chainId, operator) }),
  })
}

async function twoValidators(): Promise<GenesisDocument> {
  const document = newGenesis({ chainId: 'fornax-1', modules, time: '2026-01-31T12:00:00Z' })
  for (const i of [1, 2])
    addAccount(document, await addressOf(i), [{ denom: 'afrx', amount: String(1000n * FRX) }])
  collectGentxs(document, [await gentxOf(1), await gentxOf(2)], ['one.json', 'two.json'])
  return document
}

const refusal = (document: GenesisDocument, edit: (d: never) => void): string => {
  const copy = structuredClone(document)
  edit(copy as never)
  try {
    validateGenesis(copy, modules)
  } catch (error) {
    expect(error).to.be.instanceOf(GenesisError)
    return (error as Error).message
  }
  throw new Error('accepted')
}

describe('the genesis builder', () => {
  let document: GenesisDocument
  before(async () => {
    document = await twoValidators()
  })

  it('tells wallets how the coin is shown, in terms that the bank takes', () => {
    const { denom_metadata: metadata } = document.app_state['bank'] as unknown as {
      denom_metadata: (typeof frxMetadata)[]
    }
    expect(metadata).to.have.length(1)
    expect(metadata[0]).to.deep.include({ base: 'afrx', display: 'frx', symbol: 'FRX' })
    const display = metadata[0]!.denom_units.find(({ denom }) => denom === 'frx')
    expect(10n ** BigInt(display!.exponent)).to.equal(FRX)
    validateGenesis(document, modules)
    const wrong = (d: GenesisDocument) => {
      const bank = d.app_state['bank'] as unknown as { denom_metadata: { display: string }[] }
      bank.denom_metadata[0]!.display = 'xrf'
    }
    expect(refusal(document, wrong)).to.contain('no denomination unit xrf')
  })

  it('makes a file that is valid, and reads back the same', () => {
    expect(validateGenesis(document, modules)).to.have.length(2)
    expect(parseGenesis(renderGenesis(document), 'g')).to.deep.equal(document)
  })

  it('makes the same file whatever order the gentxs are collected in', async () => {
    const copy = structuredClone(document)
    collectGentxs(copy, [await gentxOf(2), await gentxOf(1)], ['two.json', 'one.json'])
    expect(renderGenesis(copy)).to.equal(renderGenesis(document))
  })

  it('signs gentxs that decode as any transaction does', async () => {
    const tx = fromJson('cosmos.tx.v1beta1.Tx', document.app_state.genutil.gen_txs[0]) as Tx
    const raw = Tx.encode(tx).finish()
    const decoded = decodeTx(raw)
    expect(TxRaw.decode(raw).signatures[0]).to.have.length(64)
    expect([await addressOf(1), await addressOf(2)]).to.include(formatAddress(decoded.feePayer))
  })

  it('puts coins of accounts into the supply, and no account twice', async () => {
    const copy = structuredClone(document)
    addAccount(copy, await addressOf(3), [{ denom: 'afrx', amount: '5' }])
    expect(copy.app_state['bank']).to.have.deep.property('supply', [
      { denom: 'afrx', amount: String(2000n * FRX + 5n) },
    ])
    const again = addAccount.bind(undefined, copy, await addressOf(3), [])
    expect(again).to.throw(GenesisError, /is in the genesis already/)
  })

  it('marks a chain as one for development only by a clear yes', () => {
    expect(isDevelopmentChain(document)).to.equal(false)
    expect(isDevelopmentChain(newGenesis({ chainId: 'fornax-9', modules, development: true }))).to.equal(true)
    const odd = structuredClone(document)
    Object.assign(odd.app_state.fornax, { development: 'true' })
    expect(isDevelopmentChain(odd)).to.equal(false)
  })

  it('refuses a chain id of another form', () => {
    for (const chainId of ['', 'fornax', 'fornax-0', 'fornax-01', 'cosmos-1', 'fornax-1 '])
      expect(() => newGenesis({ chainId, modules })).to.throw(GenesisError, /fornax-<number>/)
  })

  it('names the place of a fault', () => {
    type Doc = { [key: string]: never }
    const cases: [RegExp, (d: Doc) => void][] = [
      [/^chain_id must be/, (d) => Object.assign(d, { chain_id: 'x' })],
      [/^genesis_time must be/, (d) => Object.assign(d, { genesis_time: '2026-13-31T12:00:00Z' })],
      [/^extra is not a part/, (d) => Object.assign(d, { extra: 1 })],
      [/^consensus_params.abci.vote_ext/, (d) => Object.assign(d['consensus_params']!, { abci: {} })],
      [
        /^consensus_params.block.max_gas/,
        (d) => Object.assign(d['consensus_params']!['block']!, { max_gas: '0' }),
      ],
      [/^app_state.evil is not a section/, (d) => Object.assign(d['app_state']!, { evil: {} })],
      [/^app_state.bank is missing/, (d) => Reflect.deleteProperty(d['app_state']!, 'bank')],
      [
        /^app_state.bank.balances\[0\].address: expected text/,
        (d) => Object.assign(d['app_state']!['bank']!['balances']![0]!, { address: 5 }),
      ],
      [
        /^app_state.bank.balances\[0\].coinz: unknown field/,
        (d) => Object.assign(d['app_state']!['bank']!['balances']![0]!, { coinz: [] }),
      ],
      [
        /^app_state.bank: decoding bech32 failed/,
        (d) => Object.assign(d['app_state']!['bank']!['balances']![0]!, { address: 'cosmos1qqqq' }),
      ],
      [
        /^app_state.bank: .*duplicate/,
        (d) =>
          (d['app_state']!['bank']!['balances'] as unknown[]).push(d['app_state']!['bank']!['balances']![0]),
      ],
      [
        /^app_state.bank: .*supply is incorrect/,
        (d) => Object.assign(d['app_state']!['bank']!['supply']![0]!, { amount: '1' }),
      ],
      [
        /^app_state.auth: .*duplicate/,
        (d) =>
          (d['app_state']!['auth']!['accounts'] as unknown[]).push(d['app_state']!['auth']!['accounts']![0]),
      ],
      [
        /^app_state.fornax.development must be/,
        (d) => Object.assign(d['app_state']!['fornax']!, { development: 1 }),
      ],
      [
        /^app_state.genutil.gen_txs must be a list/,
        (d) => Object.assign(d['app_state']!['genutil']!, { gen_txs: {} }),
      ],
      [
        /^app_state.genutil.gen_txs makes no validator/,
        (d) => Object.assign(d['app_state']!['genutil']!, { gen_txs: [] }),
      ],
    ]
    for (const [pattern, edit] of cases)
      expect(refusal(document, edit as (d: never) => void)).to.match(pattern)
  })

  it('refuses a genesis transaction that was changed, is for another chain, or stands twice', async () => {
    const at = /^app_state.genutil.gen_txs\[1\]: /
    const change = (edit: (tx: { body: { memo: string } }) => void) =>
      refusal(document, (d: GenesisDocument) => edit(d.app_state.genutil.gen_txs[1] as never))
    expect(change((tx) => (tx.body.memo = 'elsewhere')))
      .to.match(at)
      .and.match(/signature does not verify/)
    expect(change((tx) => Object.assign(tx, { signatures: [] }))).to.match(at)
    expect(change((tx) => Object.assign(tx.body, { messages: [] })))
      .to.match(at)
      .and.match(/must hold one/)
    const other = await gentxOf(1, 'fornax-2')
    expect(refusal(document, (d: GenesisDocument) => void (d.app_state.genutil.gen_txs = [other]))).to.match(
      /made for chain fornax-1/,
    )
    const twice = refusal(
      document,
      (d: GenesisDocument) => void d.app_state.genutil.gen_txs.push(d.app_state.genutil.gen_txs[0]!),
    )
    expect(twice).to.match(/made a validator twice/)
    const sameKey = await gentxOf(2, 'fornax-1', 1)
    const one = await gentxOf(1)
    expect(
      refusal(document, (d: GenesisDocument) => void (d.app_state.genutil.gen_txs = [one, sameKey])),
    ).to.match(/consensus key belongs to another/)
    const poor = await gentxOf(4)
    expect(refusal(document, (d: GenesisDocument) => void (d.app_state.genutil.gen_txs = [poor]))).to.match(
      /but has 0afrx/,
    )
  })

  it('takes an agent key behind a validator, of that validator alone', async () => {
    const key = (seed: number) => cometKey(new Uint8Array(32).fill(seed))
    const copy = structuredClone(document)
    const both = [await gentxOf(1, 'fornax-1', 1, key(7)), await gentxOf(2)]
    const keys = collectGentxs(copy, both, ['one', 'two']).map((g) => g.agentKey)
    expect(keys).to.have.deep.members([key(7).publicKey, undefined])
    expect(validateGenesis(copy, modules)).to.have.length(2)
    const collect = (...gentxs: Json[]) => collectGentxs.bind(undefined, copy, gentxs, ['one', 'two'])
    const same = collect(both[0]!, await gentxOf(2, 'fornax-1', 2, key(7)))
    expect(same).to.throw(GenesisError, /agent key belongs to another validator/)
    const publicKey = key(7).publicKey.subarray(1)
    const short = collect(both[1]!, await gentxOf(1, 'fornax-1', 1, { ...key(7), publicKey }))
    expect(short).to.throw(GenesisError, /an ed25519 key of 32 bytes/)
    const change = (edit: (messages: { validator: string }[]) => void) =>
      refusal(copy, ({ app_state }: GenesisDocument) => {
        const { genutil } = app_state
        genutil.gen_txs = [structuredClone(both[0]!)]
        edit((genutil.gen_txs[0] as unknown as { body: { messages: { validator: string }[] } }).body.messages)
      })
    const other = formatAddress(
      singleKey('secp256k1', secp256k1PublicKey(await secretOf(2))).address,
      'fornaxvaloper',
    )
    expect(change((m) => Object.assign(m[1]!, { validator: other }))).to.match(/of another validator/)
    expect(change((m) => m.push(structuredClone(m[1]!)))).to.match(/must hold one/)
    expect(change((m) => m.reverse())).to.match(/must hold one/)
    // Its public key is in the file for all to read, and of no use to others.
    const copied = collect(await gentxOf(2, 'fornax-1', 2, { ...key(8), publicKey: key(7).publicKey }))
    expect(copied).to.throw(GenesisError, /does not prove that it is/)
    expect(change((m) => m.splice(1))).to.match(/signature does not verify/)
  })

  it('refuses text that is no genesis file, naming the file', () => {
    for (const text of ['', '[]', 'null', '{}', '{"chain_id":"fornax-1"}', '{"chain_id":1,"app_state":{}}'])
      expect(() => parseGenesis(text, 'g.json')).to.throw(GenesisError, /^g.json/)
  })
})

describe('the development accounts', () => {
  it('have valid mnemonics', () => {
    for (const { mnemonic } of developmentAccounts) expect(readMnemonic(mnemonic)).to.equal(mnemonic)
  })
})
