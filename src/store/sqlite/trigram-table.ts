import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Log } from '../../base/log.ts'
import { lowerCase } from '../../nxql/letter-case.ts'
import type { SqlConnection, SqlStatement } from '../sql/connection.ts'
import type { Dialect } from '../sql/dialect.ts'
import { addFilledIndex, removeFilledIndex, trigramsPrefix } from '../sql/documents/document-index-statements.ts'
import type { IndexedProperty } from '../sql/documents/property-indexes.ts'
import type { TrigramRow } from '../sql/documents/trigram-rows.ts'
import { fixed } from '../sql/fixed-statement.ts'
import { quoted } from '../sql/quoted.ts'
import type { TrigramIndex } from '../sql/search/search-dialect.ts'

/**
 * The table `trigrams` has, in lower case, the texts that schemas declare `indexed`, by every three letters in a row, so that a text is
 * found by any part of it. With the places of the letters FTS5 decides by itself whether a text holds a part; without them each
 * document would have to be read to make sure, and writing one would cost as much. Triggers of `documents` could keep the table, but
 * each would have FTS5 write out what the transaction has added so far: 150 µs a document instead of 20 in shared commits.
 */
export async function syncTrigrams(connection: SqlConnection, properties: readonly IndexedProperty[], log: Log): Promise<void> {
  const names = properties.flatMap(({ name, kind }) => (kind === 'string' ? name : [])).sort()
  const wanted = nameOfContent(names)
  const present = (await connection.all(listTrigrams)).map(([name]) => name as string)
  if (present.length === 1 && present[0] === wanted) return
  await connection.run(raw('DROP TABLE IF EXISTS trigrams'))
  for (const name of present) await connection.run(removeFilledIndex(name))
  if (names.length > 0) await create(connection, names, log)
  await connection.run(addFilledIndex(wanted))
}

/** Letters that Unicode adds have a lower case only from then on, so that all is written anew with a newer one. */
function nameOfContent(properties: readonly string[]): string {
  return trigramsPrefix + JSON.stringify([process.versions['unicode'], ...properties])
}

const listTrigrams = raw(`SELECT name FROM kept_indexes WHERE name LIKE '${trigramsPrefix}%'`)

async function create(connection: SqlConnection, properties: readonly string[], log: Log): Promise<void> {
  await connection.run(
    raw(`CREATE VIRTUAL TABLE trigrams USING fts5(
      ${columnsOf(properties)}, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')`),
  )
  await fill(connection, properties, log)
}

const documentsAtOnce = 10_000
const documentsBetweenNotes = 100_000

/** Some 50,000 documents a second. */
async function fill(connection: SqlConnection, properties: readonly string[], log: Log): Promise<void> {
  let done = 0
  for (let after = 0; ; ) {
    const [last, count] = (await connection.get(pageAfter(after))) as [last: number | null, count: number]
    if (last === null) break
    await connection.run(insertBetween(properties, after, last))
    done += count
    after = last
    if (done % documentsBetweenNotes === 0) log.info({ event: 'store.indexing', documents: done }, 'texts of documents indexed')
  }
  if (done > 0) log.info({ event: 'store.indexed', documents: done, indexes: properties }, 'texts of all documents indexed')
}

/** Served by the primary key. */
function pageAfter(after: number): Sql {
  return sql`SELECT max(seq), count(*) FROM (SELECT seq FROM documents WHERE seq > ${after} ORDER BY seq LIMIT ${documentsAtOnce})`
}

/** Served by the primary key. */
function insertBetween(properties: readonly string[], after: number, last: number): Sql {
  const texts = properties.map((name) => raw(`lower_case(CAST(properties ->> ${quoted(name)} AS TEXT))`))
  return sql`INSERT INTO trigrams (rowid, ${raw(columnsOf(properties))})
    SELECT seq, ${join(texts)} FROM documents WHERE seq > ${after} AND seq <= ${last}`
}

const presentColumns = raw(`SELECT name FROM pragma_table_info('trigrams')`)

/** The dialect for a database as it is: with what its table has. */
export async function withTrigrams(dialect: Dialect, connection: Pick<SqlConnection, 'all'>): Promise<Dialect> {
  const properties = (await connection.all(presentColumns)).map(([name]) => propertyOf(name as string))
  if (properties.length === 0) return dialect
  const rows = (property: string, _text: Sql, part: string) =>
    sql`SELECT rowid AS seq FROM trigrams WHERE trigrams MATCH ${`${columnsOf([property])} : ${inQuotes(part)}`}`
  const trigrams: TrigramIndex = {
    has: (property) => properties.includes(property),
    rows,
    holds: (property, text, part) => sql`documents.seq IN (${rows(property, text, part)})`,
  }
  return {
    ...dialect,
    search: { ...dialect.search, trigrams },
    trigrams: {
      properties,
      insert: inserting(properties),
      remove: (seqs) => sql`DELETE FROM trigrams WHERE rowid ${dialect.oneOfNumbers(seqs)}`,
    },
  }
}

function inserting(properties: readonly string[]): (row: TrigramRow) => SqlStatement {
  const insert = fixed<[seq: number, ...texts: (string | null)[]]>(
    sql`INSERT INTO trigrams (rowid, ${raw(columnsOf(properties))}) VALUES (${0}, ${join(properties.map(() => sql`${null}`))})`,
  )
  return ({ seq, texts }) => insert(seq, ...texts.map((text) => (text === undefined ? null : lowerCase(text))))
}

/** Names that mean nothing to FTS5, as `rank` would. */
function columnsOf(properties: readonly string[]): string {
  return properties.map((property) => inQuotes(`_${property}`)).join(', ')
}

function propertyOf(column: string): string {
  return column.slice(1)
}

function inQuotes(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
