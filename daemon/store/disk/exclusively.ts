import { existsSync } from 'node:fs'
import { Level } from 'level'

/**
 * Runs while no other process can open the database at `path`, which may be damaged or missing. `run` may delete it.
 * Answers false, having run nothing, where another process has it open.
 */
export async function runExclusively(path: string, run: () => Promise<void>): Promise<boolean> {
  const level = existsSync(path) ? await held(path) : undefined
  if (level === 'by another') return false
  try {
    await run()
  } finally {
    await level?.close()
  }
  return true
}

/** Nothing where the database cannot be opened for a fault of its own. */
async function held(path: string): Promise<Level | 'by another' | undefined> {
  const level = new Level(path, { createIfMissing: false })
  try {
    await level.open()
    return level
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const isLocked = cause instanceof Error && 'code' in cause && cause.code === 'LEVEL_LOCKED'
    return isLocked ? 'by another' : undefined
  }
}
