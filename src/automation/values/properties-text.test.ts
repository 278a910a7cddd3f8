import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { lineWithoutValue, parsePropertiesText } from './read-sent-properties.ts'

const rules = { trimsPropertyValues: false, joinsPropertyLines: true }

describe('properties as a text', () => {
  const rows: [what: string, text: string, properties: object][] = [
    ['are one name=value a line', 'dc:title=A\ndc:source=B', { 'dc:title': 'A', 'dc:source': 'B' }],
    ['split at the first =', 'dc:title=a=b', { 'dc:title': 'a=b' }],
    ['have trimmed names and untrimmed values', ' dc:title = A ', { 'dc:title': ' A ' }],
    ['may be empty', 'dc:title=', { 'dc:title': '' }],
    ['skip blank lines and remarks', '# no\n\n   \ndc:title=A', { 'dc:title': 'A' }],
    ['take a # that does not begin the line for a name', ' # x=1', { '# x': '1' }],
    ['go on after a backslash with a line break in the value', 'a=one\\\ntwo\\\n\nb=2', { a: 'one\ntwo\n', b: '2' }],
    ['go on after a backslash also with what looks like a remark', 'a=one\\\n#two', { a: 'one\n#two' }],
    ['end a remark with its line', '# no\\\na=1', { a: '1' }],
    ['end with any kind of line break', 'a=1\r\nb=2\rc=3', { a: '1', b: '2', c: '3' }],
    ['keep the last of two', 'a=1\na=2', { a: '2' }],
    ['may be named as nothing else should be', '__proto__=x', JSON.parse('{"__proto__": "x"}')],
  ]
  for (const [what, text, properties] of rows) {
    test(what, () => {
      const found = parsePropertiesText(text, rules)
      assert.deepEqual(Object.entries(found), Object.entries(properties))
    })
  }

  test('are refused where a line has no =', () => {
    assert.throws(() => parsePropertiesText('a=1\nb', rules), lineWithoutValue.is)
  })

  test('lose the blanks around values where the server is set so', () => {
    assert.deepEqual(parsePropertiesText('a= 1 ', { ...rules, trimsPropertyValues: true }), { a: '1' })
  })

  test('end with their line where the server is set so, backslash and all', () => {
    assert.deepEqual(parsePropertiesText('a=1\\\nb=2', { ...rules, joinsPropertyLines: false }), { a: '1\\', b: '2' })
  })

  test('are read as they were written', () => {
    const name = fc.stringMatching(/^[a-z]{1,5}:[a-z]{1,5}$/)
    const value = fc.string({ unit: 'grapheme' }).filter((one) => !/[\\\r\n]/.test(one))
    fc.assert(
      fc.property(fc.dictionary(name, fc.array(value, { minLength: 1 })), (properties) => {
        const lines = Object.entries(properties).map(([key, parts]) => `${key}=${parts.join('\\\n')}`)
        const expected = Object.entries(properties).map(([key, parts]) => [key, parts.join('\n')])
        assert.deepEqual(Object.entries(parsePropertiesText(lines.join('\n'), rules)), expected)
      }),
    )
  })
})
