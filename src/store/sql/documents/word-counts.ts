import sql, { raw } from 'sql-template-tag'
import { endOfText } from '../../../nxql/fulltext/document-texts.ts'
import { wordCounts } from '../../../nxql/fulltext/relevance.ts'
import type { SqlStatement } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import type { FulltextColumn } from '../search/search-dialect.ts'
import type { FulltextRow } from './fulltext-table.ts'

// The table word_counts has how often each word is in a document, by which matches are ordered: a line for each of these.
const lines: readonly FulltextColumn[] = ['everything', 'title', 'description']

/** On which line, counted from 0, the words of a column are. */
export function lineOf(column: FulltextColumn): number {
  return lines.indexOf(column)
}

const conflict = raw('ON CONFLICT (seq) DO UPDATE SET counts = excluded.counts')

/** Of new documents, or of documents that may have some. */
export function writeWordCounts(dialect: Dialect, rows: readonly FulltextRow[], mode: 'insert' | 'replace'): SqlStatement {
  const counted = rows.map((row) => [row.seq, '', lines.map((line) => wordCounts(row[line], endOfText)).join('\n')] as const)
  // WHERE, or SQLite takes ON for the condition of a join.
  return sql`INSERT INTO word_counts (seq, counts) SELECT seq, value FROM ${dialect.listedValues(counted)} WHERE 1 = 1
    ${mode === 'replace' ? conflict : raw('')}`
}

/** Served by the primary key. */
export const deleteWordCounts = (dialect: Dialect, seqs: readonly number[]) =>
  sql`DELETE FROM word_counts WHERE seq ${dialect.oneOfNumbers(seqs)}`

export const clearWordCounts = raw('DELETE FROM word_counts')
