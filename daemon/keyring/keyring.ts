import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatAddress } from '../../core/address.ts'
import { equalBytes, fromBase64, toBase64 } from '../../core/bytes.ts'
import {
  isSingleKey,
  type KeyType,
  publicKeyOf,
  type SingleKey,
  signAs,
} from '../../core/crypto/account-key.ts'
import type { PublicKey } from '../../core/crypto/public-key.ts'
import { isHexForm, parseEitherAddress } from '../../core/hex-address.ts'
import { writeFileAtomically } from '../files.ts'
import { accountAddress, type Key, type KeyFile, namePattern, publicFields, readKey } from './record.ts'
import { seal, unseal } from './seal.ts'

/** A refusal with one sentence for the user. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}

export type Backend = 'file' | 'test'

/** Asks for the passphrase; `fresh` where it will protect the first key and should be confirmed. */
export type AskPassphrase = (fresh: boolean) => Promise<string>

/** A key that signs here. */
export interface Signer {
  readonly keyType: KeyType
  /** 32 bytes. */
  readonly privateKey: Uint8Array
}

const minPassphrase = 8

/**
 * The keys of one home folder, a file each under `keyring-file` or `keyring-test`. All keys of the file backend have
 * one passphrase, asked for once at first need.
 */
export class Keyring {
  readonly backend: Backend
  readonly folder: string
  readonly #ask: AskPassphrase
  #passphrase: Promise<string> | undefined
  readonly #opened = new Map<string, Signer>()

  constructor(home: string, backend: Backend, ask: AskPassphrase) {
    this.backend = backend
    this.folder = join(home, `keyring-${backend}`)
    this.#ask = ask
  }

  /** Every key, by name. Needs no passphrase. */
  async list(): Promise<Key[]> {
    const names = (await readdir(this.folder).catch(() => []))
      .filter((f) => f.endsWith('.json'))
      .map((f) => f.slice(0, -5))
      .sort()
    return Promise.all(names.map((name) => this.get(name)))
  }

  /** Throws KeyringError where there is no such key or its file is damaged. */
  async get(name: string): Promise<Key> {
    return (await this.#read(name)).key
  }

  async has(name: string): Promise<boolean> {
    return namePattern.test(name) && (await stat(this.#path(name)).catch(() => undefined)) !== undefined
  }

  /** The key whose account address this is, fornax1… or 0x…. Throws sdk/7 where the latter is malformed. */
  async byAddress(text: string): Promise<Key | undefined> {
    const address = isHexForm(text) ? formatAddress(parseEitherAddress(text)) : text
    return (await this.list()).find((k) => accountAddress(k.publicKey) === address)
  }

  /** Adds a key that signs here. Throws KeyringError where the name is taken or malformed. */
  async add(name: string, privateKey: Uint8Array, type: KeyType): Promise<Key> {
    const publicKey = keyOf(type, privateKey)
    if (!publicKey) throw new KeyringError('a private key must be 32 bytes and a valid secp256k1 key')
    const key: Key = { name, kind: 'local', publicKey }
    await this.#mayAdd(name)
    const fields = publicFields(key)
    const secret: Partial<KeyFile> =
      this.backend === 'test'
        ? { secret: toBase64(privateKey) }
        : { sealed: await seal(privateKey, await this.#passphraseForWriting(), context(fields)) }
    this.#write({ ...fields, ...secret })
    return key
  }

  /** Adds a key of which only the public part is known. */
  async addPublic(name: string, publicKey: PublicKey): Promise<Key> {
    const kind = publicKey.kind === 'multisig' ? 'multisig' : 'offline'
    await this.#mayAdd(name)
    const key: Key = { name, kind, publicKey }
    this.#write(publicFields(key))
    return key
  }

  async delete(name: string): Promise<void> {
    await this.get(name)
    this.#opened.delete(name)
    await rm(this.#path(name))
  }

  /** The 32-byte private key. Throws KeyringError where there is none, UnsealError on a wrong passphrase. */
  async privateKey(name: string): Promise<Uint8Array> {
    return (await this.signer(name)).privateKey
  }

  /** The same with the kind of key that it is. */
  async signer(name: string): Promise<Signer> {
    const known = this.#opened.get(name)
    if (known) return known
    const { key, file } = await this.#read(name)
    if (key.kind !== 'local')
      throw new KeyringError(
        key.kind === 'multisig'
          ? `${name} is a multisig key: its members sign, and \`fornaxd tx multisign\` joins their signatures`
          : `only the public key of ${name} is known here`,
      )
    const privateKey = await this.#open(file)
    const { publicKey } = key
    if (
      !isSingleKey(publicKey) ||
      !equalBytes(keyOf(publicKey.kind, privateKey)?.key ?? new Uint8Array(), publicKey.key)
    )
      throw new KeyringError(
        `the file of key ${name} is damaged: its secret does not belong to its public key`,
      )
    const signer = { keyType: publicKey.kind, privateKey }
    this.#opened.set(name, signer)
    return signer
  }

  /** 64-byte signature (r, s; low s) over the digest of `bytes` that the key's kind has. */
  async sign(name: string, bytes: Uint8Array): Promise<Uint8Array> {
    const { keyType, privateKey } = await this.signer(name)
    return signAs(keyType, privateKey, bytes)
  }

  #path(name: string): string {
    return join(this.folder, `${name}.json`)
  }

  async #mayAdd(name: string): Promise<void> {
    if (!namePattern.test(name))
      throw new KeyringError(
        'a key name has 1 to 64 letters, digits, dots, hyphens or underscores, and begins with a letter or digit',
      )
    if (isHexForm(name))
      throw new KeyringError('a key name does not begin with 0x: it would be taken for an address')
    if (await this.has(name))
      throw new KeyringError(`there is a key named ${name}: delete it first, or choose another name`)
  }

  async #read(name: string): Promise<{ key: Key; file: KeyFile }> {
    if (!(await this.has(name)))
      throw new KeyringError(
        `there is no key named ${name} in ${this.folder}: \`fornaxd keys list\` shows those there are, --home or FORNAX_HOME names another home`,
      )
    const file = parseJson(await readFile(this.#path(name), 'utf8')) as KeyFile | undefined
    const key = readKey(file)
    if (!key || !file || key.name !== name) throw new KeyringError(`${this.#path(name)} is not a key file`)
    return { key, file }
  }

  #write(file: KeyFile): void {
    writeFileAtomically(this.#path(file.name), `${JSON.stringify(file, null, 2)}\n`, { fresh: true })
  }

  async #open(file: KeyFile): Promise<Uint8Array> {
    if (this.backend === 'test' && file.secret !== undefined) return fromBase64(file.secret)
    if (this.backend === 'file' && file.sealed !== undefined) {
      this.#passphrase ??= this.#ask(false)
      const attempt = this.#passphrase
      try {
        return await unseal(file.sealed, await attempt, context(publicFields(readKey(file) as Key)))
      } catch (error) {
        this.#passphrase = undefined
        throw error
      }
    }
    throw new KeyringError(`the file of key ${file.name} has no secret`)
  }

  /** The passphrase, after it has opened one of the keys there are. */
  async #passphraseForWriting(): Promise<string> {
    const local = (await this.list()).find((k) => k.kind === 'local')
    if (local) {
      await this.privateKey(local.name)
      if (this.#passphrase) return this.#passphrase
    }
    this.#passphrase ??= this.#ask(!local)
    const passphrase = await this.#passphrase
    if (passphrase.length < minPassphrase) {
      this.#passphrase = undefined
      throw new KeyringError(`a passphrase has at least ${minPassphrase} characters`)
    }
    return passphrase
  }
}

/** The facts that a sealed secret is bound to. */
const context = ({ version, name, public_key, key_type }: KeyFile): string =>
  JSON.stringify([version, name, public_key, ...(key_type === undefined ? [] : [key_type])])

function keyOf(type: KeyType, privateKey: Uint8Array): SingleKey | undefined {
  try {
    return publicKeyOf(type, privateKey)
  } catch {
    return undefined
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
