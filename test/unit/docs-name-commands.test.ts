import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Command } from 'commander'
import { createProgram } from '../../daemon/commands/program.ts'
import { fencedBlocks } from '../kit/fenced-blocks.ts'

const pages = [
  'README.md',
  ...readdirSync('docs').flatMap((n) => (n.endsWith('.md') ? [join('docs', n)] : [])),
]

/** The calls of fornaxd in a script, without what is behind them. */
const callsIn = (script: string): string[][] =>
  [
    ...script
      .replaceAll('\\\n', ' ')
      .replace(/(^|\s)#.*$/gm, '')
      .matchAll(/(?:^|[\s"(|;])(?:bin\/)?fornaxd ([^\n|;&>)]+)/g),
  ].map(([, words]) => words!.trim().split(/\s+/))

/** What is wrong with a call: a command or an option that is none. */
function wrongIn(program: Command, words: readonly string[]): string | undefined {
  let command = program
  let at = 0
  for (; at < words.length; at++) {
    const sub = command.commands.find((c) => c.name() === words[at] || c.aliases().includes(words[at]!))
    if (sub === undefined) break
    command = sub
  }
  // A word in capitals stands for a command, and one in lower case behind a group is no command of it.
  const unknown = command.commands.length > 0 && at < words.length && /^[a-z]/.test(words[at]!)
  if (unknown) return `there is no ${words.slice(0, at + 1).join(' ')}`
  const known = new Set<string>(['--help'])
  for (let each: Command | null = command; each !== null; each = each.parent)
    for (const { long, short } of each.options) for (const flag of [long, short]) if (flag) known.add(flag)
  const option = words.slice(at).find((word) => /^--?[a-z]/.test(word) && !known.has(word))
  return option && `${words.slice(0, at).join(' ')} has no option ${option}`
}

describe('The documents', () => {
  for (const page of pages)
    it(`call fornaxd as it is: ${page}`, () => {
      const program = createProgram()
      const calls = ['sh', 'console'].flatMap((language) => fencedBlocks(page, language)).flatMap(callsIn)
      const help = new Set(['help'])
      expect(
        calls.flatMap((words) => (help.has(words[0]!) ? [] : (wrongIn(program, words) ?? []))),
      ).to.deep.equal([])
      if (page === 'docs/join-a-chain.md' || page === 'README.md') expect(calls).to.not.have.length(0)
    })

  it('would be found to call what there is not', () => {
    const wrong = callsIn(
      'x=$(fornaxd keys shw a) && fornaxd status --wit; fornaxd tx bank send a 1frx --from b',
    ).map((words) => wrongIn(createProgram(), words))
    expect(wrong).to.deep.equal(['there is no keys shw', 'status has no option --wit', undefined])
  })
})
