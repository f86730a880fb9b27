import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromHex, sha256, toHex } from '../../core/bytes.ts'

/** The folder of the model that comes with the program. */
export const ownModels = join(import.meta.dirname, '../../../model')

/** sha256 of the model that comes with the program. */
export const ownModelHash = (): Uint8Array | undefined => {
  for (const hash of findModels([ownModels]).keys()) return fromHex(hash)
  return undefined
}

/** The .onnx files of the folders, by the sha256 of their content in hex. A folder that is not there has none. */
export function findModels(folders: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of folders)
    for (const name of filesOf(folder)) {
      const path = join(folder, name)
      const hash = toHex(sha256(readFileSync(path)))
      if (!found.has(hash)) found.set(hash, path)
    }
  return found
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.onnx'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
