import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../files.ts'
import { CometKeyError, NOTHING_SIGNED, readKeyFile } from './keys.ts'

const STATE = 'priv_validator_state.json'

export interface ResetOptions {
  readonly keepAddressBook?: boolean
  /** Has the validator forget what it signed: on a chain that goes on it can sign twice after that. */
  readonly forgetSigned?: boolean
}

/** The height up to which a home's validator signs nothing more; 0 where it has signed nothing. Throws CometKeyError. */
export function signedHeight(home: string): bigint {
  const file = join(home, 'data', STATE)
  if (!existsSync(file)) return 0n
  const { height } = (readKeyFile(file) ?? {}) as { height?: unknown }
  if (typeof height !== 'string' || !/^\d{1,19}$/.test(height))
    throw new CometKeyError(`${file} does not tell what the validator has signed`)
  return BigInt(height)
}

/**
 * Deletes all blocks and all state under `home`, and the address book unless it is kept. Keys, settings, genesis and what the
 * validator has signed stay. Where it is interrupted, another reset goes on. Answers what was deleted, by name.
 */
export function resetData(home: string, { keepAddressBook, forgetSigned }: ResetOptions): string[] {
  const data = join(home, 'data')
  const names = existsSync(data) ? readdirSync(data).filter((name) => name !== STATE) : []
  const paths = names.sort().map((name) => join('data', name))
  const book = join('config', 'addrbook.json')
  if (!keepAddressBook && existsSync(join(home, book))) paths.push(book)
  for (const path of paths) rmSync(join(home, path), { recursive: true, force: true })
  if (forgetSigned) writeFileAtomically(join(data, STATE), NOTHING_SIGNED)
  return paths
}
