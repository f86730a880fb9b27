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

/** What the system refuses, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'the file system is read-only',
  EMFILE: 'this process has too many files open: raise its limit (ulimit -n)',
  ENFILE: 'the system has too many files open',
  EIO: 'the disk fails',
  ENOTDIR: 'a file is where a folder must be',
  EISDIR: 'a folder is where a file must be',
}

/** A sentence on an error of the file system; nothing for any other error. */
export function fileTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', path, syscall } = error as NodeJS.ErrnoException
  const reason = REASONS[code]
  if (reason === undefined || (path === undefined && syscall === undefined)) return undefined
  return `${path ?? syscall}: ${reason} (${code})`
}

/**
 * Writes a file for its owner alone (mode 0600, its folder 0700 where it is made): whole or, after a crash, not at
 * all. Throws FileError, with `fresh` also where there is a file already.
 */
export function writeFileAtomically(path: string, content: string, { fresh = false } = {}): void {
  try {
    write(path, content, fresh)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const why = REASONS[code] === undefined ? '' : `: ${REASONS[code]}`
    throw new FileError(`${path} cannot be written${why} (${code})`, { cause: error })
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
