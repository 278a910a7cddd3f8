import type { Sql } from 'sql-template-tag'
import type { FulltextEntry } from '../../../nxql/document-indexing.ts'
import type { SqlStatement } from '../connection.ts'

/** The words of a document, under the number of its row. */
export interface FulltextRow extends FulltextEntry {
  readonly seq: number
  /** How often each is in it, for the table `word_counts`. */
  readonly counts: string
}

/** The table `fulltext` of words, in columns `everything`, `title` and `description`, which each engine keeps in its own way. */
export interface FulltextTable {
  /** The column with the number of the document's row. */
  readonly key: Sql
  readonly tables: readonly string[]
  /** Made once there are rows: filling an index one row after another takes several times as long. */
  readonly indexes: readonly string[]
  /** Leaves the tables empty and without indexes. */
  readonly clear: readonly string[]
  /** Rows of new documents, in both tables. */
  insert(rows: readonly FulltextRow[]): readonly SqlStatement[]
  /** Rows of documents that may have one. */
  replace(rows: readonly FulltextRow[]): readonly SqlStatement[]
}
