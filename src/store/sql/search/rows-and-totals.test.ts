import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { shelfWith } from '../../../../test/support/shelf.ts'
import { grant } from '../../../model/rights/acl.ts'
import type { SearchValue } from '../../search.ts'

onEachEngine('rows of a query for columns', (engine) => {
  const open = shelfWith(engine, {
    s1: {
      acls: [{ name: 'local', aces: [grant('bob', 'Read')] }],
      properties: {
        'dc:title': 'T',
        'dc:subjects': ['foo', 'zoo', 'bar'],
        'my:long': 9_007_199_254_740_993n,
        'my:double': 0.1,
        'my:boolean': true,
        'my:date': '2024-05-01T11:00:00.000Z',
        'p:people': [
          { first: 'John', last: 'Doe', phones: ['1', '2'] },
          { first: 'Ann', last: 'Ray', phones: [] },
        ],
        'nxtag:tags': [{ label: 'red' }, { label: 'big' }],
      },
    },
    s2: { properties: { 'dc:title': 'T', 'dc:subjects': ['foo'], 'my:long': -5, 'my:double': 1e17, 'my:boolean': false } },
    s3: {},
  })
  const rows = (
    name: string,
    ...expectations: readonly (readonly [query: string, rows: readonly (readonly SearchValue[])[]])[]
  ) =>
    test(name, async () => {
      const shelf = await open()
      for (const [query, expected] of expectations) {
        assert.deepEqual(await shelf.rows(query), expected, query)
        assert.equal(await shelf.countRows(query), expected.length, query)
      }
    })

  rows('10 hold texts, integers and doubles to the last digit, booleans, dates and nulls', [
    'SELECT ecm:uuid, my:long, my:double, my:boolean, my:date, ecm:isVersion FROM Specimen',
    [
      ['s1', 9_007_199_254_740_993n, 0.1, true, '2024-05-01T11:00:00.000Z', false],
      ['s2', -5, 1e17, false, null, false],
      ['s3', null, null, null, null, false],
    ],
  ])
  rows(
    '10 are one for each item of a wildcard, in the order of the list, and none for an empty list at the end of a column',
    ['SELECT dc:subjects/* FROM Specimen', [['foo'], ['zoo'], ['bar'], ['foo']]],
    [
      'SELECT p:people/*1/first, p:people/*1/last FROM Specimen',
      [
        ['John', 'Doe'],
        ['Ann', 'Ray'],
        [null, null],
        [null, null],
      ],
    ],
    [
      'SELECT p:people/*1/first, p:people/*1/phones/* FROM Specimen',
      [
        ['John', '1'],
        ['John', '2'],
      ],
    ],
    ['SELECT ecm:tag FROM Specimen', [['red'], ['big']]],
    ['SELECT ecm:acl/*1/principal, ecm:acl/*1/grant FROM Specimen WHERE ecm:acl/*1/grant = 1', [['bob', true]]],
  )
  rows(
    '10 are only for the items that pass where the wildcard is the same, and for every item and every pass where it is another',
    ["SELECT dc:subjects/*1 FROM Specimen WHERE dc:subjects/*1 LIKE '%oo'", [['foo'], ['zoo'], ['foo']]],
    [
      "SELECT dc:subjects/* FROM Specimen WHERE dc:subjects/* LIKE '%oo' AND ecm:uuid = 's1'",
      [['foo'], ['foo'], ['zoo'], ['zoo'], ['bar'], ['bar']],
    ],
    ["SELECT ecm:uuid FROM Specimen WHERE dc:subjects/* LIKE '%oo'", [['s1'], ['s1'], ['s2']]],
  )
  rows('9 are ordered by items, too', [
    'SELECT dc:subjects/*1, ecm:uuid FROM Specimen ORDER BY dc:subjects/*1 DESC',
    [
      ['zoo', 's1'],
      ['foo', 's1'],
      ['foo', 's2'],
      ['bar', 's1'],
    ],
  ])
  rows(
    '9 are each once with DISTINCT, in the order in which they come first',
    ['SELECT DISTINCT dc:title FROM Specimen', [['T'], [null]]],
    ['SELECT DISTINCT dc:title FROM Specimen ORDER BY dc:title', [[null], ['T']]],
    ["SELECT DISTINCT ecm:uuid FROM Specimen WHERE dc:subjects/* LIKE '%oo'", [['s1'], ['s2']]],
    ['SELECT DISTINCT dc:subjects/*1 FROM Specimen ORDER BY dc:subjects/*1 DESC', [['zoo'], ['foo'], ['bar']]],
    [
      'SELECT DISTINCT dc:title, my:boolean FROM Specimen LIMIT 2',
      [
        ['T', true],
        ['T', false],
      ],
    ],
  )
  rows('10 of SELECT * are ids', ['SELECT * FROM Specimen ORDER BY ecm:uuid DESC', [['s3'], ['s2'], ['s1']]])

  test('10 a document is found once, whatever its columns', async () => {
    const shelf = await open()
    assert.equal(await shelf.find('SELECT dc:subjects/* FROM Specimen'), 's1 s2 s3')
    assert.equal(await shelf.find("SELECT dc:subjects/* FROM Specimen WHERE dc:subjects/* LIKE '%oo'"), 's1 s2')
    assert.equal(await shelf.count('SELECT dc:subjects/* FROM Specimen'), 3)
  })
})

onEachEngine('totals', (engine) => {
  const numbers = (long: number | bigint | null, double: number | null, ...longs: readonly number[]) => ({
    properties: { 'my:long': long, 'my:double': double, 'my:longs': longs, 'dc:title': long === null ? null : `t${long}` },
  })
  const open = shelfWith(engine, {
    a: numbers(9_223_372_036_854_775_807n, 0.1, 1, 2),
    b: numbers(9_223_372_036_854_775_807n, 0.2),
    c: numbers(-4, 0.3, 30),
    d: numbers(null, null),
  })
  const totals = (name: string, ...expectations: readonly (readonly [select: string, row: readonly SearchValue[]])[]) =>
    test(name, async () => {
      const shelf = await open()
      for (const [query, row] of expectations) {
        assert.deepEqual(await shelf.rows(`SELECT ${query}`), [row], query)
        assert.equal(await shelf.countRows(`SELECT ${query}`), 1, query)
      }
    })

  totals(
    '9 are of all rows, and count no nulls',
    ['COUNT(my:long), COUNT(dc:title), count(ecm:uuid) FROM Specimen', [3, 3, 4]],
    ['MIN(dc:title), MAX(dc:title) FROM Specimen', ['t-4', 't9223372036854775807']],
    ["COUNT(my:long), SUM(my:long), AVG(my:long), MIN(my:long) FROM Specimen WHERE dc:title = 'x'", [0, null, null, null]],
    ['COUNT(my:longs/*1), SUM(my:longs/*1), AVG(my:longs/*1) FROM Specimen', [3, 33, 11]],
  )
  totals(
    '9 are exact for integers, and good to fifteen digits for doubles',
    ['MIN(my:long), MAX(my:long) FROM Specimen', [-4, 9_223_372_036_854_775_807n]],
    ["SUM(my:long) FROM Specimen WHERE ecm:uuid IN ('a', 'c')", [9_223_372_036_854_775_803n]],
    ['SUM(my:long) FROM Specimen', [18_446_744_073_709_552_000]],
    ['SUM(my:double), AVG(my:double), MAX(my:double) FROM Specimen', [0.6, 0.2, 0.3]],
  )

  test('9 LIMIT and OFFSET count the one row there is', async () => {
    const shelf = await open()
    assert.deepEqual(await shelf.rows('SELECT COUNT(my:long) FROM Specimen LIMIT 10'), [[3]])
    assert.deepEqual(await shelf.rows('SELECT COUNT(my:long) FROM Specimen LIMIT 10 OFFSET 1'), [])
    assert.equal(await shelf.countRows('SELECT COUNT(my:long) FROM Specimen LIMIT 10 OFFSET 1'), 0)
  })
})
