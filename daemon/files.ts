import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** A file cannot be written: its disk is full, its folder not ours, and so on. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/**
 * Writes a file for its owner alone (mode 0600, its folder 0700 where it is made): whole or, after a crash, not at
 * all. Throws FileError, with `fresh` also where there is a file already.
 */
export function writeFileAtomically(path: string, content: string, { fresh = false } = {}): void {
  try {
    write(path, content, fresh)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new FileError(`${path} cannot be written (${code})`, { cause: error })
  }
}

function write(path: string, content: string, fresh: boolean): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    synced(openSync(unfinished, 'wx', 0o600), (file) => writeFileSync(file, content))
    // A link, unlike a rename, does not replace what is there.
    if (fresh) linkSync(unfinished, path)
    else renameSync(unfinished, path)
    synced(openSync(folder, 'r'))
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Has the disk hold what a file, or a folder, says after `change`, and closes it. */
function synced(file: number, change: (file: number) => void = () => {}): void {
  try {
    change(file)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
