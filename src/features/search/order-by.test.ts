import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Sort } from '../../core/search/query/sort.ts'
import { parseOrderBy } from './order-by.ts'

describe('orderBy', () => {
  const rows: readonly [text: string, sorts: readonly Sort[]][] = [
    ['dc:title', [{ column: 'dc:title', isAscending: true }]],
    ['dc:title DESC', [{ column: 'dc:title', isAscending: false }]],
    [
      ' dc:title  desc ,file:content/length asc',
      [
        { column: 'dc:title', isAscending: false },
        { column: 'file:content/length', isAscending: true },
      ],
    ],
  ]
  for (const [text, sorts] of rows) test(`'${text}' is read`, () => assert.deepEqual(parseOrderBy(text), sorts))
  for (const text of [
    '',
    ',',
    'dc:title,',
    'dc:title UP',
    'dc:title DESC NULLS',
    "dc:title' OR 1 = 1",
    '1',
    'dc:title LIMIT 1',
  ]) {
    test(`'${text}' is refused`, () => assert.throws(() => parseOrderBy(text), { code: 'invalidOrder' }))
  }
})
