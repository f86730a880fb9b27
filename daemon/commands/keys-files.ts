import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { fromHex, toHex } from '../../core/bytes.ts'
import type { KeyType } from '../../core/crypto/account-key.ts'
import { DEFAULT_KEY_TYPE } from '../keyring/derive.ts'
import { KeyringError } from '../keyring/keyring.ts'
import { type Sealed, seal, unseal } from '../keyring/seal.ts'
import { examples, note, print } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { describeKey, keyJson, keyTypeOption, orSecp256k1, readKeyType } from './key-forms.ts'
import { keyringOf, warnIfOpen } from './keyring.ts'
import { ask, askPassphrase, confirm } from './prompt.ts'

/** `type` of an export, and with the kind of key what its secret is bound to. */
const exported = 'fornax private key'
const boundTo = (type: KeyType): string => (type === 'secp256k1' ? exported : `${exported} ${type}`)

/** A key under a passphrase of its own. One without a kind is of a keyring that had secp256k1 alone. */
interface ExportedKey extends Sealed {
  readonly type: typeof exported
  readonly key_type?: KeyType
}

export function exportKey(): Command {
  return new Command('export')
    .argument('<name>')
    .description('print a key, encrypted under a passphrase of its own, for "keys import"')
    .option(
      '--unencrypted-hex',
      'print the bare private key instead, for wallets of Ethereum after 0x: who sees it owns the account',
    )
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', examples('fornaxd keys export alice > alice.key.json'))
    .action(async (name: string, options: { unencryptedHex?: true; yes?: true }, command: Command) => {
      const { keyType, privateKey } = await keyringOf(command).signer(name)
      if (options.unencryptedHex) {
        await confirm('This prints the private key itself. Go on?', options.yes)
        const hex = `${keyType === 'ethsecp256k1' ? '0x' : ''}${toHex(privateKey)}`
        print(command, hex, () => hex)
        return
      }
      const passphrase = await askPassphrase('Passphrase for the export', { confirm: true })
      const sealed = await seal(privateKey, passphrase, boundTo(keyType))
      const kind = keyType === 'secp256k1' ? {} : { key_type: keyType }
      const out: ExportedKey = { type: exported, ...kind, ...sealed }
      process.stdout.write(`${JSON.stringify(out, null, 2)}\n`)
    })
}

export function importKey(): Command {
  return new Command('import')
    .argument('<name>')
    .argument('[file]', 'what "keys export" printed; default standard input')
    .description('add a key from an export')
    .option('--hex', 'a bare private key in hex, asked for or from standard input')
    .option(keyTypeOption[0], `of a bare one: ${keyTypeOption[1]} (default: ${DEFAULT_KEY_TYPE})`)
    .addHelpText(
      'after',
      examples('fornaxd keys import alice alice.key.json', 'fornaxd keys import alice --hex < key.hex'),
    )
    .action(
      async (
        name: string,
        file: string | undefined,
        options: { hex?: true; keyType?: string },
        command: Command,
      ) => {
        const ring = keyringOf(command)
        const asked = readKeyType(options.keyType)
        if (asked !== undefined && !options.hex)
          throw new CliError('--key-type goes with --hex: an export knows its kind', exitCodes.usage)
        warnIfOpen(ring)
        const { secret, type } = options.hex
          ? { secret: await bareSecret(), type: asked ?? DEFAULT_KEY_TYPE }
          : await openExport(file)
        const key = await ring.add(name, secret, type)
        print(command, keyJson(key), () => describeKey(key))
        if (options.hex && asked === undefined) note(`Note: ${orSecp256k1('private key', secret)}`)
      },
    )
}

async function bareSecret(): Promise<Uint8Array> {
  try {
    return fromHex((await ask('Private key in hex', { secret: true })).trim().replace(/^0x/i, ''))
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError('a private key in hex has 64 hexadecimal digits')
  }
}

async function openExport(file: string | undefined): Promise<{ secret: Uint8Array; type: KeyType }> {
  const text = await readFile(file ?? '/dev/stdin', 'utf8').catch(() => {
    throw new CliError(`${file ?? 'standard input'} cannot be read`)
  })
  const sealed = readExport(text)
  const type = sealed.key_type ?? 'secp256k1'
  return {
    secret: await unseal(sealed, await askPassphrase('Passphrase of the export'), boundTo(type)),
    type,
  }
}

function readExport(text: string): ExportedKey {
  try {
    const read = JSON.parse(text) as ExportedKey
    const kinds: readonly unknown[] = [undefined, 'ethsecp256k1']
    if (read.type === exported && kinds.includes(read.key_type)) return read
  } catch {}
  throw new KeyringError('this is not what `fornaxd keys export` prints')
}
