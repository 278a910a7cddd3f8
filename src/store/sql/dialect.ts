import type { Sql } from 'sql-template-tag'
import type { FulltextTable } from './documents/fulltext-table.ts'
import type { TrigramTable } from './documents/trigram-rows.ts'
import type { SearchDialect } from './search/search-dialect.ts'

/** All that differs between the engines in statements and tables that otherwise read the same. */
export interface Dialect {
  readonly engine: 'sqlite' | 'postgres'
  readonly columns: ColumnTypes
  /** Behind the closing parenthesis of a table definition. */
  readonly tableOptions: string
  /** The same for a table that is nothing but its key. */
  readonly keyTableOptions: string
  /** Behind an index column, to have nulls first as every ascending order has. */
  readonly nullsFirstInIndex: string
  /** Makes a text expression compare by code point. Columns do by their definition. */
  byCodePoint(expression: Sql): Sql
  /** `x` in `column x`: the value is in the list. One text whatever the length, so that the prepared statement is reused. */
  oneOfTexts(values: readonly string[]): Sql
  oneOfNumbers(values: readonly number[]): Sql
  /** Whether the column is among the numbers, which are the same from one statement to the next. */
  isAmong(column: Sql, values: readonly number[]): Sql
  /** A table `pairs(source, target)` of numbers. */
  numberPairs(pairs: readonly (readonly [number, number])[]): Sql
  /** A JSON object by whose members `->>` gives numbers for numbers. */
  numberMap(pairs: readonly (readonly [number, number])[]): Sql
  /** A table `texts(text, pos)`, numbered from 0. */
  numberedTexts(texts: readonly string[]): Sql
  /** A table `texts(first, second)`. */
  textPairs(pairs: readonly (readonly [string, string])[]): Sql
  /** A table `listed(seq, name, value)`. */
  listedValues(rows: readonly (readonly [seq: number, name: string, value: string])[]): Sql
  /** Whether a JSON list of texts holds the value; null when there is no list. */
  hasItem(column: Sql, value: string): Sql
  /** 1 when ACLs hold an entry that begins or ends, else 0. */
  readonly hasDates: string
  /** A table `aces(ace)` of all entries in the column's ACLs. */
  readonly acesOfAcls: Sql
  /** A number of a JSON object, null when it is none: one ill-typed row must not break a query. */
  jsonNumber(column: string, key: string): Sql
  /** A boolean of a JSON object as 0 or 1. */
  jsonBoolean(column: string, key: string): Sql
  /** The column of JSON where it has no more bytes than that, else how many it has; told without reading it where that can be. */
  lightJson(column: string, maxBytes: number): string
  /** Behind a SELECT: locks the rows until the transaction ends. */
  readonly forUpdate: Sql
  /** The present moment as a stored date, by the clock of the database. */
  readonly now: Sql
  /** No other transaction writes while one is open, so what it has read stays true. */
  readonly writesOneAtATime: boolean
  /** Behind a SELECT: a shared lock, which other transactions may take likewise. */
  readonly forShare: Sql
  /** Behind a SELECT: passes over rows that another transaction has locked. */
  readonly skipLocked: Sql
  /**
   * True of every row of the table that the column is of, which is the innermost of its joins. It comes first in every condition on
   * what may be many (documents in a search, items of a list in a subquery): SQLite can stop a statement only where it calls a
   * function of ours. PostgreSQL stops one anywhere.
   */
  inTime(column: Sql): Sql
  /** The same by the number of a document, of some documents only, which suffices where each is looked at for a moment. */
  inTimeAtDocument(seq: Sql): Sql
  readonly fulltext: FulltextTable
  /** Absent where the database has none. */
  readonly trigrams?: TrigramTable
  /** What only searches need. */
  readonly search: SearchDialect
  /** The names of all tables of the repository. */
  readonly tableNames: Sql
  /** The names of all indexes on documents. */
  readonly indexNames: Sql
  /** Waits for transactions that stored new lists of entries, so that ids become visible in ascending order. */
  readonly awaitOtherInterning: Sql | undefined
  /** The same for claiming jobs of which an owner may have only so many running: two that count at once both see too few. */
  readonly awaitOtherClaims: Sql | undefined
}

interface ColumnTypes {
  /** A number that counts up and never comes again, the primary key. */
  readonly identity: string
  /** The same, but the number of the last row may come again when that is removed: one page less to write. */
  readonly rowNumber: string
  readonly text: string
  readonly integer: string
  /** 0 or 1: booleans compare alike on both engines only as numbers. */
  readonly flag: string
  readonly json: string
}
