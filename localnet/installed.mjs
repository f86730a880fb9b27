/** Exits 0 when node_modules holds exactly what package-lock.json asks for, as npm itself recorded it at the end of the install. */
import { readFileSync } from 'node:fs'

const packages = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    process.exit(1)
  }
}
const wanted = packages('package-lock.json')
const found = packages('node_modules/.package-lock.json')
const missing = Object.entries(wanted).some(
  ([path, { version, optional, integrity }]) =>
    path !== '' &&
    (found[path] ? found[path].version !== version || found[path].integrity !== integrity : !optional),
)
process.exit(missing ? 1 : 0)
