import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { equalBytes, fromBase64, toBase64 } from '../../core/bytes.ts'
import type { PublicKey } from '../../core/crypto/public-key.ts'
import { secp256k1PublicKey, signSecp256k1 } from '../../core/crypto/secp256k1.ts'
import { writeFileAtomically } from '../files.ts'
import {
  accountAddress,
  type Key,
  type KeyFile,
  namePattern,
  publicFields,
  readKey,
  singleKey,
} from './record.ts'
import { seal, unseal } from './seal.ts'

/** A refusal with one sentence for the user. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError'
}

export type Backend = 'file' | 'test'

/** Asks for the passphrase; `fresh` where it will protect the first key and should be confirmed. */
export type AskPassphrase = (fresh: boolean) => Promise<string>

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
  readonly #opened = new Map<string, Uint8Array>()

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

  /** The key whose account address this is. */
  async byAddress(address: string): Promise<Key | undefined> {
    return (await this.list()).find((k) => accountAddress(k.publicKey) === address)
  }

  /** Adds a key that signs here. Throws KeyringError where the name is taken or malformed. */
  async add(name: string, privateKey: Uint8Array): Promise<Key> {
    const publicKey = publicKeyOf(privateKey)
    if (!publicKey) throw new KeyringError('a private key must be 32 bytes and a valid secp256k1 key')
    const key: Key = { name, kind: 'local', publicKey: singleKey(publicKey) }
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
    const known = this.#opened.get(name)
    if (known) return known
    const { key, file } = await this.#read(name)
    if (key.kind !== 'local')
      throw new KeyringError(
        key.kind === 'multisig'
          ? `${name} is a multisig key: its members sign, and \`fornaxd tx multisign\` joins their signatures`
          : `only the public key of ${name} is known here`,
      )
    const secret = await this.#open(file)
    if (
      key.publicKey.kind !== 'secp256k1' ||
      !equalBytes(publicKeyOf(secret) ?? new Uint8Array(), key.publicKey.key)
    )
      throw new KeyringError(
        `the file of key ${name} is damaged: its secret does not belong to its public key`,
      )
    this.#opened.set(name, secret)
    return secret
  }

  /** 64-byte signature (r, s; low s) over the sha256 of `bytes`. */
  async sign(name: string, bytes: Uint8Array): Promise<Uint8Array> {
    return signSecp256k1(await this.privateKey(name), bytes)
  }

  #path(name: string): string {
    return join(this.folder, `${name}.json`)
  }

  async #mayAdd(name: string): Promise<void> {
    if (!namePattern.test(name))
      throw new KeyringError(
        'a key name has 1 to 64 letters, digits, dots, hyphens or underscores, and begins with a letter or digit',
      )
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
const context = ({ version, name, public_key }: KeyFile): string =>
  JSON.stringify([version, name, public_key])

function publicKeyOf(privateKey: Uint8Array): Uint8Array | undefined {
  try {
    return secp256k1PublicKey(privateKey)
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
