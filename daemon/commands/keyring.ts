import type { Command } from 'commander'
import type { KeyNames } from '../client/fields.ts'
import { type Backend, Keyring } from '../keyring/keyring.ts'
import { accountAddress } from '../keyring/record.ts'
import { configOf, globals, note } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'
import { askPassphrase } from './prompt.ts'

/** Adds the option that keyringOf reads. */
export const withKeyring = (command: Command): Command =>
  command.option(
    '--keyring-backend <backend>',
    'file (encrypted) or test (open, for development); default as in app.toml',
  )

/** The keyring that the options and app.toml name. */
export function keyringOf(command: Command): Keyring {
  const { home } = globals(command)
  const asked = command.opts<{ keyringBackend?: string }>().keyringBackend
  if (asked !== undefined && asked !== 'file' && asked !== 'test')
    throw new CliError(`--keyring-backend must be file or test, not ${asked}`, exitCodes.usage)
  const backend: Backend = asked ?? configOf(home)?.keyring.backend ?? 'file'
  return new Keyring(home.path, backend, (fresh) =>
    askPassphrase('Passphrase of the keyring', { confirm: fresh }),
  )
}

export function warnIfOpen(ring: Keyring): void {
  if (ring.backend === 'test')
    note(`Note: the test keyring keeps keys unencrypted in ${ring.folder}. Use it for development only.`)
}

/** The names in that keyring. */
export function keyNames(command: Command): KeyNames {
  const ring = keyringOf(command)
  return {
    addressOf: async (name) =>
      (await ring.has(name)) ? accountAddress((await ring.get(name)).publicKey) : undefined,
    where: `${ring.folder} (\`fornaxd keys list\` shows those there are)`,
  }
}
