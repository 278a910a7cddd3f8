import sql, { raw, type Sql } from 'sql-template-tag'
import type { DocumentId } from '../../model/document.ts'
import type { SqlRow, SqlStatement, SqlValue } from '../sql/connection.ts'
import { documentColumns, listedColumns } from '../sql/documents/document-row.ts'
import { fixed } from '../sql/fixed-statement.ts'
import { postgresDialect } from './postgres-dialect.ts'

/** What tells whether anything has changed, in one row. */
export interface DatabaseState {
  /** When the server was started: after a failover all is open. */
  readonly server: string
  /** Another text after each commit, of whatever process; never again what it was. */
  readonly version: string
  /** Of the directories. */
  readonly generation: number
  readonly lastAcpId: number
}

/**
 * A snapshot says which transactions are seen, so two that are alike see the same. Whatever was committed when a statement is sent is
 * in its snapshot. The rest is served by primary keys.
 */
export const databaseState = fixed<[]>(sql`
  SELECT CAST(pg_postmaster_start_time() AS text), CAST(pg_current_snapshot() AS text),
         (SELECT value FROM generations WHERE name = 'directories'),
         (SELECT coalesce(max(id), 0) FROM acps)`)()

export function stateOf([server, version, generation, lastAcpId]: SqlRow): DatabaseState {
  return {
    server: server as string,
    version: version as string,
    generation: generation as number,
    lastAcpId: lastAcpId as number,
  }
}

/**
 * Whether a row was there in a state of the database already, by the transaction that wrote it. A snapshot names the first that was
 * under way, the first that had not begun, and those between them that were under way. Numbers of transactions go round: of two the one
 * that is less than half a round behind came first.
 */
export function seenIn(version: string): (stamp: string) => boolean {
  const snapshot = version.slice(version.lastIndexOf(' ') + 1)
  const [first = '', next = '', between = ''] = snapshot.split(':')
  const underWay = new Set(between === '' ? [] : between.split(',').map(lowBits))
  const [oldest, latest] = [lowBits(first), lowBits(next)]
  return (stamp) => {
    const writer = Number(stamp)
    return precedes(writer, oldest) || (precedes(writer, latest) && !underWay.has(writer))
  }
}

/** A snapshot counts the rounds as well, a row does not. */
function lowBits(transaction: string): number {
  return Number(BigInt.asUintN(32, BigInt(transaction)))
}

function precedes(one: number, other: number): boolean {
  return ((one - other) | 0) < 0
}

/** The transaction that wrote a row as it is: every change gives it another one. Null where no row is known. */
export type RowStamp = string | null

// Behind the columns of a document.
const stampColumns = raw('wanted, documents.xmin')

/**
 * Of the documents those that are not as they are known, all of them where none is known. One that was known and is gone comes without
 * an id of its own. Served by the unique id, a look-up for each.
 */
const differing = (columns: Sql) =>
  sql`
    SELECT ${columns}, ${stampColumns}
      FROM unnest(${''}::text[], ${''}::xid[]) AS asked(wanted, stamp) LEFT JOIN documents ON documents.id = asked.wanted
     WHERE documents.xmin IS DISTINCT FROM asked.stamp`

const differingWhole = withLists(differing(documentColumns))
const differingListed = withLists(differing(listedColumns(postgresDialect)))

export const differingDocuments = (asked: ReadonlyMap<DocumentId, RowStamp>) =>
  differingWhole([...asked.keys()], [...asked.values()])

/** Of large ones their size. */
export const differingInLists = (asked: ReadonlyMap<DocumentId, RowStamp>) =>
  differingListed([...asked.keys()], [...asked.values()])

/** Served by documents_by_path, a look-up for each. */
export const stampedByPath = (paths: readonly string[]) => wholeByPath([...paths])

const wholeByPath = withLists(sql`
  SELECT ${documentColumns}, path AS wanted, documents.xmin FROM documents WHERE path = ANY(${''}::text[])`)

/** What was looked for to find the row: the id or the path. */
export function wantedOf(row: SqlRow): string {
  return row[row.length - 2] as string
}

export function stampOf(row: SqlRow): string {
  return row[row.length - 1] as string
}

/** A fixed statement whose values are lists. */
function withLists(template: Sql): (...lists: readonly (readonly SqlValue[])[]) => SqlStatement {
  const { sql, text } = template
  return (...lists) => ({ sql, text, values: lists as unknown as SqlValue[] })
}
