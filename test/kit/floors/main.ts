import { readFileSync } from 'node:fs'
import { checkFloors } from './check.ts'
import { readFloors } from './table.ts'

/** Tells what breaks the table of floors in the working directory's tree. */
const findings = checkFloors('.', readFloors(readFileSync('ARCHITECTURE.md', 'utf8')))
for (const { file, line, what } of findings) console.error(`${file}:${line} ${what}`)
console.error(
  findings.length === 0
    ? 'Every import keeps to its floor.'
    : `${findings.length} imports leave their floor.`,
)
process.exitCode = findings.length === 0 ? 0 : 1
