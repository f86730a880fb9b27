import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pubkeyToAddress } from '@cosmjs/amino'
import { DirectEthSecp256k1HdWallet, DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { expect } from 'chai'
import secp256k1 from 'secp256k1'
import { singleKey, verifySingle } from '../../../../core/crypto/account-key.ts'
import { secp256k1PublicKey } from '../../../../core/crypto/secp256k1.ts'
import { derivePrivateKey, newMnemonic, pathOf, readMnemonic } from '../../../../daemon/keyring/derive.ts'
import { Keyring, KeyringError } from '../../../../daemon/keyring/keyring.ts'
import { accountAddress, type KeyFile, thresholdKey } from '../../../../daemon/keyring/record.ts'
import { UnsealError } from '../../../../daemon/keyring/seal.ts'

const mnemonic =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

const COSMOS = pathOf('secp256k1')

async function failure(action: Promise<unknown>): Promise<Error> {
  return action.then(
    () => {
      throw new Error('did not fail')
    },
    (error: Error) => error,
  )
}

describe('the keyring', () => {
  let home: string
  const ring = (backend: 'file' | 'test' = 'test', passphrase = 'correct horse'): Keyring =>
    new Keyring(home, backend, async () => passphrase)
  const pathOfFile = (name: string, backend = 'file'): string =>
    join(home, `keyring-${backend}`, `${name}.json`)
  const change = async (path: string, edit: (file: Record<string, unknown>) => void): Promise<void> => {
    const file = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    edit(file)
    await writeFile(path, JSON.stringify(file))
  }

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'fornax-keyring-'))
  })
  afterEach(() => rm(home, { recursive: true }))

  it('derives the address that CosmJS derives', async () => {
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'fornax' })
    const key = await ring().add('alice', await derivePrivateKey(mnemonic, COSMOS), 'secp256k1')
    expect(accountAddress(key.publicKey)).to.equal((await wallet.getAccounts())[0]?.address)
  })

  it('keeps the kind of a key: its address, its digest and what its secret is bound to', async () => {
    const secret = await derivePrivateKey(mnemonic, pathOf('ethsecp256k1'))
    const wallet = await DirectEthSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'fornax' })
    const made = await ring('file').add('eve', secret, 'ethsecp256k1')
    expect(accountAddress(made.publicKey)).to.equal((await wallet.getAccounts())[0]?.address)
    const again = ring('file')
    expect((await again.get('eve')).publicKey).to.deep.equal(made.publicKey)
    const signature = await again.sign('eve', Buffer.from('hello'))
    const eth = singleKey('ethsecp256k1', secp256k1PublicKey(secret))
    expect(verifySingle(eth, Buffer.from('hello'), signature)).to.equal(true)
    expect(() => thresholdKey(1, [eth])).to.throw(/cannot be a member of a multisig/)
    for (const kind of [undefined, 'secp256k1']) {
      await change(pathOfFile('eve'), (f) => Object.assign(f, { key_type: kind }))
      expect(await failure(ring('file').privateKey('eve'))).to.be.instanceOf(UnsealError)
    }
    await change(pathOfFile('eve'), (f) => Object.assign(f, { key_type: 'other' }))
    expect((await failure(ring('file').get('eve'))).message).to.match(/eve.json is not a key file/)
  })

  it('derives the multisig address that CosmJS derives', async () => {
    const members = await Promise.all(
      [0, 1, 2].map(async (i) =>
        secp256k1PublicKey(await derivePrivateKey(mnemonic, `m/44'/118'/0'/0/${i}`)),
      ),
    )
    const key = await ring().addPublic(
      'team',
      thresholdKey(
        2,
        members.map((m) => singleKey('secp256k1', m)),
      ),
    )
    const pubkeys = members.map((m) => ({
      type: 'tendermint/PubKeySecp256k1',
      value: Buffer.from(m).toString('base64'),
    }))
    const theirs = pubkeyToAddress(
      { type: 'tendermint/PubKeyMultisigThreshold', value: { threshold: '2', pubkeys } },
      'fornax',
    )
    expect(accountAddress(key.publicKey)).to.equal(theirs)
    expect((await ring().get('team')).publicKey).to.deep.equal(key.publicKey)
    expect(await failure(ring().privateKey('team'))).to.be.instanceOf(KeyringError)
  })

  it('accepts a mnemonic in any spacing and case, and refuses one with a wrong checksum', () => {
    expect(readMnemonic(`  ${mnemonic.toUpperCase().replaceAll(' ', '\n')} `)).to.equal(mnemonic)
    expect(readMnemonic(mnemonic.replace('about', 'abandon'))).to.equal(undefined)
    expect(newMnemonic().split(' ')).to.have.length(24)
  })

  it('gives back in another process what was put in encrypted', async () => {
    const secret = await derivePrivateKey(mnemonic, COSMOS)
    await ring('file').add('alice', secret, 'secp256k1')
    expect(Uint8Array.from(await ring('file').privateKey('alice'))).to.deep.equal(secret)
    const text = await readFile(pathOfFile('alice'), 'utf8')
    expect(text).to.not.include(Buffer.from(secret).toString('base64'))
    expect((JSON.parse(text) as KeyFile).sealed).to.include({
      kdf: 'scrypt',
      n: 131_072,
      cipher: 'aes-256-gcm',
    })
  })

  it('refuses a wrong passphrase, also for a further key', async () => {
    await ring('file').add('alice', await derivePrivateKey(mnemonic, COSMOS), 'secp256k1')
    expect(await failure(ring('file', 'wrong horse').privateKey('alice'))).to.be.instanceOf(UnsealError)
    const further = ring('file', 'wrong horse').add(
      'bob',
      await derivePrivateKey(mnemonic, "m/44'/118'/1'/0/0"),
      'secp256k1',
    )
    expect(await failure(further)).to.be.instanceOf(UnsealError)
    expect(await ring('file').has('bob')).to.equal(false)
  })

  it('refuses a short passphrase for the first key', async () => {
    const error = await failure(
      ring('file', 'short').add('alice', await derivePrivateKey(mnemonic, COSMOS), 'secp256k1'),
    )
    expect(error.message).to.match(/at least 8 characters/)
  })

  it('notices when any part of an encrypted file is changed', async () => {
    const other = secp256k1PublicKey(await derivePrivateKey(mnemonic, "m/44'/118'/0'/0/1"))
    const changes: ((file: Record<string, unknown>) => void)[] = [
      (f) => Object.assign(f['sealed'] as object, { ciphertext: Buffer.alloc(32).toString('base64') }),
      (f) => Object.assign(f['sealed'] as object, { tag: Buffer.alloc(16).toString('base64') }),
      (f) => Object.assign(f['sealed'] as object, { tag: '' }),
      (f) => Object.assign(f['sealed'] as object, { n: 2 ** 30 }),
      (f) => Object.assign(f['sealed'] as object, { n: 2 }),
      (f) => Object.assign(f, { public_key: Buffer.from(other).toString('base64') }),
    ]
    await ring('file').add('alice', await derivePrivateKey(mnemonic, COSMOS), 'secp256k1')
    const intact = await readFile(pathOfFile('alice'), 'utf8')
    for (const edit of changes) {
      await change(pathOfFile('alice'), edit)
      expect(await failure(ring('file').privateKey('alice')), edit.toString()).to.be.instanceOf(UnsealError)
      await writeFile(pathOfFile('alice'), intact)
    }
  })

  it('notices a changed public key in the open backend too', async () => {
    await ring().add('alice', await derivePrivateKey(mnemonic, COSMOS), 'secp256k1')
    await ring().add('bob', await derivePrivateKey(mnemonic, "m/44'/118'/0'/0/1"), 'secp256k1')
    const bob = JSON.parse(await readFile(pathOfFile('bob', 'test'), 'utf8')) as KeyFile
    await change(pathOfFile('alice', 'test'), (f) => Object.assign(f, { public_key: bob.public_key }))
    expect((await failure(ring().privateKey('alice'))).message).to.match(/damaged/)
  })

  it('names the file when it is not a key file', async () => {
    await ring().add('alice', await derivePrivateKey(mnemonic, COSMOS), 'secp256k1')
    for (const text of [
      '',
      'null',
      '[]',
      '{}',
      '{"version":1,"name":"bob","kind":"local","public_key":"AA=="}',
    ]) {
      await writeFile(pathOfFile('alice', 'test'), text)
      expect((await failure(ring().get('alice'))).message).to.match(/alice.json is not a key file/)
    }
  })

  it('keeps files to their owner', async () => {
    await ring().add('alice', await derivePrivateKey(mnemonic, COSMOS), 'secp256k1')
    expect((await stat(pathOfFile('alice', 'test'))).mode & 0o777).to.equal(0o600)
    expect((await stat(join(home, 'keyring-test'))).mode & 0o777).to.equal(0o700)
  })

  it('never replaces a key, nor takes a name that leads elsewhere', async () => {
    const secret = await derivePrivateKey(mnemonic, COSMOS)
    await ring().add('alice', secret, 'secp256k1')
    expect((await failure(ring().add('alice', secret, 'secp256k1'))).message).to.match(
      /there is a key named alice/,
    )
    for (const name of ['', '../alice', 'a/b', '.hidden', 'x'.repeat(65)])
      expect((await failure(ring().add(name, secret, 'secp256k1'))).message).to.match(/^a key name has/)
    expect((await failure(ring().get('../../etc/passwd'))).message).to.match(/^there is no key named/)
  })

  it('signs with a low s that verifies, lists and deletes', async () => {
    const key = await ring().add('alice', await derivePrivateKey(mnemonic, COSMOS), 'secp256k1')
    const signature = await ring().sign('alice', Buffer.from('hello'))
    const normal = secp256k1.signatureNormalize(new Uint8Array(signature))
    expect(Buffer.compare(signature, normal)).to.equal(0)
    expect((await ring().list()).map((k) => k.name)).to.deep.equal(['alice'])
    expect((await ring().byAddress(accountAddress(key.publicKey)))?.name).to.equal('alice')
    await ring().delete('alice')
    expect(await ring().list()).to.deep.equal([])
  })
})
