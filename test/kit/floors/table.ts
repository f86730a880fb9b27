/** The table of ARCHITECTURE.md that says who may import whom: the one place where that is decided. */

/** What a cell allows: paths of the tree or names of packages. */
interface Allowance {
  readonly patterns: readonly string[]
  readonly everything: boolean
}

export interface Floor {
  /** As in the table. */
  readonly name: string
  readonly isToCome: boolean
  readonly paths: Allowance
  readonly packages: Allowance
  /** What the row of a folder around it allows is not allowed here. */
  readonly isAlone: boolean
}

/** A file's floor; its `room` tells folders apart that share a row. */
export interface Place {
  readonly floor: Floor
  readonly room: string
}

const HEADING = '## Floors'
const COLUMNS = 4

/** Reads the table of ARCHITECTURE.md's text. Throws where it says what has no meaning here. */
export function readFloors(architecture: string): readonly Floor[] {
  const section = architecture.split(`\n${HEADING}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  if (rows.length < 3) throw new Error(`no table below "${HEADING}"`)
  return rows.slice(2).map(readRow)
}

function readRow(row: string): Floor {
  const cells = row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
  if (cells.length !== COLUMNS) throw new Error(`${cells.length} columns: ${row}`)
  const [first, , mayImport, packages] = cells as [string, string, string, string]
  const name = /^`([^`]+)`( \(to come\))?$/.exec(first)
  if (name === null) throw new Error(`no floor: ${first}`)
  const isAlone = mayImport.startsWith('only ')
  return {
    name: name[1]!,
    isToCome: name[2] !== undefined,
    paths: readAllowance(isAlone ? mayImport.slice('only '.length) : mayImport),
    packages: readAllowance(packages),
    isAlone,
  }
}

function readAllowance(cell: string): Allowance {
  if (cell === 'everything') return { patterns: [], everything: true }
  if (cell === 'nothing') return { patterns: [], everything: false }
  if (!/^`[^`]+`(, `[^`]+`)*$/.test(cell)) throw new Error(`neither names nor "nothing": ${cell}`)
  return { patterns: cell.split(', ').map((name) => name.slice(1, -1)), everything: false }
}

const matchers = new Map<string, RegExp>()

/** `*` stands for a name, `<x>` for one that makes rooms, `/` at the end for everything below. */
function matcher(pattern: string): RegExp {
  const made = matchers.get(pattern)
  if (made !== undefined) return made
  const source = pattern
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]+')
    .replace(/<\w+>/g, '([^/]+)')
  const regExp = new RegExp(`^${source}${pattern.endsWith('/') ? '.+' : ''}$`)
  matchers.set(pattern, regExp)
  return regExp
}

export const allows = ({ patterns, everything }: Allowance, name: string): boolean =>
  everything || patterns.some((pattern) => matcher(pattern).test(name))

/** The rows that speak of a file, the one that says most of it first. */
function rowsOf(floors: readonly Floor[], file: string): readonly Floor[] {
  const said = ({ name }: Floor): number => name.replace(/<\w+>/g, '').length
  return floors.filter(({ name }) => matcher(name).test(file)).sort((a, b) => said(b) - said(a))
}

/** Where a file stands; nothing where the table does not say, or has rows for the folders of its folder, and none for it. */
export function placeOf(floors: readonly Floor[], file: string): Place | undefined {
  const floor = rowsOf(floors, file)[0]
  if (floor === undefined) return undefined
  const isDivided = floors.some(({ name }) => name !== floor.name && name.startsWith(floor.name))
  if (floor.name.endsWith('/') && isDivided) return undefined
  return { floor, room: matcher(floor.name).exec(file)!.slice(1).join('/') }
}

/** The rows whose allowances a file has: its own, and those around it. */
export function allowancesOf(floors: readonly Floor[], file: string): readonly Floor[] {
  const rows = rowsOf(floors, file)
  const last = rows.findIndex(({ isAlone }) => isAlone)
  return last === -1 ? rows : rows.slice(0, last + 1)
}
