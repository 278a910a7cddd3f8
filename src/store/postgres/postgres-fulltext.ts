import sql, { raw, type Sql } from 'sql-template-tag'
import type { FulltextRow, FulltextTable } from '../sql/documents/fulltext-table.ts'
import { wordVector } from './word-vector.ts'

const indexes = ['everything', 'title', 'description'] as const

/**
 * Vectors of words for the index, and the words themselves for phrases: the places that a vector keeps end early, and
 * `LIKE '% one after another %'` is exact wherever the words are.
 */
export const postgresFulltext: FulltextTable = {
  key: raw('seq'),
  tables: [
    `CREATE TABLE fulltext (
       seq bigint PRIMARY KEY,
       ${indexes.map((name) => `${name} tsvector NOT NULL`).join(', ')},
       ${indexes.map((name) => `${name}_text text COLLATE "C" NOT NULL`).join(', ')})`,
  ],
  indexes: indexes.map((name) => `CREATE INDEX IF NOT EXISTS fulltext_by_${name} ON fulltext USING gin (${name})`),
  clear: [...indexes.map((name) => `DROP INDEX IF EXISTS fulltext_by_${name}`), 'TRUNCATE fulltext'],
  insert: insertRows,
  replace: (rows) => sql`
    ${insertRows(rows)}
    ON CONFLICT (seq) DO UPDATE
       SET everything = excluded.everything, title = excluded.title, description = excluded.description,
           everything_text = excluded.everything_text, title_text = excluded.title_text,
           description_text = excluded.description_text`,
}

function insertRows(rows: readonly FulltextRow[]): Sql {
  return sql`
    INSERT INTO fulltext (seq, everything, title, description, everything_text, title_text, description_text)
    SELECT seq, everything::tsvector, title::tsvector, description::tsvector, everything_text, title_text, description_text
      FROM unnest(
             ${rows.map(({ seq }) => seq)}::bigint[],
             ${vectors(rows, 'everything')}::text[], ${vectors(rows, 'title')}::text[], ${vectors(rows, 'description')}::text[],
             ${texts(rows, 'everything')}::text[], ${texts(rows, 'title')}::text[], ${texts(rows, 'description')}::text[])
        AS rows (seq, everything, title, description, everything_text, title_text, description_text)`
}

type Column = (typeof indexes)[number]

function vectors(rows: readonly FulltextRow[], column: Column): string[] {
  return rows.map((row) => wordVector(row[column]))
}

/** A blank at both ends, so that every word has one on either side. */
function texts(rows: readonly FulltextRow[], column: Column): string[] {
  return rows.map((row) => ` ${row[column]} `)
}
