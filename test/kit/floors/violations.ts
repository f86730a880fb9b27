import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import type { Finding } from './check.ts'

/** A line of a file, and what is said of it. */
export type Line = readonly [code: string, finding?: string]
export type Tree = Readonly<Record<string, readonly Line[]>>

/** Writes a tree's files. */
export function plant(folder: string, tree: Tree): void {
  for (const [file, lines] of Object.entries(tree)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), lines.map(([code]) => `${code}\n`).join(''))
  }
}

/** Each line's finding is found, and nothing else. */
export function expectFindings(tree: Tree, found: readonly Finding[]): void {
  const wrong: string[] = []
  for (const [file, lines] of Object.entries(tree))
    for (const [i, [code, finding]] of lines.entries()) {
      const said = found.filter((f) => f.file === file && f.line === i + 1).map(({ what }) => what)
      const isRight = finding === undefined ? said.length === 0 : said.some((what) => what.includes(finding))
      if (!isRight)
        wrong.push(
          `${file}: ${code} — wanted: ${finding ?? 'nothing'}; said: ${said.join('; ') || 'nothing'}`,
        )
    }
  for (const { file, what } of found) if (!(file in tree)) wrong.push(`${file}: ${what}`)
  expect(wrong).to.deep.equal([])
}
