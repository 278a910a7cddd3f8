import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { SqlValue } from '../sql/connection.ts'
import type { FulltextTable } from '../sql/documents/fulltext-table.ts'
import { fixed } from '../sql/fixed-statement.ts'
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
  insert: writing(empty, empty),
  replace: writing(
    raw(`
    ON CONFLICT (seq) DO UPDATE
       SET everything = excluded.everything, title = excluded.title, description = excluded.description,
           everything_text = excluded.everything_text, title_text = excluded.title_text,
           description_text = excluded.description_text`),
    raw(' ON CONFLICT (seq) DO UPDATE SET counts = excluded.counts'),
  ),
}

/** Both tables in one statement: each costs a message there and back. */
function writing(onConflict: Sql, onCountsConflict: Sql): FulltextTable['insert'] {
  const write = fixed<readonly (readonly SqlValue[])[]>(sql`
    WITH written AS (
      INSERT INTO fulltext (seq, everything, title, description, everything_text, title_text, description_text)
      SELECT seq, everything::tsvector, title::tsvector, description::tsvector, everything_text, title_text, description_text
        FROM unnest(
               ${[]}::bigint[],
               ${[]}::text[], ${[]}::text[], ${[]}::text[],
               ${[]}::text[], ${[]}::text[], ${[]}::text[])
          AS rows (seq, everything, title, description, everything_text, title_text, description_text)
      ${onConflict})
    INSERT INTO word_counts (seq, counts)
    SELECT seq, counts FROM unnest(${[]}::bigint[], ${[]}::text[]) AS rows (seq, counts)${onCountsConflict}`)
  return (rows) => {
    const seqs = rows.map(({ seq }) => seq)
    const vectors = indexes.map((name) => rows.map((row) => wordVector(row[name])))
    // A blank at both ends, so that every word has one on either side.
    const texts = indexes.map((name) => rows.map((row) => ` ${row[name]} `))
    const counts = rows.map((row) => row.counts)
    return [write(seqs, ...vectors, ...texts, seqs, counts)]
  }
}
