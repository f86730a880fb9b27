import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { ACCOUNT_PREFIX, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { compareBytes, fromBase64, fromHex, toBase64, toHex } from '../../core/bytes.ts'
import { MULTISIG_URL, type PublicKey, SECP256K1_URL } from '../../core/crypto/public-key.ts'
import type { Json } from '../../core/wire/json.ts'
import { defaultPath, derivePrivateKey, newMnemonic, readMnemonic } from '../keyring/derive.ts'
import { type Keyring, KeyringError } from '../keyring/keyring.ts'
import { accountAddress, type Key, singleKey, thresholdKey } from '../keyring/record.ts'
import { type Sealed, seal, unseal } from '../keyring/seal.ts'
import { examples, note, print, table } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { keyringOf, withKeyring } from './keyring.ts'
import { ask, askPassphrase, confirm } from './prompt.ts'

export function keysCommand(): Command {
  const keys = new Command('keys').description('manage the keys that sign transactions')
  for (const sub of [add(), list(), show(), exportKey(), importKey(), remove()])
    keys.addCommand(withKeyring(sub))
  return keys.addHelpText(
    'after',
    examples('fornaxd keys add alice', 'fornaxd keys list', 'fornaxd keys show alice --address'),
  )
}

/** The SDK's JSON of a public key. */
function publicKeyJson(key: PublicKey): Json {
  if (key.kind === 'multisig')
    return { '@type': MULTISIG_URL, threshold: key.threshold, public_keys: key.keys.map(publicKeyJson) }
  return { '@type': SECP256K1_URL, key: toBase64(key.key) }
}

const keyJson = ({ name, kind, publicKey }: Key): { [key: string]: Json } => ({
  name,
  type: kind,
  address: accountAddress(publicKey),
  pubkey: publicKeyJson(publicKey),
})

function warnIfOpen(ring: Keyring): void {
  if (ring.backend === 'test')
    note(`Note: the test keyring keeps keys unencrypted in ${ring.folder}. Use it for development only.`)
}

interface AddOptions {
  recover?: true
  pubkey?: string
  multisig?: string
  threshold?: string
  sort: boolean
  hdPath: string
}

function add(): Command {
  return new Command('add')
    .argument('<name>', 'letters, digits, dots, hyphens and underscores')
    .description('make a key from a new mnemonic, or add one by mnemonic, public key or members')
    .option('--recover', 'take an existing mnemonic, asked for or from standard input')
    .option('--pubkey <key>', 'public key only, as JSON of "keys show --pubkey" or hex; it cannot sign here')
    .option('--multisig <names>', 'the keys that sign together, by name, separated by commas')
    .option('--threshold <n>', 'how many of them must sign')
    .option('--no-sort', 'keep the members in the order given rather than by address')
    .option('--hd-path <path>', 'BIP-32 path', defaultPath)
    .addHelpText(
      'after',
      examples(
        'fornaxd keys add alice',
        'fornaxd keys add alice --recover < mnemonic.txt',
        'fornaxd keys add team --multisig alice,bob,carol --threshold 2',
      ),
    )
    .action(async (name: string, options: AddOptions, command: Command) => {
      const ring = keyringOf(command)
      warnIfOpen(ring)
      if (options.pubkey !== undefined || options.multisig !== undefined) {
        const publicKey =
          options.multisig === undefined ? readPublicKey(options.pubkey!) : await multisigOf(ring, options)
        const key = await ring.addPublic(name, publicKey)
        print(command, keyJson(key), () => describeKey(key))
        return
      }
      // Asked for before the mnemonic is shown: nobody should write down words that are then not stored.
      const fresh = options.recover === undefined
      const mnemonic = fresh ? newMnemonic() : readMnemonic(await ask('Mnemonic', { secret: true }))
      if (mnemonic === undefined)
        throw new CliError('this is not a BIP-39 mnemonic: a word or the checksum is wrong')
      const privateKey = await derivePrivateKey(mnemonic, options.hdPath).catch((error: Error) => {
        throw new CliError(`--hd-path ${options.hdPath}: ${error.message}`, exitCodes.usage)
      })
      const key = await ring.add(name, privateKey)
      print(command, fresh ? { ...keyJson(key), mnemonic } : keyJson(key), () =>
        fresh
          ? `${describeKey(key)}\n\nWrite this mnemonic down and keep it safe: it is shown only now, and it alone restores the key.\n\n${mnemonic}`
          : describeKey(key),
      )
    })
}

const describeKey = (key: Key): string => `${key.name}  ${accountAddress(key.publicKey)}  (${key.kind})`

async function multisigOf(ring: Keyring, { multisig, threshold, sort }: AddOptions): Promise<PublicKey> {
  const names = (multisig ?? '').split(',').map((n) => n.trim())
  const members = await Promise.all(names.map(async (n) => (await ring.get(n)).publicKey))
  if (members.some((m) => m.kind === 'multisig'))
    throw new CliError('a member cannot be a multisig key itself')
  if (new Set(members.map((m) => toHex(m.address))).size < members.length)
    throw new CliError('a member is named twice')
  if (sort) members.sort((a, b) => compareBytes(a.address, b.address))
  try {
    return thresholdKey(Number(threshold), members)
  } catch {
    throw new CliError(`--threshold must be a number from 1 to ${members.length}`, exitCodes.usage)
  }
}

function readPublicKey(text: string): PublicKey {
  try {
    if (!text.trim().startsWith('{')) return singleKey(fromHex(text))
    const json = JSON.parse(text) as {
      '@type'?: string
      key?: string
      threshold?: number
      public_keys?: unknown[]
    }
    if (json['@type'] === MULTISIG_URL)
      return thresholdKey(
        Number(json.threshold),
        (json.public_keys ?? []).map((k) => readPublicKey(JSON.stringify(k))),
      )
    return singleKey(fromBase64(String(json.key)))
  } catch {
    throw new CliError(
      '--pubkey must be 33 bytes in hex, or the JSON that `fornaxd keys show --pubkey` prints',
    )
  }
}

function list(): Command {
  return new Command('list')
    .description('list the keys')
    .addHelpText('after', examples('fornaxd keys list', 'fornaxd keys list --output json'))
    .action(async (_options: unknown, command: Command) => {
      const keys = await keyringOf(command).list()
      print(command, keys.map(keyJson), () =>
        keys.length === 0
          ? 'There are no keys yet: `fornaxd keys add NAME` makes one.'
          : table(
              ['NAME', 'ADDRESS', 'TYPE'],
              keys.map((k) => [k.name, accountAddress(k.publicKey), k.kind]),
            ),
      )
    })
}

function show(): Command {
  return new Command('show')
    .argument('<name>')
    .description('show a key by name or address')
    .option('-a, --address', 'the address alone')
    .option('-p, --pubkey', 'the public key alone, as JSON')
    .option('--bech <kind>', 'acc for the account address, val for the validator operator address', 'acc')
    .addHelpText('after', examples('fornaxd keys show alice', 'fornaxd keys show alice --address --bech val'))
    .action(
      async (name: string, options: { address?: true; pubkey?: true; bech: string }, command: Command) => {
        const ring = keyringOf(command)
        const key = (await ring.byAddress(name)) ?? (await ring.get(name))
        if (options.bech !== 'acc' && options.bech !== 'val')
          throw new CliError(`--bech must be acc or val, not ${options.bech}`, exitCodes.usage)
        const prefix = options.bech === 'val' ? VALIDATOR_PREFIX : ACCOUNT_PREFIX
        const address = formatAddress(key.publicKey.address, prefix)
        if (options.address) print(command, address, () => address)
        else if (options.pubkey)
          print(command, publicKeyJson(key.publicKey), () => JSON.stringify(publicKeyJson(key.publicKey)))
        else print(command, { ...keyJson(key), address }, () => `${key.name}  ${address}  (${key.kind})`)
      },
    )
}

function exportKey(): Command {
  return new Command('export')
    .argument('<name>')
    .description('print a key, encrypted under a passphrase of its own, for "keys import"')
    .option('--unencrypted-hex', 'print the bare private key instead: who sees it owns the account')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', examples('fornaxd keys export alice > alice.key.json'))
    .action(async (name: string, options: { unencryptedHex?: true; yes?: true }, command: Command) => {
      const secret = await keyringOf(command).privateKey(name)
      if (options.unencryptedHex) {
        await confirm('This prints the private key itself. Go on?', options.yes)
        print(command, toHex(secret), () => toHex(secret))
        return
      }
      const sealed = await seal(
        secret,
        await askPassphrase('Passphrase for the export', { confirm: true }),
        exported,
      )
      process.stdout.write(`${JSON.stringify({ type: exported, ...sealed }, null, 2)}\n`)
    })
}

const exported = 'fornax private key'

function importKey(): Command {
  return new Command('import')
    .argument('<name>')
    .argument('[file]', 'what "keys export" printed; default standard input')
    .description('add a key from an export')
    .option('--hex', 'a bare private key in hex, asked for or from standard input')
    .addHelpText(
      'after',
      examples('fornaxd keys import alice alice.key.json', 'fornaxd keys import alice --hex < key.hex'),
    )
    .action(async (name: string, file: string | undefined, options: { hex?: true }, command: Command) => {
      const ring = keyringOf(command)
      warnIfOpen(ring)
      let secret: Uint8Array
      if (options.hex) {
        try {
          secret = fromHex((await ask('Private key in hex', { secret: true })).trim())
        } catch {
          throw new CliError('a private key in hex has 64 hexadecimal digits')
        }
      } else {
        const sealed = readExport(await readFile(file ?? '/dev/stdin', 'utf8').catch(notReadable(file)))
        secret = await unseal(sealed, await askPassphrase('Passphrase of the export'), exported)
      }
      const key = await ring.add(name, secret)
      print(command, keyJson(key), () => describeKey(key))
    })
}

const notReadable =
  (file = 'standard input') =>
  (): never => {
    throw new CliError(`${file} cannot be read`)
  }

function readExport(text: string): Sealed {
  try {
    const sealed = JSON.parse(text) as Sealed & { type?: string }
    if (sealed.type === exported) return sealed
  } catch {}
  throw new KeyringError('this is not what `fornaxd keys export` prints')
}

function remove(): Command {
  return new Command('delete')
    .argument('<name>')
    .description('delete a key; without its mnemonic it is gone for ever')
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', examples('fornaxd keys delete alice'))
    .action(async (name: string, options: { yes?: true }, command: Command) => {
      const ring = keyringOf(command)
      const key = await ring.get(name)
      await confirm(`Delete ${name} (${accountAddress(key.publicKey)}) for ever?`, options.yes)
      await ring.delete(name)
      print(command, { deleted: name }, () => `${name} is deleted`)
    })
}
