import sql, { type Sql } from 'sql-template-tag'
import type { Engine, TestDatabase } from './engines.ts'

/** Looks into the tables that queries search, past every store. */
export interface IndexTables {
  /** Ids of the documents that have the word in the index of everything, or in the one named. */
  idsWith(word: string, index?: 'everything' | 'title' | 'description'): Promise<readonly string[]>
  /** `name value` of what the document has in lists. */
  valuesOf(id: string): Promise<readonly string[]>
  /** Rows of words or values that belong to no document. */
  countStrays(): Promise<number>
  countWords(): Promise<number>
}

export function indexTablesOf(engine: Engine, database: TestDatabase): IndexTables {
  const isSqlite = engine.name === 'sqlite'
  const firstColumn = async (statement: Sql) => (await database.query(statement)).map(([value]) => String(value))
  const key = isSqlite ? sql`SELECT id FROM fulltext_docsize` : sql`SELECT seq FROM fulltext`
  const matching = (word: string, index: string) =>
    isSqlite
      ? sql`SELECT rowid FROM fulltext WHERE fulltext MATCH ${`${index} : "${word}"`}`
      : sql`SELECT seq FROM fulltext WHERE CASE ${index} WHEN 'title' THEN title WHEN 'description' THEN description ELSE everything END
              @@ ${`'${word}'`}::tsquery`
  return {
    idsWith: (word, index = 'everything') =>
      firstColumn(sql`SELECT id FROM documents WHERE seq IN (${matching(word, index)}) ORDER BY id`),
    valuesOf: (id) =>
      firstColumn(sql`
        SELECT name || ' ' || value FROM document_values
         WHERE seq = (SELECT seq FROM documents WHERE id = ${id}) ORDER BY name, value`),
    async countStrays() {
      const isNowhere = sql`NOT IN (SELECT seq FROM documents)`
      const words = isSqlite
        ? sql`SELECT id FROM fulltext_docsize WHERE id ${isNowhere}`
        : sql`SELECT seq FROM fulltext WHERE seq ${isNowhere}`
      return (await database.query(sql`SELECT seq FROM document_values WHERE seq ${isNowhere} UNION ALL ${words}`)).length
    },
    async countWords() {
      return (await database.query(key)).length
    },
  }
}
