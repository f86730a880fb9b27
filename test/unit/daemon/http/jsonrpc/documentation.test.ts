import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { defaultConfig, valueAt } from '../../../../../daemon/config/file.ts'
import { everySetting } from '../../../../../daemon/config/settings.ts'

const page = readFileSync('docs/json-rpc.md', 'utf8')

/** Names and second columns of the rows of the table below a heading. */
function rows(heading: string): [string, string][] {
  const section = page.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!
  return [...section.matchAll(/^\| `([a-z_]+)` +\| `([^`]+)`/gm)].map(([, name, value]) => [name!, value!])
}

describe('docs/json-rpc.md', () => {
  it('lists the settings with their defaults, all of them and no other', () => {
    const settings = [...everySetting()].filter(({ section }) => section === 'jsonrpc')
    const config = defaultConfig()
    expect(rows('Settings')).to.deep.equal(
      settings.map(({ key, setting }) => [key, setting.kind.render(valueAt(config, 'jsonrpc', key))]),
    )
  })
})
