import { randomInt } from 'node:crypto'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { SqlStatement } from '../sql/connection.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { FulltextRow, FulltextTable } from '../sql/documents/fulltext-table.ts'
import { fixed } from '../sql/fixed-statement.ts'
import { quoted } from '../sql/quoted.ts'
import { isInList, listOf } from './number-list.ts'
import { sqliteSearchDialect } from './search/sqlite-search-dialect.ts'

/**
 * FTS5. Its ASCII tokenizer takes apart at blanks what our words are made of, and nothing else: they know no other ASCII. Looking
 * for a row to replace costs half as much as writing one, so new ones are only inserted.
 */
const sqliteFulltext: FulltextTable = {
  key: raw('rowid'),
  tables: [
    `CREATE VIRTUAL TABLE fulltext USING fts5(
       everything, title, description, content = '', contentless_delete = 1, tokenize = 'ascii')`,
  ],
  indexes: [],
  clear: [`INSERT INTO fulltext (fulltext) VALUES ('delete-all')`],
  insert: writing(raw('INSERT'), empty),
  // REPLACE would make a row of counts anew.
  replace: writing(raw('INSERT OR REPLACE'), raw(' ON CONFLICT (seq) DO UPDATE SET counts = excluded.counts')),
}

function writing(insert: Sql, onConflict: Sql): (rows: readonly FulltextRow[]) => readonly SqlStatement[] {
  const columns = raw('rowid, everything, title, description')
  const writeOne = fixed<[seq: number, everything: string, title: string, description: string]>(
    sql`${insert} INTO fulltext (${columns}) VALUES (${0}, ${''}, ${''}, ${''})`,
  )
  const writeOneCount = fixed<[seq: number, counts: string]>(
    sql`INSERT INTO word_counts (seq, counts) VALUES (${0}, ${''})${onConflict}`,
  )
  return (rows) => {
    const [only] = rows
    if (only !== undefined && rows.length === 1) {
      return [writeOne(only.seq, only.everything, only.title, only.description), writeOneCount(only.seq, only.counts)]
    }
    const listed = JSON.stringify(rows)
    return [
      sql`
        ${insert} INTO fulltext (${columns})
        SELECT value ->> 'seq', value ->> 'everything', value ->> 'title', value ->> 'description' FROM json_each(${listed})`,
      // WHERE, or SQLite takes ON for the condition of a join.
      sql`
        INSERT INTO word_counts (seq, counts)
        SELECT value ->> 'seq', value ->> 'counts' FROM json_each(${listed}) WHERE 1 = 1${onConflict}`,
    ]
  }
}

/** One by itself is compared with at once, for which SQLite needs no table of what it is among. */
function oneOf(values: readonly (string | number)[]): Sql {
  return values.length === 1 ? sql`= ${values[0]}` : sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`
}

// One in sixteen numbers, at random, so that nobody can make documents that are never among them. Asking at each took a fifth of the time
// of a search (measured: 0.2 µs).
const scatter = raw(String(2 * randomInt(2 ** 28, 2 ** 30) + 1))

/** Text compares by bytes of UTF-8, which is code-point order, and nulls come first: SQLite's own habits are the common ones. */
export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  columns: {
    identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    rowNumber: 'INTEGER PRIMARY KEY',
    text: 'TEXT',
    integer: 'INTEGER',
    flag: 'INTEGER',
    json: 'TEXT',
  },
  tableOptions: ' STRICT',
  keyTableOptions: ' STRICT, WITHOUT ROWID',
  nullsFirstInIndex: '',
  byCodePoint: (expression) => expression,
  oneOfTexts: oneOf,
  oneOfNumbers: oneOf,
  isAmong: (column, values) => isInList(column, listOf(values)),
  // LIMIT has the pairs stored and the type has them indexed: 20,000 rows and 1,000 pairs in 90 ms instead of 13 s.
  numberPairs: (pairs) => sql`(
    SELECT CAST(value ->> 0 AS INTEGER) AS source, CAST(value ->> 1 AS INTEGER) AS target
      FROM json_each(${JSON.stringify(pairs)}) LIMIT -1) AS pairs`,
  numberMap: (pairs) => sql`${JSON.stringify(Object.fromEntries(pairs))}`,
  numberedTexts: (texts) => sql`(SELECT value AS text, key AS pos FROM json_each(${JSON.stringify(texts)})) AS texts`,
  textPairs: (pairs) =>
    sql`(SELECT value ->> 0 AS first, value ->> 1 AS second FROM json_each(${JSON.stringify(pairs)})) AS texts`,
  listedValues: (rows) => sql`(
    SELECT value ->> 0 AS seq, value ->> 1 AS name, value ->> 2 AS value FROM json_each(${JSON.stringify(rows)})) AS listed`,
  hasItem: (column, value) =>
    sql`CASE WHEN ${column} IS NOT NULL THEN EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${value}) END`,
  // Within a text of JSON a quotation mark has a backslash before it, so no name of a user looks like this.
  hasDates: `CASE WHEN instr(acls, '"begin":"') > 0 OR instr(acls, '"end":"') > 0 THEN 1 ELSE 0 END`,
  // The length stands at the head of the row, the text itself on pages that are not looked at for it.
  lightJson: (column, maxBytes) =>
    `CASE WHEN octet_length(${column}) <= ${maxBytes} THEN ${column} ELSE octet_length(${column}) END`,
  acesOfAcls: raw("(SELECT ace.value AS ace FROM json_each(acls) AS acl, json_each(acl.value, '$.aces') AS ace) AS aces"),
  jsonNumber: (column, key) =>
    raw(`CASE WHEN json_type(${column} -> ${quoted(key)}) IN ('integer', 'real') THEN ${column} ->> ${quoted(key)} END`),
  jsonBoolean: (column, key) =>
    raw(`CASE WHEN json_type(${column} -> ${quoted(key)}) IN ('true', 'false') THEN ${column} ->> ${quoted(key)} END`),
  writesOneAtATime: true,
  forUpdate: empty,
  forShare: empty,
  now: raw("strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"),
  skipLocked: empty,
  inTime: (column) => sql`in_time(${column})`,
  inTimeAtDocument: (seq) => sql`(${seq} * ${scatter} >> 8 & 15 OR in_time(${seq}))`,
  search: sqliteSearchDialect,
  fulltext: sqliteFulltext,
  tableNames: sql`SELECT name FROM sqlite_schema WHERE type = 'table'`,
  indexNames: sql`SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'documents'`,
  awaitOtherInterning: undefined,
  awaitOtherClaims: undefined,
}
