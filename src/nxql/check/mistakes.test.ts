import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { queryModel } from '../../../test/support/nxql/query-model.ts'
import { compileQuery } from '../compile-query.ts'
import { failedQuery } from '../failed-query.ts'
import { defaultQueryLimits } from '../query-limits.ts'
import { defaultQuerySettings } from '../query-settings.ts'
import { utc } from '../time-zone.ts'

/** Each row: a query, the reason it is refused for, and the place where the reason stands. */
type Row = readonly [query: string, reason: string, at: string]

function refuses(rows: readonly Row[], settings = defaultQuerySettings) {
  for (const [query, reason, at] of rows) {
    test(`${query}: ${reason}`, () => {
      assert.throws(
        () => compileQuery(queryModel, query, { settings }),
        (error) => {
          assert.ok(failedQuery.is(error))
          assert.equal(error.message, `Failed to execute query: ${query}, ${reason}`)
          assert.equal(query.slice(error.details.offset, error.details.offset + at.length), at)
          assert.equal(error.kind, 'invalid')
          return true
        },
      )
    })
  }
}

const where = (rows: readonly Row[], settings = defaultQuerySettings) =>
  refuses(
    rows.map(([condition, reason, at]) => [`SELECT * FROM Document WHERE ${condition}`, reason, at]),
    settings,
  )

describe('names that are none', () => {
  where([
    ['owner = 1', 'No such property: owner', 'owner'],
    ["owner/firstname = 'x'", 'No such property: owner/firstname', 'owner/firstname'],
    ["title = 'x'", 'No such property: title', 'title'],
    ["dublincore:title = 'x'", 'No such property: dublincore:title', 'dublincore:title'],
    ['uid/* = 1', 'No such property: uid/*', 'uid/*'],
    ['uid/name = 1', 'No such property: uid/name', 'uid/name'],
    ['dc:subjects/name = 1', 'No such property: dc:subjects/name', 'dc:subjects'],
    ['p:owner/0 = 1', 'No such property: p:owner/0', 'p:owner'],
    ['p:owner/nobody = 1', 'No such property: p:owner/nobody', 'p:owner'],
    ['p:owner IS NULL', 'No such property: p:owner', 'p:owner'],
    ['p:people IS NULL', 'No such property: p:people', 'p:people'],
    ['p:people/* IS NULL', 'No such property: p:people/*', 'p:people/*'],
    ['p:people/first IS NULL', 'No such property: p:people/first', 'p:people'],
    ['file:content IS NULL', 'No such property: file:content', 'file:content'],
    ['file:content/size = 1', 'No such property: file:content/size', 'file:content'],
    ['common:size = 1', 'No such property: common:size', 'common:size'],
    ['ecm:xyz = 1', 'No such property: ecm:xyz', 'ecm:xyz'],
    ["ecm:changeToken = 'x'", 'No such property: ecm:changeToken', 'ecm:changeToken'],
    ['ecm:tag/*/x = 1', 'No such property: ecm:tag/*/x', 'ecm:tag'],
    ['ecm:tag/x = 1', 'No such property: ecm:tag/x', 'ecm:tag'],
    ['ecm:name/0 = 1', 'No such property: ecm:name/0', 'ecm:name/0'],
    ['ecm:acl = 1', 'No such property: ecm:acl', 'ecm:acl'],
    ['ecm:acl/* = 1', 'No such property: ecm:acl/*', 'ecm:acl/*'],
    ['ecm:acl/principal = 1', 'No such property: ecm:acl/principal', 'ecm:acl'],
    ['ecm:acl/*/owner = 1', 'No such property: ecm:acl/*/owner', 'ecm:acl'],
    ['ecm:acl/0/owner = 1', 'No such property: ecm:acl/0/owner', 'ecm:acl'],
    ["ecm:acl/0/principal = 'x'", 'Cannot use explicit index in ACLs: ecm:acl/0/principal', 'ecm:acl'],
    ["ecm:acl/item[2]/principal = 'x'", 'Cannot use explicit index in ACLs: ecm:acl/item[2]/principal', 'ecm:acl'],
    ['TRUTH = 1', 'No such property: TRUTH', 'TRUTH'],
  ])
  where([["ecm:blobKeys = 'x'", 'No such property: ecm:blobKeys', 'ecm:blobKeys']], {
    ...defaultQuerySettings,
    hasBlobKeys: false,
  })
  refuses([
    ['SELECT * FROM NoSuchType', 'Unknown type: NoSuchType', 'NoSuchType'],
    ['SELECT * FROM File, note', 'Unknown type: note', 'note'],
    ['SELECT * FROM Versionable', 'Unknown type: Versionable', 'Versionable'],
  ])
})

describe('system properties asked in ways they are not', () => {
  where([
    ["ecm:path LIKE '/x'", 'ecm:path requires = or <> operator', 'ecm:path'],
    ["ecm:path > '/x'", 'ecm:path requires = or <> operator', 'ecm:path'],
    ["ecm:path IN ('/x')", 'ecm:path requires = or <> operator', 'ecm:path'],
    ['ecm:path IS NULL', 'ecm:path requires = or <> operator', 'ecm:path'],
    ['ecm:path = 1', 'ecm:path requires literal path as right argument', '1'],
    ['ecm:path <> dc:title', 'ecm:path requires literal path as right argument', 'dc:title'],
    ["ecm:ancestorId STARTSWITH 'x'", 'ecm:ancestorId requires = or <> operator', 'ecm:ancestorId'],
    ['ecm:ancestorId = ecm:uuid', 'ecm:ancestorId requires literal id as right argument', 'ecm:uuid'],
    ["ecm:mixinType LIKE 'x'", 'ecm:mixinType unknown operator: LIKE', 'ecm:mixinType'],
    ["ecm:mixinType NOT ILIKE 'x'", 'ecm:mixinType unknown operator: NOT ILIKE', 'ecm:mixinType'],
    ["ecm:mixinType > 'x'", 'ecm:mixinType unknown operator: >', 'ecm:mixinType'],
    ['ecm:mixinType IS NOT NULL', 'ecm:mixinType unknown operator: IS NOT NULL', 'ecm:mixinType'],
    ["ecm:mixinType BETWEEN 'a' AND 'b'", 'ecm:mixinType unknown operator: BETWEEN', 'ecm:mixinType'],
    ["ecm:mixinType STARTSWITH 'a'", 'ecm:mixinType unknown operator: STARTSWITH', 'ecm:mixinType'],
    ['ecm:mixinType = 1', 'ecm:mixinType requires literal string as right argument', '1'],
    ['ecm:isTrashed > 0', 'ecm:isTrashed requires = or <> operator', 'ecm:isTrashed'],
    ['ecm:isTrashed IS NULL', 'ecm:isTrashed requires = or <> operator', 'ecm:isTrashed'],
    ['ecm:isTrashed = 2', 'ecm:isTrashed requires literal 0 or 1 as right argument', '2'],
    ["ecm:isTrashed = '0'", 'ecm:isTrashed requires literal 0 or 1 as right argument', "'0'"],
    ['ecm:isProxy = 2', 'ecm:isProxy requires literal 0 or 1 as right argument', '2'],
    ['ecm:isProxy = ecm:isVersion', 'ecm:isProxy requires literal 0 or 1 as right argument', 'ecm:isVersion'],
    ['ecm:isVersion IN (0, 1)', 'ecm:isVersion requires = or <> operator', 'ecm:isVersion'],
    ['ecm:fulltextScore > 0', 'ecm:fulltextScore cannot be used in WHERE clause', 'ecm:fulltextScore'],
  ])
})

describe('full text', () => {
  where([
    ["ecm:fulltext > 'x'", 'ecm:fulltext requires = or LIKE operator', 'ecm:fulltext'],
    ["ecm:fulltext <> 'x'", 'ecm:fulltext requires = or LIKE operator', 'ecm:fulltext'],
    ["ecm:fulltext NOT LIKE 'x'", 'ecm:fulltext requires = or LIKE operator', 'ecm:fulltext'],
    ["ecm:fulltext_title IN ('x')", 'ecm:fulltext requires = or LIKE operator', 'ecm:fulltext_title'],
    ['ecm:fulltext = 1', 'ecm:fulltext requires literal string as right argument', '1'],
    ['ecm:fulltext = dc:title', 'ecm:fulltext requires literal string as right argument', 'dc:title'],
    ["ecm:fulltext_x = 'a'", 'No such fulltext index: x', 'ecm:fulltext_x'],
    ["ecm:fulltext-x = 'a'", 'No such property: ecm:fulltext-x', 'ecm:fulltext-x'],
    ["ecm:fulltext.xyz = 'a'", 'No such property: ecm:fulltext.xyz', 'ecm:fulltext.xyz'],
    ["ecm:fulltext.dc:created = 'a'", 'ecm:fulltext requires a string property: dc:created', 'ecm:fulltext.dc:created'],
    ["ecm:fulltext = 'a OR'", 'Invalid fulltext query (final OR): a OR', 'ecm:fulltext'],
  ])
  where([["ecm:fulltext = 'a'", 'Fulltext search disabled by configuration', 'ecm:fulltext']], {
    timeZone: utc,
    hasBlobKeys: true,
    limits: defaultQueryLimits,
  })
  refuses([
    ['SELECT ecm:fulltextScore FROM File', 'ecm:fulltextScore cannot be used without ecm:fulltext', 'ecm:fulltextScore'],
    [
      'SELECT * FROM File ORDER BY ecm:fulltextScore',
      'ecm:fulltextScore cannot be used without ecm:fulltext',
      'ecm:fulltextScore',
    ],
    [
      "SELECT * FROM File WHERE ecm:fulltext = 'a' OR ecm:fulltext_title = 'b' ORDER BY ecm:fulltextScore",
      'ecm:fulltextScore cannot be used with several ecm:fulltext predicates',
      'ecm:fulltextScore',
    ],
  ])
})

describe('literals that do not fit', () => {
  where([
    ['dc:created = 5', 'dc:created is a date and cannot be compared with 5', '5'],
    ["dc:created > 'soon'", "dc:created is a date and cannot be compared with 'soon'", "'soon'"],
    ["dc:title = DATE '2007-01-01'", "dc:title is a string and cannot be compared with DATE '2007-01-01'", 'DATE'],
    ['dc:title = NOW()', 'dc:title is a string and cannot be compared with NOW()', 'NOW()'],
    ["my:long = 'many'", "my:long is a long and cannot be compared with 'many'", "'many'"],
    ["my:double IN (1, 'x')", "my:double is a double and cannot be compared with 'x'", "'x'"],
    ['my:boolean = 2', 'my:boolean is a boolean and cannot be compared with 2', '2'],
    ['my:boolean > 0', 'my:boolean requires = or <> operator', 'my:boolean'],
    ['my:boolean BETWEEN 0 AND 1', 'my:boolean requires = or <> operator', 'my:boolean'],
    ["dc:created = DATE '2007-13-01'", 'Invalid date: 2007-13-01', 'DATE'],
    ["dc:created = DATE '2007-01-01 10:00'", 'Invalid date: 2007-01-01 10:00', 'DATE'],
    ["dc:created = TIMESTAMP '2007-01-01 99'", 'Invalid date: 2007-01-01 99', 'TIMESTAMP'],
    ["dc:created < NOW('P1W')", 'Invalid period: P1W', "'P1W'"],
    ["dc:created < NOW('')", 'Invalid period: ', "''"],
    ['dc:created < NOW(1)', 'Function not supported in WHERE clause: NOW(1)', 'NOW(1)'],
    ["dc:created < NOW('P1D', 2)", "Function not supported in WHERE clause: NOW('P1D', 2)", 'NOW'],
    ['NOW() > dc:created', 'Function not supported in WHERE clause: NOW()', 'NOW()'],
    ['COUNT(dc:title) > 1', 'Function not supported in WHERE clause: COUNT(dc:title)', 'COUNT'],
    ['dc:created = f( a )', 'Function not supported in WHERE clause: f( a )', 'f( a )'],
    ['my:long + 1 = 2', 'Unsupported operator', 'my:long'],
    ['my:long = 1 - 2', 'Unsupported operator', '1 - 2'],
    ["1 = 'a'", "Cannot compare 1 with 'a'", '1'],
    ["DATE '2007' = 1", "Cannot compare DATE '2007' with 1", 'DATE'],
    ["dc:created LIKE '2007%'", 'LIKE requires a string property: dc:created', 'dc:created'],
    ["my:long NOT ILIKE '2%'", 'ILIKE requires a string property: my:long', 'my:long'],
    ["my:long STARTSWITH '2'", 'STARTSWITH requires a string property: my:long', 'my:long'],
    ['dc:title = dc:created', 'dc:title is a string and cannot be compared with dc:created', 'dc:created'],
    [
      'dc:title = dc:subjects',
      'Cannot compare the list dc:subjects with a property: write dc:subjects/* for one of its items',
      'dc:subjects',
    ],
    ['my:boolean < my:boolean', 'my:boolean requires = or <> operator', 'my:boolean'],
  ])
})

describe('days', () => {
  const day = 'DATE() cast must be used with DATE literal, not'
  where([
    ["DATE(dc:title) = DATE '2007-03-01'", 'Cannot cast to DATE: dc:title', 'DATE(dc:title)'],
    ["DATE(dc:created) = TIMESTAMP '2007-03-01'", `${day} TIMESTAMP: TIMESTAMP '2007-03-01'`, 'TIMESTAMP'],
    ["DATE(dc:created) BETWEEN DATE '2007' AND TIMESTAMP '2008'", `${day} TIMESTAMP: TIMESTAMP '2008'`, 'TIMESTAMP'],
    ["DATE(dc:created) IN (TIMESTAMP '2008')", `${day} TIMESTAMP: TIMESTAMP '2008'`, 'TIMESTAMP'],
    ["DATE(dc:created) = '2007-03-01'", `${day} STRING: '2007-03-01'`, "'2007-03-01'"],
    ['DATE(dc:created) = NOW()', `${day} FUNCTION: NOW()`, 'NOW()'],
    ["DATE(dc:created) LIKE '2'", `${day} LIKE: DATE(dc:created)`, 'DATE(dc:created)'],
    ["DATE(dc:created) = DATE '2007-02-30'", 'Invalid date: 2007-02-30', 'DATE'],
    ['dc:modified = DATE(dc:created)', 'dc:modified is a date and cannot be compared with DATE(dc:created)', 'DATE(dc:created)'],
  ])
})

describe('columns and orders', () => {
  refuses([
    ['SELECT ecm:isTrashed FROM File', 'Cannot select on column: ecm:isTrashed', 'ecm:isTrashed'],
    ['SELECT ecm:mixinType FROM File', 'Cannot select on column: ecm:mixinType', 'ecm:mixinType'],
    ['SELECT ecm:fulltext FROM File', 'Cannot select on column: ecm:fulltext', 'ecm:fulltext'],
    ['SELECT dc:subjects FROM File', 'Cannot select on column: dc:subjects', 'dc:subjects'],
    ["SELECT 'x' FROM File", "Cannot select on column: 'x'", "'x'"],
    ['SELECT dc:titel FROM File', 'No such property: dc:titel', 'dc:titel'],
    ['SELECT NOW() FROM File', 'Function not supported in SELECT clause: NOW()', 'NOW()'],
    ['SELECT DATE(dc:created) FROM File', 'Function not supported in SELECT clause: DATE(dc:created)', 'DATE'],
    ['SELECT COUNT() FROM File', 'Function not supported in SELECT clause: COUNT()', 'COUNT()'],
    ['SELECT COUNT(dc:title, 1) FROM File', 'Function not supported in SELECT clause: COUNT(dc:title, 1)', 'COUNT'],
    ['SELECT COUNT(1) FROM File', 'Function not supported in SELECT clause: COUNT(1)', 'COUNT'],
    ['SELECT SUM(dc:title) FROM File', 'Cannot compute SUM(dc:title): it is a string', 'SUM'],
    ['SELECT MAX(my:boolean) FROM File', 'Cannot compute MAX(my:boolean): it is a boolean', 'MAX'],
    [
      'SELECT COUNT(dc:title), dc:title FROM File',
      'Cannot select on column: dc:title, beside functions of all rows',
      'dc:title FROM',
    ],
    ['SELECT * FROM File ORDER BY ecm:isTrashed', 'Cannot order by column: ecm:isTrashed', 'ecm:isTrashed'],
    ['SELECT * FROM File ORDER BY ecm:tag', 'Cannot order by column: ecm:tag', 'ecm:tag'],
    ['SELECT * FROM File ORDER BY ecm:acl/*1/pos', 'Cannot order by column: ecm:acl/*1/pos', 'ecm:acl'],
    ['SELECT * FROM File ORDER BY dc:subjects', 'Cannot order by column: dc:subjects', 'dc:subjects'],
    ['SELECT * FROM File ORDER BY ecm:fulltext', 'Cannot order by column: ecm:fulltext', 'ecm:fulltext'],
    [
      'SELECT * FROM File ORDER BY dc:title, dc:subjects/*',
      'For SELECT * the ORDER BY columns cannot use wildcard indexes',
      'dc:subjects/*',
    ],
    [
      'SELECT DISTINCT dc:title FROM File ORDER BY dc:title, dc:source, ecm:name',
      'For SELECT DISTINCT the ORDER BY columns must be in the SELECT list, missing: [dc:source, ecm:name]',
      'dc:source',
    ],
    ['SELECT * FROM File ORDER BY COUNT(dc:title)', 'Function not supported in ORDER BY clause: COUNT(dc:title)', 'COUNT'],
    ['SELECT * FROM File ORDER BY DATE(dc:created)', 'Function not supported in ORDER BY clause: DATE(dc:created)', 'DATE'],
  ])
})

describe('hints', () => {
  where([
    ["/*+ES: OPERATOR(guess) */ dc:title = 'x'", 'Operator: guess is unknown', 'dc:title'],
    ["/*+ES: INDEX(dc:titel) OPERATOR(match) */ dc:title = 'x'", 'No such property: dc:titel', 'dc:title'],
  ])
})

test('a record set names the language before the query', () => {
  assert.throws(() => compileQuery(queryModel, 'SELECT', { form: 'records' }), {
    message: 'Failed to execute query: NXQL: SELECT, Syntax error: Invalid token <EOF> at offset 6',
  })
})
