import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutValues } from './trace-searches.ts'

describe('a query in a trace is shown without what it looks for', () => {
  for (const [nxql, shown] of [
    ["SELECT * FROM File WHERE dc:title = 'secret'", 'SELECT * FROM File WHERE dc:title = ?'],
    ['SELECT * FROM File WHERE dc:title IN ("a", "b")', 'SELECT * FROM File WHERE dc:title IN (?, ?)'],
    ["SELECT * FROM File WHERE dc:title = 'it\\'s secret'", 'SELECT * FROM File WHERE dc:title = ?'],
    [`SELECT * FROM File WHERE dc:title = 'a "quoted" word'`, 'SELECT * FROM File WHERE dc:title = ?'],
    ['SELECT * FROM File WHERE file:content/length > 4711.5', 'SELECT * FROM File WHERE file:content/length > ?'],
    ["SELECT * FROM File WHERE dc:issued < DATE '2026-01-01'", 'SELECT * FROM File WHERE dc:issued < DATE ?'],
    ['SELECT * FROM H264 WHERE files:files/0/file/name IS NULL', 'SELECT * FROM H264 WHERE files:files/0/file/name IS NULL'],
  ] as const) {
    test(nxql, () => assert.equal(withoutValues(nxql), shown))
  }

  test('also where a long one is cut inside a word', () => {
    assert.doesNotMatch(withoutValues(`SELECT * FROM File WHERE dc:title = '${'secret '.repeat(1_000)}'`), /secret/)
  })
})
