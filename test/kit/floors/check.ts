import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Reference, referencesOf } from './references.ts'
import { allowancesOf, allows, type Floor, placeOf } from './table.ts'

export interface Finding {
  readonly file: string
  readonly line: number
  readonly what: string
}

const OUTSIDE = new Set(['dist', 'node_modules'])
const SOURCE = /\.[cm]?[jt]sx?$/

/** The source files of a tree, as paths in it. */
export function sourcesIn(root: string, folder = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.name.startsWith('.') || OUTSIDE.has(entry.name)) return []
    if (entry.isDirectory()) return sourcesIn(root, path)
    return SOURCE.test(entry.name) ? [path] : []
  })
}

/** Whatever in a tree imports what the table does not let it import. */
export const checkFloors = (root: string, floors: readonly Floor[]): readonly Finding[] =>
  sourcesIn(root).flatMap((file) => findingsIn(floors, file, readFileSync(join(root, file), 'utf8')))

function findingsIn(floors: readonly Floor[], file: string, text: string): readonly Finding[] {
  if (placeOf(floors, file) === undefined) {
    // Scripts beside documents are nobody's floor.
    if (!file.endsWith('.ts')) return []
    return [{ file, line: 1, what: 'stands on no floor: give its folder a row in ARCHITECTURE.md' }]
  }
  return referencesOf(file, text).flatMap((reference) => {
    const what = faultOf(floors, file, reference)
    return what === undefined ? [] : [{ file, line: reference.line, what }]
  })
}

function faultOf(floors: readonly Floor[], file: string, reference: Reference): string | undefined {
  const rows = allowancesOf(floors, file)
  const name = `\`${rows[0]!.name}\``
  if (reference.package !== undefined)
    return rows.some(({ packages }) => allows(packages, reference.package!))
      ? undefined
      : `${name} may not import the package ${reference.package}`
  const { path } = reference
  if (path === undefined) return 'what is taken in here cannot be told without running it'
  const own = placeOf(floors, file)!
  const target = placeOf(floors, path)
  if (target?.floor === own.floor && target.room === own.room) return undefined
  if (target !== undefined && rows.some(({ paths }) => allows(paths, path))) return undefined
  // Data beside the code, such as package.json: whoever may read files.
  if (
    target === undefined &&
    !path.startsWith('..') &&
    rows.some(({ packages }) => allows(packages, 'node:fs'))
  )
    return SOURCE.test(path) ? `${path} stands on no floor` : undefined
  return `${name} may not import ${path}`
}
