import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const ROOT = resolve('../shared/vectors')

/**
 * The JSON of `../shared/vectors/<path>`, other projects' data that is not part of this repository. Where it is absent
 * the test that `context` belongs to says so and is skipped.
 */
export function sharedVectors<T>(context: Mocha.Context, path: string): T {
  const file = resolve(ROOT, path)
  if (!existsSync(file)) {
    console.log(`      skipped: ../shared/vectors/${path} is not here`)
    context.skip()
  }
  return JSON.parse(readFileSync(file, 'utf8')) as T
}
