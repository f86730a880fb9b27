import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'

const FLOORS = ['core', 'modules', 'proto', 'genesis', 'daemon', 'localnet', 'test', 'bench', 'model', 'docs']
const documents = [
  ...['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'],
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [join('docs', name)] : [])),
]

/** Files that a passage names and that are not there; bare names are looked for beside the paths before them. */
function missing(passage: string): string[] {
  const folders = new Set<string>()
  const unfound: string[] = []
  for (const [, name] of passage.matchAll(/`([\w./-]+(?:\.ts|\.md|\/))`/g)) {
    const isPath = FLOORS.some((floor) => name!.startsWith(`${floor}/`))
    const places = isPath ? [name!] : [...folders].map((folder) => join(folder, name!))
    const found = places.find((place) => existsSync(place))
    if (found === undefined) unfound.push(name!)
    else if (isPath) for (let at = found; at !== '.'; at = dirname(at)) folders.add(at)
  }
  return unfound
}

/** Headings in the form that links have. */
const anchors = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

describe('The documents', () => {
  it('of the journeys name files that are there', () => {
    const steps = readFileSync('docs/journeys.md', 'utf8').split(/^(?=#|\d+\. )/m)
    expect(steps.flatMap(missing)).to.deep.equal([])
  })

  for (const document of documents)
    it(`link to what there is: ${document}`, () => {
      const text = readFileSync(document, 'utf8')
      for (const [, target] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
        const [path = '', anchor] = target!.split('#')
        const file = path === '' ? document : join(dirname(document), path)
        expect(existsSync(file), `${document}: ${target}`).to.equal(true)
        if (anchor !== undefined && file.endsWith('.md')) {
          const linked = readFileSync(file, 'utf8')
          const marked = [
            ...anchors(linked),
            ...[...linked.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!),
          ]
          expect(marked, `${document}: ${target}`).to.include(anchor)
        }
      }
    })
})
