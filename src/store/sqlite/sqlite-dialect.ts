import sql, { empty, raw } from 'sql-template-tag'
import type { Dialect } from '../sql/dialect.ts'
import { quoted } from '../sql/quoted.ts'

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
  nullsFirstInIndex: '',
  byCodePoint: (expression) => expression,
  oneOfTexts: (values) => sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  oneOfNumbers: (values) => sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`,
  numberPairs: (pairs) =>
    sql`(SELECT value ->> 0 AS source, value ->> 1 AS target FROM json_each(${JSON.stringify(pairs)})) AS pairs`,
  numberedTexts: (texts) => sql`(SELECT value AS text, key AS pos FROM json_each(${JSON.stringify(texts)})) AS texts`,
  textPairs: (pairs) =>
    sql`(SELECT value ->> 0 AS first, value ->> 1 AS second FROM json_each(${JSON.stringify(pairs)})) AS texts`,
  hasItem: (column, value) =>
    sql`CASE WHEN ${column} IS NOT NULL THEN EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${value}) END`,
  jsonNumber: (column, key) =>
    raw(`CASE WHEN json_type(${column} -> ${quoted(key)}) IN ('integer', 'real') THEN ${column} ->> ${quoted(key)} END`),
  jsonBoolean: (column, key) =>
    raw(`CASE WHEN json_type(${column} -> ${quoted(key)}) IN ('true', 'false') THEN ${column} ->> ${quoted(key)} END`),
  writesOneAtATime: true,
  forUpdate: empty,
  forShare: empty,
  skipLocked: empty,
  indexNames: sql`SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'documents'`,
  awaitOtherInterning: undefined,
}
