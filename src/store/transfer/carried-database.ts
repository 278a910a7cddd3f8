import { createHash } from 'node:crypto'
import { type Json, stringifyJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { blobKeys } from '../../nxql/document-indexing.ts'
import type { SqlRow, SqlValue } from '../sql/connection.ts'
import { trigramsPrefix } from '../sql/documents/document-index-statements.ts'
import { wordsPrefix } from '../sql/documents/fill-document-index.ts'
import { parseStoredJson } from '../storable-text.ts'

/** What a column holds, whichever engine it is on. SQLite calls JSON a text: the other side knows better. */
export type ColumnKind = 'text' | 'integer' | 'number' | 'json'

export interface CarriedColumn {
  readonly name: string
  readonly kind: ColumnKind
  /** As its own database calls the type. */
  readonly type: string
}

/** A table as the catalogue of its database describes it. */
export interface CarriedTable {
  readonly name: string
  readonly columns: readonly CarriedColumn[]
  /** The columns by which rows are ordered and told apart: the primary key, or all where there is none. */
  readonly key: readonly string[]
  readonly hasPrimaryKey: boolean
  /** Rows get a number from the database, which goes on from the last. */
  readonly isNumbered: boolean
}

/** The tables of one repository, as they are or were at one moment. */
export interface RowSource {
  readonly engine: 'sqlite' | 'postgres'
  /** For messages: without a password. */
  readonly place: string
  /** All that there are, or those of these names: of others the types of columns need not be known. @throws tableNotCarried */
  listTables(names?: readonly string[]): Promise<readonly CarriedTable[]>
  count(table: CarriedTable): Promise<number>
  /** Rows in the order of the key, which is that of code points for text, some at a time. */
  pages(table: CarriedTable): AsyncGenerator<readonly SqlRow[]>
  /** The last number that the database gave to a row, also to one that is gone; 0 when none. */
  lastNumber(table: CarriedTable): Promise<number>
}

/** The same in a database: whatever is committed meanwhile is not seen. */
export interface CarriedSource extends RowSource {
  /** The keys of all files that documents refer to, each once and in order. */
  fileKeys(): AsyncGenerator<readonly string[]>
}

/** Served by the primary key. */
export const fileKeysAfter = (table: string, key: '?' | '$1') =>
  `SELECT DISTINCT value FROM ${table} WHERE name = '${blobKeys}' AND value > ${key} ORDER BY value LIMIT 1000`

/** All keys, a page at a time, with what gives those behind one. */
export async function* everyKey(listAfter: (key: string) => Promise<readonly string[]>): AsyncGenerator<readonly string[]> {
  for (let after = ''; ; ) {
    const page = await listAfter(after)
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** The tables that rows are brought to; nobody else writes there meanwhile. */
export interface CarriedTarget extends CarriedSource {
  /** Each call commits by itself. */
  insert(table: CarriedTable, rows: readonly SqlRow[]): Promise<void>
  /** Removes the rows with these keys. */
  remove(table: CarriedTable, keys: readonly SqlRow[]): Promise<void>
  continueFrom(table: CarriedTable, number: number): Promise<void>
}

export const tableNotCarried = defineProblem(
  'tableNotCarried',
  'conflict',
  (of: { table: string; reason: string }) =>
    `The table ${of.table} cannot be copied: ${of.reason}. Nothing was lost; the source is as it was.`,
)

/**
 * What follows from other rows and is made in its own way on each engine when the store is opened, and what only processes of one
 * machine tell each other. Every other table of the catalogue is carried, whoever made it.
 */
const derivedTables: ReadonlySet<string> = new Set(['fulltext', 'word_counts', 'trigrams', 'committed_changes'])
const derivedIndexes = [wordsPrefix, trigramsPrefix]

/** Says what a copy is of and whether it is done; it belongs to the copy alone. */
export const copyMarkTable = 'copy_mark'

export function isCarried({ name }: Pick<CarriedTable, 'name'>): boolean {
  return !derivedTables.has(name) && name !== copyMarkTable
}

/** Whether a row belongs to what is carried: which words are indexed is not true of the target before it has indexed them. */
function isCarriedRow({ name, columns }: CarriedTable): (row: SqlRow) => boolean {
  if (name !== 'kept_indexes') return () => true
  const at = columns.findIndex((column) => column.name === 'name')
  return (row) => !derivedIndexes.some((prefix) => String(row[at]).startsWith(prefix))
}

/** What is carried of a table. */
export async function* carriedPages(source: RowSource, table: CarriedTable): AsyncGenerator<readonly SqlRow[]> {
  const isWanted = isCarriedRow(table)
  for await (const page of source.pages(table)) yield page.filter(isWanted)
}

/**
 * A row as text that is the same on both engines: PostgreSQL orders the members of JSON in its own way and writes numbers anew. Where both
 * sides have the same engine the text itself is compared.
 */
export function canonicalRows(columns: readonly CarriedColumn[], isSameEngine: boolean): (row: SqlRow) => string {
  const isJson = columns.map(({ kind }) => kind === 'json' && !isSameEngine)
  if (!isJson.includes(true)) return (row) => JSON.stringify(row)
  return (row) => JSON.stringify(row.map((value, at) => (isJson[at] && typeof value === 'string' ? canonicalJson(value) : value)))
}

function canonicalJson(text: string): SqlValue {
  return stringifyJson(ordered(parseStoredJson(text)))
}

function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]))
}

/** Digests rows as they pass. */
export function digestRows() {
  const hash = createHash('sha256')
  return {
    add(row: string) {
      hash.update(row)
      hash.update('\n')
    },
    finish: () => hash.digest('hex'),
  }
}
