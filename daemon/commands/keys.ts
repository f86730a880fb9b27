import { Command } from 'commander'
import { ACCOUNT_PREFIX, formatAddress, VALIDATOR_PREFIX } from '../../core/address.ts'
import { compareBytes, toHex } from '../../core/bytes.ts'
import { NO_MEMBER, type PublicKey } from '../../core/crypto/public-key.ts'
import { checksumAddress } from '../../core/hex-address.ts'
import { DEFAULT_KEY_TYPE, derivePrivateKey, newMnemonic, pathOf, readMnemonic } from '../keyring/derive.ts'
import type { Keyring } from '../keyring/keyring.ts'
import { accountAddress, thresholdKey } from '../keyring/record.ts'
import { examples, note, print, table } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import {
  describeKey,
  keyJson,
  keyTypeAt,
  keyTypeOption,
  kindOf,
  orSecp256k1,
  publicKeyJson,
  readKeyType,
  readPublicKey,
} from './key-forms.ts'
import { keyringOf, warnIfOpen, withKeyring } from './keyring.ts'
import { exportKey, importKey } from './keys-files.ts'
import { parseCommand } from './keys-parse.ts'
import { ask, confirm } from './prompt.ts'
import { keyOf } from './tx-send.ts'

export function keysCommand(): Command {
  const keys = new Command('keys').description('manage the keys that sign transactions')
  for (const sub of [add(), list(), show(), exportKey(), importKey(), remove()])
    keys.addCommand(withKeyring(sub))
  keys.addCommand(parseCommand())
  return keys.addHelpText(
    'after',
    examples('fornaxd keys add alice', 'fornaxd keys list', 'fornaxd keys show alice --address'),
  )
}

interface AddOptions {
  recover?: true
  pubkey?: string
  multisig?: string
  threshold?: string
  sort: boolean
  hdPath?: string
  keyType?: string
}

function add(): Command {
  return new Command('add')
    .argument('<name>', 'letters, digits, dots, hyphens and underscores')
    .description('make a key from a new mnemonic, or add one by mnemonic, public key or members')
    .option('--recover', 'take an existing mnemonic, asked for or from standard input')
    .option('--pubkey <key>', 'public key only, as JSON of "keys show --pubkey" or hex; it cannot sign here')
    .option('--multisig <names>', 'the secp256k1 keys that sign together, by name, separated by commas')
    .option('--threshold <n>', 'how many of them must sign')
    .option('--no-sort', 'keep the members in the order given rather than by address')
    .option(keyTypeOption[0], `${keyTypeOption[1]} (default: that of --hd-path, or ${DEFAULT_KEY_TYPE})`)
    .option('--hd-path <path>', `BIP-32 path (default: ${pathOf('ethsecp256k1')} or ${pathOf('secp256k1')})`)
    .addHelpText(
      'after',
      examples(
        'fornaxd keys add alice',
        'fornaxd keys add alice --recover < mnemonic.txt',
        'fornaxd keys add alice --recover --key-type secp256k1 < mnemonic-of-a-cosmos-wallet.txt',
        'fornaxd keys add team --multisig alice,bob,carol --threshold 2',
      ),
    )
    .action(async (name: string, options: AddOptions, command: Command) => {
      const ring = keyringOf(command)
      const asked = readKeyType(options.keyType)
      warnIfOpen(ring)
      if (options.pubkey !== undefined || options.multisig !== undefined) {
        const publicKey =
          options.multisig === undefined
            ? readPublicKey(options.pubkey!, asked)
            : await multisigOf(ring, options)
        const key = await ring.addPublic(name, publicKey)
        print(command, keyJson(key), () => describeKey(key))
        return
      }
      // Asked for before the mnemonic is shown: nobody should write down words that are then not stored.
      const fresh = options.recover === undefined
      const mnemonic = fresh ? newMnemonic() : readMnemonic(await ask('Mnemonic', { secret: true }))
      if (mnemonic === undefined)
        throw new CliError('this is not a BIP-39 mnemonic: a word or the checksum is wrong')
      const type = asked ?? keyTypeAt(options.hdPath) ?? DEFAULT_KEY_TYPE
      const path = options.hdPath ?? pathOf(type)
      const privateKey = await derivePrivateKey(mnemonic, path).catch((error: Error) => {
        throw new CliError(`--hd-path ${path}: ${error.message}`, exitCodes.usage)
      })
      const key = await ring.add(name, privateKey, type)
      print(command, fresh ? { ...keyJson(key), mnemonic } : keyJson(key), () =>
        fresh
          ? `${describeKey(key)}\n\nWrite this mnemonic down and keep it safe: it is shown only now, and it alone restores the key.\n\n${mnemonic}`
          : describeKey(key),
      )
      if (fresh || asked !== undefined || options.hdPath !== undefined) return
      note(`Note: ${orSecp256k1('mnemonic', await derivePrivateKey(mnemonic, pathOf('secp256k1')))}`)
    })
}

async function multisigOf(ring: Keyring, { multisig, threshold, sort }: AddOptions): Promise<PublicKey> {
  const names = (multisig ?? '').split(',').map((n) => n.trim())
  const members = await Promise.all(names.map(async (n) => (await ring.get(n)).publicKey))
  for (const [i, { kind }] of members.entries())
    if (kind === 'ethsecp256k1')
      throw new CliError(
        `${names[i]}: ${NO_MEMBER}; \`fornaxd keys add NAME --key-type secp256k1\` makes a key that can`,
      )
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
              ['NAME', 'ADDRESS', 'EVM ADDRESS', 'TYPE'],
              keys.map((k) => [
                k.name,
                accountAddress(k.publicKey),
                checksumAddress(k.publicKey.address),
                kindOf(k),
              ]),
            ),
      )
    })
}

interface ShowOptions {
  address?: true
  evmAddress?: true
  pubkey?: true
  bech: string
}

function show(): Command {
  return new Command('show')
    .argument('<name>')
    .description('show a key by name or address')
    .option('-a, --address', 'the address alone')
    .option('-e, --evm-address', 'the address alone, as Ethereum writes it: 0x…')
    .option('-p, --pubkey', 'the public key alone, as JSON')
    .option('--bech <kind>', 'acc for the account address, val for the validator operator address', 'acc')
    .addHelpText(
      'after',
      examples(
        'fornaxd keys show alice',
        'fornaxd keys show alice --evm-address',
        'fornaxd keys show alice --address --bech val',
      ),
    )
    .action(async (name: string, options: ShowOptions, command: Command) => {
      const key = await keyOf(command, name)
      if (options.bech !== 'acc' && options.bech !== 'val')
        throw new CliError(`--bech must be acc or val, not ${options.bech}`, exitCodes.usage)
      const prefix = options.bech === 'val' ? VALIDATOR_PREFIX : ACCOUNT_PREFIX
      const address = formatAddress(key.publicKey.address, prefix)
      if (options.evmAddress) {
        const hex = checksumAddress(key.publicKey.address)
        print(command, hex, () => hex)
      } else if (options.address) print(command, address, () => address)
      else if (options.pubkey)
        print(command, publicKeyJson(key.publicKey), () => JSON.stringify(publicKeyJson(key.publicKey)))
      else
        print(command, { ...keyJson(key), address }, () =>
          options.bech === 'acc' ? describeKey(key) : `${key.name}  ${address}  (${kindOf(key)})`,
        )
    })
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
