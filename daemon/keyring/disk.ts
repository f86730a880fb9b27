import { randomBytes } from 'node:crypto'
import { type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a file that only its owner can read, wholly or not at all, and makes its folder (0700). With `fresh`, fails
 * with EEXIST where there is one.
 */
export async function writePrivate(path: string, text: string, { fresh = false } = {}): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeAndSync(await open(temporary, 'wx', 0o600), text)
    // A link, unlike a rename, does not replace what is there.
    await (fresh ? link(temporary, path) : rename(temporary, path))
    const folder = await open(dirname(path), 'r')
    await folder.sync().finally(() => folder.close())
  } finally {
    await rm(temporary, { force: true })
  }
}

async function writeAndSync(file: FileHandle, text: string): Promise<void> {
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
