import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deny, grant } from '../model/acl.ts'
import { compileQuery } from './compile-query.ts'
import { queryModel } from './test-model.ts'
import { aWorld, found, publishedWorld, rowsOf, type World, worldWithSpecimen } from './test-world.ts'

type Row = readonly [number: number, query: string, ids: string]

function finds(rows: readonly Row[], world: World = aWorld()) {
  for (const [number, query, ids] of rows) {
    test(`${number} ${query}`, () => assert.equal(found(`SELECT * FROM ${query}`, world).join(' '), ids))
  }
}

function refuses(rows: readonly (readonly [number: number, query: string, reason: string])[]) {
  for (const [number, query, reason] of rows) {
    test(`${number} ${query} is refused`, () =>
      assert.throws(() => compileQuery(queryModel, query), {
        code: 'failedQuery',
        message: `Failed to execute query: ${query}, ${reason}`,
      }))
  }
}

const live = 'ecm:isVersion = 0'
const everyLive = 'alpha beta f1 f2 f4 gamma n3'

describe('types, titles and system properties', () => {
  finds([
    [1, 'File', 'f1 f2 f4'],
    [2, 'Document', 'alpha beta f1 f2 f4 gamma n3 n3v'],
    [3, `document WHERE ${live}`, everyLive],
    [4, 'Note', 'n3 n3v'],
    [5, `Note, Folder WHERE ${live}`, 'alpha beta gamma n3'],
    [6, "File WHERE NOT dc:title = 'First report'", 'f2 f4'],
    [7, "File WHERE NOT dc:title != 'First report'", 'f1'],
    [8, `Document WHERE dc:title NOT ILIKE 'zz%' AND ${live}`, 'alpha f1 f2 f4 n3'],
    [9, "Document WHERE dc:title ILIKE 'FIRST%'", 'f1'],
    [10, "File WHERE content/name = 'memo.txt'", 'f1'],
    [10, "File WHERE file:content/name = 'memo.txt'", 'f1'],
    [11, 'File WHERE file:content/length > 0', 'f1'],
    [12, "Document WHERE uid = 'u-1'", 'f1'],
    [12, "Document WHERE uid:uid = 'u-1'", 'f1'],
    [45, `Document WHERE dc:title IS NULL AND ${live}`, 'beta gamma'],
    [46, "Document WHERE ecm:primaryType = 'nosuch'", ''],
    [47, "Folder WHERE ecm:primaryType = 'Note'", ''],
    [48, "Document WHERE ecm:mixinType = 'Folderish'", 'alpha beta gamma'],
    [49, `Document WHERE ecm:mixinType NOT IN ('Folderish','Downloadable') AND ${live}`, 'n3'],
    [50, `Document WHERE ecm:mixinType = 'Versionable' AND ecm:mixinType <> 'Downloadable' AND ${live}`, 'n3'],
    [66, 'Document WHERE 1 = 0', ''],
    [66, 'Document WHERE 0 = 0', 'alpha beta f1 f2 f4 gamma n3 n3v'],
  ])
})

describe('lists', () => {
  finds([
    [13, `Document WHERE dc:contributors = 'bob' AND ${live}`, 'f2 n3'],
    [14, `Document WHERE dc:contributors IN ('pete','zed') AND ${live}`, 'f2'],
    [15, `Document WHERE dc:contributors NOT IN ('bob','pete') AND ${live}`, 'alpha beta f1 f4 gamma'],
    [16, `Document WHERE dc:contributors/* NOT IN ('bob','pete') AND ${live}`, 'n3'],
    [17, `Document WHERE dc:contributors <> 'pete' AND ${live}`, 'alpha beta f1 f4 gamma n3'],
    [18, `Document WHERE dc:contributors <> 'nobody' AND ${live}`, everyLive],
    [19, `Document WHERE dc:contributors/* NOT LIKE '%o%' AND ${live}`, 'f2'],
    [20, "File WHERE dc:subjects NOT LIKE '%oo%'", 'f2 f4'],
    [21, "File WHERE dc:subjects/* NOT LIKE '%oo%'", ''],
    [22, `Document WHERE dc:subjects/* IS NULL AND ${live}`, 'alpha beta f2 f4 gamma n3'],
    [22, `Document WHERE dc:subjects IS NULL AND ${live}`, 'alpha beta f2 f4 gamma n3'],
    [22, 'Document WHERE dc:subjects IS NOT NULL', 'f1'],
  ])
})

describe('places', () => {
  finds([
    [23, "Document WHERE dc:coverage STARTSWITH 'foo'", 'f2'],
    [24, "Document WHERE dc:coverage STARTSWITH 'foo/bar/baz'", ''],
    [25, "Document WHERE dc:subjects STARTSWITH 'gee'", 'f1'],
    [26, "Document WHERE ecm:path STARTSWITH '/'", everyLive],
    [27, "Document WHERE ecm:path STARTSWITH '/alpha/'", 'f1 f2 n3'],
    [28, "Document WHERE ecm:path STARTSWITH '/nothere'", ''],
    [29, "Document WHERE ecm:path = '/alpha/'", 'alpha'],
    [30, `Document WHERE ecm:path <> '/alpha' AND ${live}`, 'beta f1 f2 f4 gamma n3'],
    [31, "Document WHERE ecm:ancestorId = 'root'", everyLive],
    [32, `Document WHERE ecm:ancestorId <> 'alpha' AND ${live}`, 'alpha beta f4 gamma'],
  ])
  refuses([[33, "SELECT * FROM Document WHERE ecm:ancestorId IN ('x')", 'ecm:ancestorId requires = or <> operator']])
  finds(
    [[34, "Document WHERE ecm:path STARTSWITH '/alpha'", 'beta f1 f2 f4 gamma n3']],
    aWorld({
      beta: { path: '/alpha/beta', parentId: 'alpha' },
      gamma: { path: '/alpha/beta/gamma' },
      f4: { path: '/alpha/beta/gamma/f4' },
    }),
  )
})

describe('dates', () => {
  finds([
    [35, "File WHERE dc:created >= DATE '2007-03-15'", 'f2'],
    [36, "File WHERE dc:created BETWEEN DATE '2007-01-01' AND DATE '2008-01-01'", 'f1 f2'],
    [37, "File WHERE dc:created NOT BETWEEN DATE '2007-03-15' AND DATE '2008-01-01'", 'f1'],
    [38, "File WHERE DATE(dc:created) = DATE '2007-03-01'", 'f1'],
    [39, "File WHERE dc:created = DATE '2007-03-01'", ''],
    [42, "Folder WHERE dc:modified > NOW('-PT1H')", 'beta'],
    [43, "Folder WHERE dc:modified < NOW('P1D') AND dc:modified > NOW('-P1D')", 'beta'],
  ])
  refuses([
    [
      40,
      "SELECT * FROM File WHERE DATE(dc:created) = TIMESTAMP '2007-03-01 00:00:00'",
      "DATE() cast must be used with DATE literal, not TIMESTAMP: TIMESTAMP '2007-03-01 00:00:00'",
    ],
    [41, "SELECT * FROM File WHERE DATE(dc:title) = DATE '2007-03-01'", 'Cannot cast to DATE: dc:title'],
  ])
})

describe('an unset boolean', () => {
  finds(
    [
      [44, 'Document WHERE my:boolean = 1', ''],
      [44, 'Document WHERE my:boolean = 0', ''],
    ],
    worldWithSpecimen({}),
  )
})

describe('versions and proxies', () => {
  finds(
    [
      [51, "Document WHERE dc:title = 'Fourth'", 'f4 f4v p'],
      [52, 'Document WHERE ecm:isProxy = 1', 'p'],
      [52, 'Document WHERE ecm:isProxy <> 0', 'p'],
      [53, `Document WHERE ecm:isProxy = 0 AND ${live}`, everyLive],
      [54, `Document WHERE ${live}`, `${everyLive} p`],
      [55, 'Document WHERE ecm:isLatestVersion = 1', 'f4v n3v p'],
      [56, "Document WHERE ecm:versionLabel = '0.1'", 'f4v n3v p'],
      [57, 'Document WHERE ecm:isCheckedIn = 1', 'f4 n3'],
      [58, "Document WHERE ecm:versionVersionableId = 'f4'", 'f4v p'],
      [59, "Document WHERE ecm:proxyTargetId = 'f4v'", 'p'],
      [59, "Document WHERE ecm:proxyVersionableId = 'f4'", 'p'],
    ],
    publishedWorld(),
  )
})

describe('locks and trash', () => {
  const world = aWorld({ f1: { lock: { owner: 'bob', created: '2024-01-01T00:00:00.000Z' }, isTrashed: true } })
  finds(
    [
      [60, 'Document WHERE ecm:lockOwner IS NOT NULL', 'f1'],
      [60, "Document WHERE ecm:lock = 'bob'", 'f1'],
      [61, 'Document WHERE ecm:isTrashed = 1', 'f1'],
      [61, 'Document WHERE ecm:isTrashed = 0', 'alpha beta f2 f4 gamma n3 n3v'],
    ],
    world,
  )
})

describe('patterns', () => {
  finds([
    [62, "File WHERE dc:title LIKE 'First'", ''],
    [63, "File WHERE dc:title LIKE 'F%t'", 'f1'],
  ])
  const world = aWorld({ f1: { properties: { 'dc:title': 'fo%' } }, f2: { properties: { 'dc:title': 'foo' } } })
  finds([[64, String.raw`File WHERE dc:title LIKE 'fo\%'`, 'f1']], world)
  finds([[65, String.raw`File WHERE dc:title LIKE 'fo\\\\'`, 'f1']], aWorld({ f1: { properties: { 'dc:title': 'fo\\' } } }))
})

describe('full text', () => {
  finds([
    [70, "File WHERE ecm:fulltext = 'restaurant'", 'f1'],
    [71, "File WHERE ecm:fulltext = 'CAFE'", 'f1'],
    [72, "File WHERE ecm:fulltext = 'report'", 'f1 f2'],
    [73, "File WHERE ecm:fulltext = 'report -second'", 'f1'],
    [74, "File WHERE ecm:fulltext = 'pete OR restaurant zebra'", 'f2'],
    [75, "File WHERE ecm:fulltext = 'rest*'", 'f1'],
    [76, `File WHERE ecm:fulltext = '"first report"'`, 'f1'],
    [76, `File WHERE ecm:fulltext = '"report first"'`, ''],
    [77, "File WHERE ecm:fulltext = '-second'", ''],
    [79, "File WHERE ecm:fulltext.dc:title = 'FIRST report'", 'f1'],
    [79, "File WHERE ecm:fulltext.dc:title = 'FIRST rep*'", 'f1'],
  ])
  refuses([
    [78, "SELECT * FROM File WHERE ecm:fulltext = 'OR first'", 'Invalid fulltext query (standalone OR): OR first'],
    [80, 'SELECT ecm:fulltextScore FROM File', 'ecm:fulltextScore cannot be used without ecm:fulltext'],
  ])
})

describe('rights', () => {
  const aces = [grant('bob', 'Browse'), grant('steve', 'Read')]
  const world = aWorld({ alpha: { acls: [{ name: 'local', aces }] } })
  finds(
    [
      [81, "Document WHERE ecm:acl/*/principal = 'bob' AND ecm:acl/*/permission = 'Read'", 'alpha'],
      [82, "Document WHERE ecm:acl/*1/principal = 'bob' AND ecm:acl/*1/permission = 'Read'", ''],
      [83, "Document WHERE ecm:acl/*1/name = 'local' AND ecm:acl/*1/principal = 'bob' AND ecm:acl/*1/grant = 1", 'alpha'],
    ],
    world,
  )
  finds(
    [
      [83, "Document WHERE ecm:acl/*1/principal = 'Everyone' AND ecm:acl/*1/grant = 0", 'alpha'],
      [83, 'Document WHERE ecm:acl/*1/status = 2', 'alpha'],
    ],
    aWorld({
      alpha: {
        acls: [
          { name: 'local', aces: [deny('Everyone', 'Everything'), grant('bob', 'Read', { end: '2020-01-01T00:00:00.000Z' })] },
        ],
      },
    }),
  )
})

describe('tags', () => {
  const tagged = (...labels: string[]) => ({ properties: { 'nxtag:tags': labels.map((label) => ({ label, username: 'bob' })) } })
  finds(
    [
      [84, "Document WHERE ecm:tag = 'red'", 'f1 f2'],
      [85, "Document WHERE ecm:tag = 'red' AND ecm:tag = 'big'", ''],
      [86, "Document WHERE ecm:tag/* = 'red' AND ecm:tag/* = 'big'", 'f1'],
      [87, "Document WHERE ecm:tag/*1 = 'red' AND ecm:tag/*2 = 'big'", 'f1'],
      [88, "Document WHERE ecm:tag IN ('red','big')", 'f1 f2'],
      [89, 'File WHERE ecm:tag IS NULL', 'f4'],
    ],
    aWorld({ f1: tagged('red', 'big'), f2: tagged('red') }),
  )
})

describe('lists of complex items', () => {
  const world = worldWithSpecimen({
    'dc:title': 'T',
    'p:people': [
      { first: 'John', last: 'Doe' },
      { first: 'Ann', last: 'Ray' },
    ],
  })
  finds(
    [
      [90, "Document WHERE p:people/*1/first = 'John' AND p:people/*1/last = 'Ray'", ''],
      [91, "Document WHERE p:people/*/first = 'John' AND p:people/*/last = 'Ray'", 's'],
      [92, "Document WHERE p:people/0/last = 'Doe'", 's'],
      [92, "Document WHERE p:people/item[0]/last = 'Doe'", 's'],
      [
        93,
        "Document WHERE (p:people/*1/first = 'John' OR p:people/*1/first = 'X') AND dc:title = 'T' AND (p:people/*1/last = 'Doe' OR p:people/*1/last = 'X')",
        's',
      ],
    ],
    world,
  )
  test('94 a correlated wildcard selects the members of the same item', () =>
    assert.deepEqual(rowsOf('SELECT p:people/*1/first, p:people/*1/last FROM Specimen', world), [
      ['John', 'Doe'],
      ['Ann', 'Ray'],
    ]))
})

describe('record sets', () => {
  test('95 a wildcard at the end makes a row of each item', () =>
    assert.deepEqual(rowsOf("SELECT dc:subjects/* FROM File WHERE ecm:name = 'f1'"), [['foo'], ['gee/moo']]))

  test('a wildcard at the end makes no row of an empty list', () =>
    assert.deepEqual(rowsOf("SELECT dc:subjects/* FROM File WHERE ecm:name = 'f2'"), []))

  test('wildcards that are not correlated multiply rows', () => {
    const world = worldWithSpecimen({ 'dc:subjects': ['foo', 'zoo', 'bar'] })
    assert.equal(rowsOf("SELECT dc:subjects/* FROM Specimen WHERE dc:subjects/* LIKE '%oo'", world).length, 6)
    assert.deepEqual(rowsOf("SELECT dc:subjects/*1 FROM Specimen WHERE dc:subjects/*1 LIKE '%oo'", world), [['foo'], ['zoo']])
  })

  test('96 the first column can be any property', () =>
    assert.deepEqual(rowsOf("SELECT dc:source FROM File WHERE ecm:name = 'f1'"), [[null]]))

  test('98 a total has the key of its function', () => {
    const { selection } = compileQuery(queryModel, 'SELECT COUNT(dc:title) FROM File')
    assert.equal(selection.kind === 'totals' && selection.totals[0]?.key, 'COUNT(dc:title)')
  })
})

describe('mistakes', () => {
  refuses([
    [99, 'SELECT COUNT(*) FROM File', 'Syntax error: Invalid token <*> at offset 13'],
    [100, 'SELECT * FROM Document WHERE owner = 1', 'No such property: owner'],
    [101, 'SELECT * FROM NoSuchType', 'Unknown type: NoSuchType'],
    [102, 'SELECT * FROM Document WHERE dc:title = :x', 'Lexical Error: Illegal character <:> at offset 40'],
  ])
})

describe('retention', () => {
  finds(
    [
      [103, 'Document WHERE ecm:isRecord = 1', 'f1'],
      [103, 'File WHERE ecm:hasLegalHold = 0', 'f1 f2 f4'],
      [103, "Document WHERE ecm:retainUntil > TIMESTAMP '2025-01-01 00:00:00'", 'f1'],
    ],
    aWorld({ f1: { isRecord: true, retainUntil: '2030-01-01T00:00:00.000Z' } }),
  )
})
