import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parsePartHeaders } from './part-headers.ts'

const nameIn = (disposition: string) => parsePartHeaders({ 'content-disposition': [disposition] }).fileName

describe('the headers of a part', () => {
  const rows: [disposition: string, name: string | undefined][] = [
    ['form-data; filename="a.txt"', 'a.txt'],
    ['form-data; filename="a \\"quoted\\" one.txt"', 'a "quoted" one.txt'],
    ['form-data; filename="C:\\folder\\a.txt"', 'a.txt'],
    ['form-data; filename="a\\\\"', ''],
    ['form-data; filename="a\\"', ''],
    ['form-data; filename=a.txt; name="x"', 'a.txt'],
    ['form-data; name="x"', undefined],
  ]
  for (const [disposition, name] of rows) test(`${disposition} names ${name}`, () => assert.equal(nameIn(disposition), name))

  test('take no time to speak of, whatever is wrong with them', () => {
    for (const pumped of ['\\', '\\\\a', ';a="', ' ', '"']) {
      const begin = performance.now()
      nameIn(`form-data; filename="${pumped.repeat(8_000 / pumped.length)}`)
      nameIn(`form-data; filename="${pumped.repeat(8_000 / pumped.length)}\\`)
      assert.ok(performance.now() - begin < 1_000, pumped)
    }
  })
})
