import { expect } from 'chai'
import { assert, constantFrom, dictionary, jsonValue, oneof, property, string } from 'fast-check'
import { parse } from 'yaml'
import type { Json } from '../../../../core/wire/json.ts'
import { toYaml } from '../../../../daemon/commands/yaml.ts'

describe('What is printed for people', () => {
  /** As parsers of either version of YAML read it. */
  const read = (text: string): unknown[] => [
    parse(text, { version: '1.2' }),
    parse(text, { version: '1.1', merge: false }),
  ]

  it('is YAML, with quotes only where they are needed', () => {
    const value = {
      '@type': '/cosmos.auth.v1beta1.BaseAccount',
      address: 'fornax1abc',
      account_number: '7',
      code: 0,
      words: 'two words',
      nothing: null,
      list: [{ a: '', b: [] }, ['x', {}]],
    }
    expect(toYaml(value)).to.equal(`"@type": /cosmos.auth.v1beta1.BaseAccount
address: fornax1abc
account_number: "7"
code: 0
words: two words
nothing: null
list:
  - a: ""
    b: []
  - - x
    - {}`)
    for (const found of read(toYaml(value))) expect(found).to.deep.equal(value)
  })

  it('is read back as it was, whatever it is', () => {
    const ambiguous = constantFrom(
      ...[
        'yes',
        'NO',
        'null',
        '~',
        '1e5',
        '0x1F',
        '.inf',
        '2026-01-31',
        '12:30',
        '-',
        '- a',
        'a: b',
        'a #b',
        '#',
        '!x',
      ],
      ...[
        'a:',
        '*a',
        '&a',
        '%',
        '@',
        '`',
        '|',
        '>',
        '?',
        ' a',
        'a ',
        'a\nb',
        '\u0085',
        '\u2028',
        '\ufeff',
        '\u0000',
        '=',
      ],
      ...['<<', '1_000', '007', 'true', 'on', 'y', '[a', '{a', "'", '"', '\\', '...', '---', '\ud800'],
    )
    const text = oneof(ambiguous, string({ unit: 'grapheme' }), string({ unit: 'binary' }))
    const any = oneof(text, jsonValue(), dictionary(text, oneof(text, jsonValue())))
    assert(
      property(any, (value) => {
        const json = JSON.parse(JSON.stringify(value)) as Json
        for (const found of read(toYaml(json))) expect(found).to.deep.equal(json)
      }),
      { numRuns: 1000 },
    )
  })
})
