import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file cannot be written: its disk is full, its folder not ours, and so on. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/**
 * Writes a file for its owner alone (mode 0600, its folder 0700 where it is made): whole or, after a crash, not at
 * all. Throws FileError.
 */
export function writeFileAtomically(path: string, content: string): void {
  try {
    write(path, content)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new FileError(`${path} cannot be written (${code})`, { cause: error })
  }
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${process.pid}.tmp`
  const file = openSync(unfinished, 'w', 0o600)
  try {
    writeSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
}
