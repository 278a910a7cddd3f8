import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { defineProblem } from '../../base/problem.ts'
import { unknownCount } from '../../core/search/page/page.ts'
import type { Sort } from '../../core/search/query/sort.ts'
import type { Session } from '../../core/session.ts'
import { entryColumns, entryOf, type LogEntry } from './log-entry.ts'

/** The rows of one document, up to a moment where that is given. */
export interface HistorySource {
  readonly documentId: string
  /** Where it is now, of one that is anywhere. */
  readonly path?: string | null
  readonly until?: number
}

/** Which rows: all conditions hold, and an empty list is none. Dates are milliseconds and belong to what they bound. */
export interface AuditFilter {
  readonly eventIds: readonly string[]
  readonly categories: readonly string[]
  readonly principalNames: readonly string[]
  readonly from?: number
  readonly to?: number
  readonly docType?: string
  readonly docPath?: string
  readonly repositoryId?: string
  readonly logId?: number
  /** Only of these documents; absent: the whole log. */
  readonly sources?: readonly HistorySource[]
}

export const everyEntry: AuditFilter = { eventIds: [], categories: [], principalNames: [] }

export const unsortableEntryField = defineProblem(
  'unsortableEntryField',
  'invalid',
  (of: { field: string }) => `The audit log cannot be sorted by ${of.field}. Use one of ${[...columns.keys()].join(', ')}.`,
)

const columns: ReadonlyMap<string, string> = new Map([
  ['id', 'id'],
  ['eventId', 'event_id'],
  ['eventDate', 'event_date'],
  ['logDate', 'log_date'],
  ['category', 'category'],
  ['principalName', 'principal_name'],
  ['docUUID', 'doc_uuid'],
  ['docType', 'doc_type'],
  ['docPath', 'doc_path'],
  ['docLifeCycle', 'doc_life_cycle'],
  ['repositoryId', 'repository_id'],
  ['comment', 'comment'],
])

/** Columns that every row has: where nulls stand need not be said, and PostgreSQL then uses their indexes. */
const filled = new Set(['id', 'event_id', 'event_date', 'log_date', 'principal_name'])

const newestFirst: readonly Sort[] = [{ column: 'eventDate', isAscending: false }]

/** More are not counted: the log is longer than anybody pages through, and counting it would take as long as it is. */
export const maxCounted = 10_000

/** A filter on so many values is a look into an index for each; one on more is a look at each row in the order of the page. */
const maxBranches = 10

export interface EntryWindow {
  readonly offset: number
  readonly limit: number
  readonly sort?: readonly Sort[] | undefined
}

/** A part of the rows, the newest first unless told. @throws unsortableEntryField */
export async function findEntries(session: Session, filter: AuditFilter, window: EntryWindow): Promise<readonly LogEntry[]> {
  return (await session.reader.tables.all(entriesPage(filter, window))).map(entryOf)
}

/** Where the documents have ever been. Served by audit_entries_by_document. */
export async function listPaths({ reader }: Session, sources: readonly HistorySource[]): Promise<readonly string[]> {
  const ids = sources.map(({ documentId }) => documentId)
  const rows = await reader.tables.all(
    sql`SELECT DISTINCT doc_path FROM audit_entries WHERE doc_uuid IN (${join(ids)}) AND doc_path IS NOT NULL`,
  )
  return rows.map(([path]) => String(path))
}

/** How many there are behind a page that was found; -2 when they are more than are counted. */
export async function countEntries(
  session: Session,
  filter: AuditFilter,
  { offset, limit }: EntryWindow,
  found: number,
): Promise<number> {
  const isEnd = found < limit && (found > 0 || offset === 0)
  if (isEnd) return offset + found
  const row = await session.reader.tables.all(entriesCount(filter))
  const counted = Number(row[0]?.[0] ?? 0)
  return counted > maxCounted ? unknownCount : counted
}

/**
 * The rows of each branch come in the order of the page from an index that begins with what the branch is about, and no more of them
 * than the page can reach: `audit_entries_by_document`, `_by_event`, `_by_principal`, `_by_category`, or `_by_date` for the whole log.
 */
export function entriesPage(filter: AuditFilter, { offset, limit, sort = newestFirst }: EntryWindow): Sql {
  const order = orderBy(sort.length === 0 ? newestFirst : sort)
  const reached = Math.min(offset + limit, Number.MAX_SAFE_INTEGER)
  const all = branchesOf(filter)
  const [only] = all
  if (all.length === 1 && only !== undefined)
    return sql`SELECT ${raw(entryColumns)} FROM audit_entries ${where(only)} ${order} LIMIT ${limit} OFFSET ${offset}`
  const parts = all.map(
    (conditions, index) => sql`
      SELECT * FROM (SELECT ${raw(entryColumns)} FROM audit_entries ${where(conditions)} ${order} LIMIT ${reached}) AS part${raw(String(index))}`,
  )
  return sql`${join(parts, ' UNION ALL ')} ${order} LIMIT ${limit} OFFSET ${offset}`
}

function entriesCount(filter: AuditFilter): Sql {
  const parts = branchesOf(filter).map(
    (conditions, index) => sql`
      SELECT 1 AS one FROM (
        SELECT id FROM audit_entries ${where(conditions)} LIMIT ${maxCounted + 1}) AS part${raw(String(index))}`,
  )
  return sql`SELECT count(*) FROM (${join(parts, ' UNION ALL ')}) AS parts`
}

/** All conditions at once, for what looks at every row that fits. */
export function conditionsOf(filter: AuditFilter): Sql {
  const parts = branchesOf(filter).map((conditions) =>
    conditions.length === 0 ? sql`1 = 1` : sql`(${join([...conditions], ' AND ')})`,
  )
  return sql`(${join(parts, ' OR ')})`
}

/** Conditions of which each list is served by one index, and which have no row in common. */
export function branchesOf(filter: AuditFilter): readonly (readonly Sql[])[] {
  const { eventIds, principalNames, categories, sources } = filter
  const bounds = [
    ...(filter.from === undefined ? [] : [sql`event_date >= ${filter.from}`]),
    ...(filter.to === undefined ? [] : [sql`event_date <= ${filter.to}`]),
    ...equals('doc_type', filter.docType),
    ...equals('doc_path', filter.docPath),
    ...equals('repository_id', filter.repositoryId),
    ...(filter.logId === undefined ? [] : [sql`id = ${filter.logId}`]),
  ]
  const [ofEvents, ofUsers, ofCategories] = [
    oneOf('event_id', eventIds),
    oneOf('principal_name', principalNames),
    oneOf('category', categories),
  ]
  if (sources !== undefined) {
    const rest = [...ofEvents, ...ofUsers, ...ofCategories, ...bounds]
    return sources.map(({ documentId, until }) => [
      sql`doc_uuid = ${documentId}`,
      ...rest,
      ...(until === undefined ? [] : [sql`event_date <= ${until}`]),
    ])
  }
  if (isFew(eventIds)) return eachOf('event_id', eventIds, [...ofUsers, ...ofCategories, ...bounds])
  if (isFew(principalNames)) return eachOf('principal_name', principalNames, [...ofEvents, ...ofCategories, ...bounds])
  if (isFew(categories)) return eachOf('category', categories, [...ofEvents, ...ofUsers, ...bounds])
  return [[...ofEvents, ...ofUsers, ...ofCategories, ...bounds]]
}

function isFew(values: readonly string[]): boolean {
  return values.length > 0 && values.length <= maxBranches
}

function eachOf(column: string, values: readonly string[], rest: readonly Sql[]): readonly (readonly Sql[])[] {
  return [...new Set(values)].map((value) => [sql`${raw(column)} = ${value}`, ...rest])
}

function oneOf(column: string, values: readonly string[]): readonly Sql[] {
  return values.length === 0 ? [] : [sql`${raw(column)} IN (${join(values)})`]
}

function equals(column: string, value: string | undefined): readonly Sql[] {
  return value === undefined ? [] : [sql`${raw(column)} = ${value}`]
}

function where(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? empty : sql`WHERE ${join([...conditions], ' AND ')}`
}

/** Clients of old write the name of the table before it. */
export function fieldIn(column: string): string {
  return column.replace(/^log\./, '')
}

/** The date and the id decide where all else is alike, in the direction of the last column, as the indexes have them. */
function orderBy(sort: readonly Sort[]): Sql {
  const isAscending = sort.at(-1)?.isAscending ?? false
  const all = new Map<string, boolean>()
  for (const { column: field, isAscending: ascends } of sort) {
    const column = columns.get(fieldIn(field))
    if (column === undefined) throw unsortableEntryField({ field })
    if (!all.has(column)) all.set(column, ascends)
  }
  if (!all.has('id')) {
    if (!all.has('event_date')) all.set('event_date', isAscending)
    all.set('id', isAscending)
  }
  return raw(`ORDER BY ${[...all].map(([column, ascends]) => orderOf(column, ascends)).join(', ')}`)
}

/** Nulls come first where the order ascends, on both engines. */
function orderOf(column: string, isAscending: boolean): string {
  const direction = isAscending ? 'ASC' : 'DESC'
  return filled.has(column) ? `${column} ${direction}` : `${column} ${direction} NULLS ${isAscending ? 'FIRST' : 'LAST'}`
}
