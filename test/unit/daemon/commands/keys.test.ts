import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DirectEthSecp256k1HdWallet, DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { expect } from 'chai'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { formatAddress, VALIDATOR_PREFIX } from '../../../../core/address.ts'
import { parseEitherAddress } from '../../../../core/hex-address.ts'
import { Keyring } from '../../../../daemon/keyring/keyring.ts'
import { fornaxd } from '../../../kit/fornaxd/fornaxd.ts'
import { tempDir } from '../../../kit/temp-dir.ts'

/** Known to everyone. */
const MNEMONIC = 'test test test test test test test test test test test junk'

describe('fornaxd keys', function () {
  this.timeout(60_000)
  const dir = tempDir()
  const home = dir.path
  let eth: string
  let cosmos: string
  const { address: evm } = mnemonicToAccount(MNEMONIC)

  const run = (line: string, input = '', env: Record<string, string> = {}) =>
    fornaxd([...line.split(' '), '--home', home], input, env)
  // biome-ignore lint/suspicious/noExplicitAny: answers of every form
  const answer = async (line: string, input = '', env = {}): Promise<{ json: any; stderr: string }> => {
    const { code, stdout, stderr } = await run(`${line} --output json`, input, env)
    expect(code, `${line}\n${stderr}`).to.equal(0)
    return { json: JSON.parse(stdout), stderr }
  }
  const refusal = async (line: string, input = ''): Promise<string> => {
    const { code, stdout, stderr } = await run(line, input)
    expect(code, line).to.not.equal(0)
    expect(stdout, line).to.equal('')
    return stderr
  }

  before(async () => {
    await run('init test --chain-id fornax-7')
    await run('config set keyring.backend test')
    const wallets = [DirectEthSecp256k1HdWallet, DirectSecp256k1HdWallet] as const
    const addresses = await Promise.all(
      wallets.map(
        async (w) => (await (await w.fromMnemonic(MNEMONIC, { prefix: 'fornax' })).getAccounts())[0]!.address,
      ),
    )
    eth = addresses[0]!
    cosmos = addresses[1]!
  })
  after(() => dir.remove())

  it('make a new key for wallets of Ethereum, which its mnemonic gives there too', async () => {
    const { json, stderr } = await answer('keys add fresh')
    expect(json.pubkey['@type']).to.equal('/cosmos.evm.crypto.v1.ethsecp256k1.PubKey')
    expect(json.evm_address).to.equal(mnemonicToAccount(json.mnemonic).address)
    expect(formatAddress(parseEitherAddress(json.evm_address))).to.equal(json.address)
    expect(stderr).to.not.contain('coin type 118')
  })

  it('take a mnemonic as wallets of Ethereum do, and tell whose account it would be of coin type 118', async () => {
    const { json, stderr } = await answer('keys add alice --recover', MNEMONIC)
    expect(json).to.include({ name: 'alice', type: 'local', address: eth, evm_address: evm })
    expect(stderr)
      .to.contain(`As one of coin type 118 (secp256k1) its account is ${cosmos}`)
      .and.contain('--key-type secp256k1')
  })

  it('take it as wallets of Cosmos do where the kind or the path says so', async () => {
    for (const [name, option] of [
      ['old', '--key-type secp256k1'],
      ['older', "--hd-path m/44'/118'/0'/0/0"],
    ] as const) {
      const { json, stderr } = await answer(`keys add ${name} --recover ${option}`, MNEMONIC)
      expect(json.address, option).to.equal(cosmos)
      expect(json.pubkey['@type']).to.equal('/cosmos.crypto.secp256k1.PubKey')
      expect(stderr).to.not.contain('coin type')
    }
    expect(await refusal('keys add x --key-type ed25519')).to.contain(
      '--key-type must be ethsecp256k1 or secp256k1, not ed25519',
    )
  })

  it('show a key in both forms, and find it by either', async () => {
    const key = { address: eth, evm_address: evm }
    for (const name of ['alice', eth, evm, evm.toLowerCase()])
      expect((await answer(`keys show ${name}`)).json, name).to.include({ name: 'alice', ...key })
    expect((await run('keys show alice -e')).stdout).to.equal(`${evm}\n`)
    expect((await run('keys show alice')).stdout).to.equal(`alice  ${eth}  ${evm}  (local, ethsecp256k1)\n`)
    const { stdout } = await run('keys list')
    expect(stdout).to.match(/^NAME +ADDRESS +EVM ADDRESS +TYPE\n/)
    expect(stdout.split('\n').find((line) => line.startsWith('old '))).to.match(
      new RegExp(`^old +${cosmos} +0x\\w{40} +local, secp256k1$`),
    )
  })

  it('convert an address between its forms', async () => {
    const operator_address = formatAddress(parseEitherAddress(evm), VALIDATOR_PREFIX)
    for (const text of [eth, evm, evm.toUpperCase().replace('0X', '0x'), operator_address])
      expect((await answer(`keys parse ${text}`)).json, text).to.deep.equal({
        address: eth,
        evm_address: evm,
        operator_address,
      })
    const wrong = evm.replace(/[a-f]/, (letter) => letter.toUpperCase())
    expect(await refusal(`keys parse ${wrong}`)).to.match(/^Error: the checksum of 0x\w+ is wrong/)
    expect(await refusal('keys parse 0x12')).to.contain('0x and 40 hexadecimal digits')
  })

  it('give private keys to wallets of Ethereum, and take theirs', async () => {
    const { stdout } = await run('keys export alice --unencrypted-hex --yes')
    expect(privateKeyToAccount(stdout.trim() as `0x${string}`).address).to.equal(evm)
    const { json, stderr } = await answer('keys import copy --hex', stdout)
    expect(json).to.include({ address: eth, evm_address: evm })
    expect(stderr).to.contain('As one of coin type 118')
    const bare = await answer('keys import bare --hex --key-type secp256k1', stdout.slice(2))
    expect(bare.json.pubkey['@type']).to.equal('/cosmos.crypto.secp256k1.PubKey')
    expect((await run('keys export bare --unencrypted-hex --yes')).stdout).to.equal(stdout.slice(2))
  })

  it('keep the kind of a key in an export, to which the passphrase binds it', async () => {
    const env = { FORNAX_KEYRING_PASSPHRASE: 'correct horse' }
    const text = (await run('keys export alice', '', env)).stdout
    const file = join(home, 'alice.json')
    await writeFile(file, text)
    expect((await answer(`keys import again ${file}`, '', env)).json.address).to.equal(eth)
    const { key_type, ...changed } = JSON.parse(text)
    expect(key_type).to.equal('ethsecp256k1')
    await writeFile(file, JSON.stringify(changed))
    expect((await run(`keys import forged ${file}`, '', env)).stderr).to.contain('passphrase is wrong')
    await writeFile(file, JSON.stringify({ ...changed, key_type: 'other' }))
    expect((await run(`keys import forged ${file}`, '', env)).stderr).to.contain(
      'not what `fornaxd keys export` prints',
    )
    expect(await refusal(`keys import forged ${file} --key-type secp256k1`)).to.contain('goes with --hex')
  })

  it('take a public key of either kind, and keep one of Ethereum out of a multisig', async () => {
    const pubkey = (await run('keys show alice --pubkey')).stdout.trim()
    const add = (name: string, text: string) =>
      fornaxd(['keys', 'add', name, '--pubkey', text, '--home', home, '--output', 'json'])
    expect(JSON.parse((await add('watch', pubkey)).stdout)).to.include({ type: 'offline', address: eth })
    const older = pubkey.replace('cosmos.evm.crypto', 'ethermint.crypto')
    expect(JSON.parse((await add('watch2', older)).stdout)).to.include({ address: eth })
    expect((await add('watch3', pubkey.replace('ethsecp256k1', 'other'))).stderr).to.contain(
      '--pubkey must be',
    )
    expect(await refusal('keys add team --multisig old,alice --threshold 1'))
      .to.contain('alice: an ethsecp256k1 key cannot be a member of a multisig')
      .and.contain('--key-type secp256k1')
  })

  it('refuse a name that would be taken for an address', async () => {
    expect(await refusal('keys add 0xabc')).to.contain('does not begin with 0x')
  })

  it('and read what a keyring had before it knew of kinds', async () => {
    const old = { version: 1, name: 'ancient', kind: 'local' }
    const { privateKey } = await new Keyring(home, 'test', async () => '').signer('old')
    const { json } = await answer('keys show old')
    const file = { ...old, public_key: json.pubkey.key, secret: Buffer.from(privateKey).toString('base64') }
    await writeFile(join(home, 'keyring-test', 'ancient.json'), JSON.stringify(file))
    expect((await answer('keys show ancient')).json.address).to.equal(cosmos)
  })

  describe('and the commands that take an address', () => {
    const generate = '--from alice --generate-only --gas 1'
    const recipient = async (text: string): Promise<string> => {
      const { code, stdout, stderr } = await run(`tx bank send ${text} 5afrx ${generate}`)
      expect(code, stderr).to.equal(0)
      return JSON.parse(stdout).body.messages[0].to_address
    }

    it('take it as 0x…, and refuse a wrong checksum', async () => {
      expect(await recipient(evm)).to.equal(eth)
      expect(await recipient(evm.toLowerCase())).to.equal(eth)
      const wrong = evm.replace(/[a-f]/, (letter) => letter.toUpperCase())
      expect(await refusal(`tx bank send ${wrong} 5afrx ${generate}`)).to.match(
        /^Error: to-address: the checksum of 0x\w+ is wrong/,
      )
      expect(await refusal(`query bank balances ${evm}0`)).to.match(
        /^Error: address: .* 40 hexadecimal digits/,
      )
      expect(await refusal(`tx bank send ${evm} 5afrx --from 0x${'1'.repeat(40)} --generate-only`)).to.match(
        /no key in \S+ has the address 0x1/,
      )
    })

    it('put an account into the genesis file by it', async () => {
      const { json } = await answer(`genesis add-account ${evm} 1000frx`)
      expect(json.address).to.equal(eth)
      const signed = await run('genesis gentx alice 100frx')
      expect(signed.code, signed.stderr).to.equal(0)
      expect((await run('genesis collect')).code).to.equal(0)
    })

    it('name a validator by it', async () => {
      const { json } = await answer(`agent-key prove ${evm} --chain-id fornax-7`)
      expect(json.validator).to.equal(formatAddress(parseEitherAddress(evm), VALIDATOR_PREFIX))
    })
  })
})
