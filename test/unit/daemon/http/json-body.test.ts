import { expect } from 'chai'
import fc from 'fast-check'
import { HttpError } from '../../../../daemon/http/errors.ts'
import { requireUniqueNames, requireUtf8 } from '../../../../daemon/http/json-body.ts'

describe('a JSON body', () => {
  it('has no name twice in one object, however the name is written', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"b":[{"c":1,"c":2}]}',
      '{"a":{"x":1},"b":{},"a":2}',
      '{"a":1,"\\u0061":2}',
      '{ "a\\"" : [1,2] , "a\\u0022" : 2 }',
      '[{"__proto__":1,"__proto__":2}]',
      '{"a":"\\\\","a":2}',
      `{${'"a":{'.repeat(50)}"b":1,"b":2${'}'.repeat(51)}`,
    ]) {
      JSON.parse(text)
      expect(() => requireUniqueNames(text), text)
        .to.throw(HttpError, 'twice')
        .that.includes({ status: 400, code: 'invalid_body' })
    }
  })

  it('is left alone otherwise, whatever its strings hold', () => {
    for (const text of [
      '{"a":"a","b":["a","a"]}',
      '[{"a":1},{"a":1}]',
      '{"a":",\\"a\\":","b":{"a":"{\\"a\\":1,\\"a\\":2}"}}',
      '{"a":"\\\\","b":"}"}',
      '"a"',
      '1',
      `{"tx_bytes":"${'A'.repeat(1_000_000)}"}`,
      `{"${'\\\\'.repeat(100_000)}":1}`,
    ])
      expect(() => requireUniqueNames(text), text.slice(0, 80)).not.to.throw()
    fc.assert(
      fc.property(fc.json(), (text) => {
        const rewritten = JSON.stringify(JSON.parse(text))
        expect(() => requireUniqueNames(rewritten)).not.to.throw()
      }),
    )
  })

  it('is in UTF-8', () => {
    for (const type of [
      undefined,
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; charset=utf8; q=1',
    ])
      expect(() => requireUtf8(type), type).not.to.throw()
    for (const type of [
      'application/json; charset=utf-16',
      'application/json;CHARSET=latin1',
      'application/json; charset="iso-8859-1"',
      'application/json; charset=',
    ])
      expect(() => requireUtf8(type), type)
        .to.throw(HttpError)
        .that.includes({ status: 415 })
  })
})
