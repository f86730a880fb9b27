import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../store-error.ts'

const DIGITS = 20

/**
 * A small file beside the database with a height that is surely committed. It is written after each commit and never
 * synced, so it may lag after a power cut, but never leads: a database below it has lost data, which level itself does
 * not tell (it drops what it cannot read at the end of its log).
 */
export class HeightMark {
  static readonly FILE = 'COMMITTED'
  readonly height: number
  readonly #file: number

  private constructor(file: number, height: number) {
    this.#file = file
    this.height = height
  }

  static exists(directory: string): boolean {
    return existsSync(join(directory, HeightMark.FILE))
  }

  static open(directory: string): HeightMark {
    const path = join(directory, HeightMark.FILE)
    if (existsSync(path)) {
      const text = readFileSync(path, 'latin1')
      if (!/^\d{20}\n$/.test(text)) {
        throw new StoreError('unreadable', `${path} is damaged; the database beside it may be too`)
      }
      return new HeightMark(openSync(path, 'r+'), Number(text))
    }
    const file = openSync(path, 'wx')
    writeSync(file, line(0))
    fsyncSync(file)
    return new HeightMark(file, 0)
  }

  write(height: number): void {
    writeSync(this.#file, line(height), 0)
  }

  close(): void {
    closeSync(this.#file)
  }
}

function line(height: number): string {
  return `${String(height).padStart(DIGITS, '0')}\n`
}
