import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { csvRecordTooLong, everyCsvLine, formatCsvLine, harmlessCell, plainCell } from './csv-records.ts'

const limits = { maxCells: 10, maxLength: 1_000 }

async function* inPieces(text: string, size = 3): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size)
}

const read = async (text: string, size?: number) =>
  (await Array.fromAsync(everyCsvLine(inPieces(text, size), limits))).map(({ cells }) => cells)

describe('reading CSV record by record', () => {
  const rows: readonly [what: string, text: string, cells: readonly (readonly string[])[]][] = [
    ['every kind of line end', 'a,b\r\nc,d\ne,f\rg', [['a', 'b'], ['c', 'd'], ['e', 'f'], ['g']]],
    ['quotes with commas and line ends in them', '"a,""b""\r\nc",d', [['a,"b"\r\nc', 'd']]],
    ['a backslash before a quote and other letters', '"a\\"b\\\\",c\\,d,\\n,\\x', [['a"b\\', 'c,d', '\n', '\\x']]],
    ['empty cells and empty lines', ',a,\n\n""', [['', 'a', ''], [''], ['']]],
    ['a byte order mark', '\uFEFFname\nx', [['name'], ['x']]],
    ['a quote inside of a bare cell', 'a"b,c', [['a"b', 'c']]],
    ['nothing', '', []],
    ['a quote that is never closed', '"a,b\nc', [['a,b\nc']]],
    ['a backslash at the end', 'a\\', [['a\\']]],
  ]
  for (const [what, text, cells] of rows) {
    test(`takes ${what}`, async () => {
      for (const size of [1, 2, 1000]) assert.deepEqual(await read(text, size), cells)
    })
  }

  test('counts records and refuses those that are longer than any is', async () => {
    const lines = await Array.fromAsync(everyCsvLine(inPieces('a\n"b\nb"\nc'), limits))
    assert.deepEqual(
      lines.map(({ line }) => line),
      [1, 2, 3],
    )
    for (const text of [`a\n"${'x'.repeat(2_000)}`, `a\n${','.repeat(20)}`]) {
      await assert.rejects(read(text), (error) => csvRecordTooLong.is(error) && error.details.line === 2)
    }
  })

  test('reads back whatever was written, and no cell looks like a formula', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', ',', '\\', '\r', '\n', '=', "'", 'n', ' ') }),
    )
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (written, size) => {
        const text = written.map((cells) => formatCsvLine(cells.map(harmlessCell))).join('')
        const back = await read(text, size)
        assert.deepEqual(
          back.map((cells) => cells.map(plainCell)),
          written,
        )
        for (const one of back.flat()) assert.doesNotMatch(one, /^[=+\-@\t\r]/)
      }),
    )
  })
})
