import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Unfinished files: CometBFT's, and ours as `writeFileAtomically` names them. */
const LITTER = /^write-file-atomic-\d+$|\.[0-9a-f]{12}\.tmp$/
/** Another command may be writing the newest. */
const OLD_MS = 60_000

/** Removes what a killed process had begun to write in `config/` and `data/`, none of which is ever read. */
export function removeLitter(home: string, now = Date.now()): void {
  for (const folder of ['config', 'data'].map((name) => join(home, name)).filter(existsSync))
    for (const name of readdirSync(folder).filter((each) => LITTER.test(each))) {
      const file = join(folder, name)
      const isOld = now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) > OLD_MS
      if (isOld) rmSync(file, { force: true })
    }
}
