import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../files.ts'

/** An ed25519 key as CometBFT keeps it. */
export interface CometKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  /** Seed and public key, 64 bytes. */
  readonly privateKey: Uint8Array
  /** The first 20 bytes of the public key's SHA-256. */
  readonly address: Uint8Array
}

/** The two identities in a home. */
export interface CometKeys {
  /** Hex; what stands before the @ in a peer's address. */
  readonly nodeId: string
  readonly validator: CometKey
}

/** A key file in a home cannot be used, or making one would be dangerous. */
export class CometKeyError extends Error {
  override readonly name = 'CometKeyError'
}

/** The signing state of a validator that has signed nothing. */
export const NOTHING_SIGNED = `${JSON.stringify({ height: '0', round: 0, step: 0 }, null, 2)}\n`

const nodeKeyPath = (home: string): string => join(home, 'config/node_key.json')

const PRIVATE = 'tendermint/PrivKeyEd25519'
const PUBLIC = 'tendermint/PubKeyEd25519'
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** A key made of a 32-byte seed, by default of a random one. */
export function cometKey(seed?: Uint8Array): CometKey {
  const secret =
    seed === undefined
      ? generateKeyPairSync('ed25519').privateKey
      : createPrivateKey({ key: pkcs8(seed), format: 'der', type: 'pkcs8' })
  const publicKey = new Uint8Array(
    createPublicKey(secret).export({ format: 'der', type: 'spki' }).subarray(-32),
  )
  const privateKey = new Uint8Array(64)
  privateKey.set(secret.export({ format: 'der', type: 'pkcs8' }).subarray(-32))
  privateKey.set(publicKey, 32)
  return { publicKey, privateKey, address: addressOf(publicKey) }
}

/** An ed25519 signature, 64 bytes. */
export function signEd25519(key: CometKey, message: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, message, keyObject(key)))
}

/** Reading a key takes ten times as long as a signature. */
const keyObjects = new WeakMap<CometKey, KeyObject>()

function keyObject(key: CometKey): KeyObject {
  const known = keyObjects.get(key)
  if (known !== undefined) return known
  const der = pkcs8(key.privateKey.subarray(0, 32))
  const object = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  keyObjects.set(key, object)
  return object
}

/** The fixed head of an ed25519 key in PKCS #8 (RFC 8410), then the seed. */
function pkcs8(seed: Uint8Array): Buffer {
  if (seed.length !== 32) throw new CometKeyError(`an ed25519 seed has 32 bytes, not ${seed.length}`)
  return Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
}

function addressOf(publicKey: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(publicKey).digest().subarray(0, 20))
}

/**
 * Makes the node key, the validator key and its signing state under `home` where they are missing, and returns the
 * keys. Nothing that exists is changed. `make` gives a missing key, by default a random one.
 * Throws CometKeyError for a file that is no such key, and where the validator key or the signing state is missing beside
 * blocks or the state they left: a validator with a new key is another one, and one that has forgotten what it signed could sign twice.
 */
export function ensureKeys(
  home: string,
  make: (which: 'node' | 'validator') => CometKey = () => cometKey(),
): CometKeys {
  const validatorKeyPath = join(home, 'config/priv_validator_key.json')
  const statePath = join(home, 'data/priv_validator_state.json')
  const hasBlocks = ['data/blockstore.db', 'data/application.db'].some((path) => existsSync(join(home, path)))
  if (!existsSync(nodeKeyPath(home))) {
    const key = make('node')
    writeJson(nodeKeyPath(home), { priv_key: keyJson(key) })
  }
  if (!existsSync(validatorKeyPath)) {
    if (hasBlocks)
      throw new CometKeyError(
        `${validatorKeyPath} is missing although this node has blocks: restore it, or the validator does not sign any more; if a new key is meant, put there the one that \`fornaxd init\` makes in another home`,
      )
    const key = make('validator')
    const { address, publicKey } = key
    writeJson(validatorKeyPath, {
      address: hex(address).toUpperCase(),
      pub_key: { type: PUBLIC, value: base64(publicKey) },
      priv_key: keyJson(key),
    })
  }
  if (!existsSync(statePath)) {
    if (hasBlocks)
      throw new CometKeyError(
        `${statePath} is missing although this node has blocks: restore it, or the validator could sign twice`,
      )
    writeFileAtomically(statePath, NOTHING_SIGNED)
  }
  return readKeys(home)
}

/** The id of the node key under `home`, or undefined where there is none. Throws CometKeyError for a file that is no such key. */
export function nodeIdIn(home: string): string | undefined {
  const path = nodeKeyPath(home)
  return existsSync(path) ? hex(readKey(path).address) : undefined
}

/** The keys under `home`. Throws CometKeyError where one is missing or is no such key. */
export function readKeys(home: string): CometKeys {
  return {
    nodeId: hex(readKey(nodeKeyPath(home)).address),
    validator: readKey(join(home, 'config/priv_validator_key.json')),
  }
}

function writeJson(path: string, value: unknown): void {
  writeFileAtomically(path, `${JSON.stringify(value, null, 2)}\n`)
}

function readKey(path: string): CometKey {
  const json = readKeyFile(path) as { priv_key?: unknown } | null
  return keyOfJson(json?.priv_key, path)
}

/** The JSON of a key file. Throws CometKeyError. */
export function readKeyFile(path: string): unknown {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CometKeyError(code === 'ENOENT' ? `${path} does not exist` : `${path} cannot be read (${code})`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CometKeyError(`${path} cannot be read as JSON`, { cause: error })
  }
}

/** A private key in CometBFT's JSON. */
export const keyJson = ({ privateKey }: CometKey) => ({ type: PRIVATE, value: base64(privateKey) })

/** Reads `{type, value}`, a private key of the file at `path`. Throws CometKeyError. */
export function keyOfJson(json: unknown, path: string): CometKey {
  const value = (json as { value?: unknown } | null | undefined)?.value
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'base64')
  if (bytes.length !== 64) throw new CometKeyError(`${path} holds no ed25519 key`)
  const key = cometKey(bytes.subarray(0, 32))
  if (!bytes.equals(key.privateKey))
    throw new CometKeyError(`${path} holds a public key that is not its private key's`)
  return key
}
