import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { malformedCsv, parseCsv } from './csv.ts'

describe('reading CSV', () => {
  test('names the values of each line by the header', () => {
    assert.deepEqual(parseCsv('id,label\nfr,French\nde,German\n'), [
      { id: 'fr', label: 'French' },
      { id: 'de', label: 'German' },
    ])
  })

  test('takes CRLF and LF as line ends, and the last line without one', () => {
    assert.deepEqual(parseCsv('id,n\r\na,1\nb,2'), [
      { id: 'a', n: '1' },
      { id: 'b', n: '2' },
    ])
  })

  test('keeps commas, line ends and doubled quotes of a quoted value', () => {
    assert.deepEqual(parseCsv('id,text\na,"one, ""two""\r\nthree"'), [{ id: 'a', text: 'one, "two"\r\nthree' }])
  })

  test('gives an empty text for a value left out, also at the end of the text', () => {
    assert.deepEqual(parseCsv('a,b,c\n,x,'), [{ a: '', b: 'x', c: '' }])
  })

  test('keeps blanks around a value', () => {
    assert.deepEqual(parseCsv('a,b\n x , y'), [{ a: ' x ', b: ' y' }])
  })

  test('passes over a byte order mark and blank lines, but not over an empty quoted value', () => {
    assert.deepEqual(parseCsv('\uFEFFid\n\nx\r\n\r\n""\n'), [{ id: 'x' }, { id: '' }])
  })

  test('finds no rows in an empty text or in a header alone', () => {
    assert.deepEqual(parseCsv(''), [])
    assert.deepEqual(parseCsv('id,label\n'), [])
  })

  test('reads a quoted value of a million characters', () => {
    const long = '"'.repeat(1_000_000)
    assert.deepEqual(parseCsv(written(['id'], [[long]])), [{ id: long }])
  })

  const mistakes: readonly [name: string, text: string, line: number][] = [
    ['a line with too few values', 'a,b\n1,2\n3\n', 3],
    ['a line with too many values', 'a,b\n1,2,3\n', 2],
    ['a column named twice', 'a,b,a\n1,2,3\n', 1],
    ['a quote that is not closed', 'a,b\n"1\n1",2\n3,"4\n', 4],
    ['text after a closing quote', 'a\n"1"2\n', 2],
    ['a quote inside a bare value', 'a\n1"2\n', 2],
    ['a quote on a later line of a record', 'a,b\n"1\n1",2"2\n', 3],
  ]
  for (const [name, text, line] of mistakes) {
    test(`refuses ${name} and says on which line`, () => {
      assert.throws(
        () => parseCsv(text),
        (error) => malformedCsv.is(error) && error.details.line === line,
      )
    })
  }

  test('reads back whatever was written', () => {
    const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a', ' ') }))
    const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.record({
        columns: fc.uniqueArray(value, { minLength: width, maxLength: width }),
        lines: fc.array(fc.array(value, { minLength: width, maxLength: width })),
        lineEnd: fc.constantFrom('\n', '\r\n'),
      }),
    )
    fc.assert(
      fc.property(table, ({ columns, lines, lineEnd }) => {
        const rows = lines.map((values) => Object.fromEntries(columns.map((column, index) => [column, values[index]])))
        assert.deepEqual(parseCsv(written(columns, lines, lineEnd)), rows)
      }),
    )
  })
})

function written(columns: readonly string[], lines: readonly (readonly string[])[], lineEnd = '\n'): string {
  const quoted = (value: string) => (/^[^",\r\n\uFEFF]+$/.test(value) ? value : `"${value.replaceAll('"', '""')}"`)
  return [columns, ...lines].map((values) => values.map(quoted).join(',') + lineEnd).join('')
}
