import sql, { raw, type Sql } from 'sql-template-tag'
import type { Statement } from '../sql/connection.ts'
import { fixed } from '../sql/fixed-statement.ts'
import type { FulltextRow, FulltextTable } from '../sql/fulltext-table.ts'

/**
 * FTS5. Its ASCII tokenizer takes apart at blanks what our words are made of, and nothing else: they know no other ASCII. Looking
 * for a row to replace costs half as much as writing one, so new ones are only inserted.
 */
export const sqliteFulltext: FulltextTable = {
  key: raw('rowid'),
  tables: [
    `CREATE VIRTUAL TABLE fulltext USING fts5(
       everything, title, description, content = '', contentless_delete = 1, tokenize = 'ascii')`,
  ],
  indexes: [],
  clear: [`INSERT INTO fulltext (fulltext) VALUES ('delete-all')`],
  insert: writing(raw('INSERT')),
  replace: writing(raw('INSERT OR REPLACE')),
}

function writing(insert: Sql): (rows: readonly FulltextRow[]) => Statement {
  const columns = raw('rowid, everything, title, description')
  const writeOne = fixed<[seq: number, everything: string, title: string, description: string]>(
    sql`${insert} INTO fulltext (${columns}) VALUES (${0}, ${''}, ${''}, ${''})`,
  )
  return (rows) => {
    const [only] = rows
    if (only !== undefined && rows.length === 1) return writeOne(only.seq, only.everything, only.title, only.description)
    return sql`
      ${insert} INTO fulltext (${columns})
      SELECT value ->> 'seq', value ->> 'everything', value ->> 'title', value ->> 'description'
        FROM json_each(${JSON.stringify(rows)})`
  }
}
