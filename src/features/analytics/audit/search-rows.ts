import type { Sort } from '../../../core/search/query/sort.ts'
import type { Session } from '../../../core/session.ts'
import { compareText } from '../../../nxql/code-point-order.ts'
import { entriesOf, type LogEntry } from '../../audit/index.ts'
import { listFollowedModels } from '../../workflow/index.ts'
import { type Aggregation, fieldsOf } from '../request/aggregation.ts'
import { allOf, type SearchCondition } from '../request/condition.ts'
import { refuse, shown } from '../request/json-parts.ts'
import type { SearchRequest } from '../request/search-request.ts'
import type { Found, UseOf } from '../results/search-answer.ts'
import { rowTest } from './row-condition.ts'
import { cellReader, columnType, valuesOf } from './row-fields.ts'
import { filterOf } from './row-filter.ts'
import { allRows } from './row-source.ts'
import { createFirst, createRowTable, type Pause } from './row-table.ts'
import type { InTurn } from './row-turns.ts'

interface RowSearch {
  readonly session: Session
  readonly request: SearchRequest
  readonly mostRows: number
  readonly pause: Pause
  readonly inTurn: InTurn
}

/** What a search finds in the whole audit log. */
export function findAmongRows<Result>(search: RowSearch, use: UseOf<Result>): Promise<Result> {
  return find(search, search.request.condition, () => true, use)
}

/** The same in what workflows wrote there: to others than administrators, of the models that they may follow. */
export async function findAmongRouting<Result>(search: RowSearch, use: UseOf<Result>): Promise<Result> {
  const { session, request, pause } = search
  const ofRouting: SearchCondition = { kind: 'oneOf', field: 'category', values: ['Routing'] }
  const condition = allOf([ofRouting, request.condition])
  if (session.principal.isAdministrator) return find(search, condition, () => true, use)
  const followed = await listFollowedModels(session)
  // Most people follow none, and need not wait for whoever looks through the log.
  if (followed.size === 0) return use({ total: 0, hits: [], source: allRows(createRowTable([], new Map()).table(), pause) })
  const isFollowed = ({ extended }: LogEntry) => {
    const name = (extended as { readonly modelName?: unknown })['modelName']
    return typeof name === 'string' && followed.has(name)
  }
  return find(search, condition, isFollowed, use)
}

function find<Result>(
  search: RowSearch,
  condition: SearchCondition,
  isSeen: (entry: LogEntry) => boolean,
  use: UseOf<Result>,
): Promise<Result> {
  return search.inTurn(search.session.principal.name, async () => use(await lookThrough(search, condition, isSeen)))
}

async function lookThrough(
  { session, request, mostRows, pause }: RowSearch,
  condition: SearchCondition,
  isSeen: (entry: LogEntry) => boolean,
): Promise<Found> {
  const { aggregations, from, size, sort, shows } = request
  const environment = { now: session.now }
  const isMeant = rowTest(condition, environment)
  const tests = new Map(conditionsIn(aggregations).map((one) => [one, rowTest(one, environment)]))
  const table = createRowTable(fieldsOf(aggregations), tests)
  const first = createFirst(from + size, comparison(sort))
  let [looked, total] = [0, 0]
  for await (const entries of entriesOf(session.reader.tables, filterOf(condition, environment))) {
    looked += entries.length
    if (looked > mostRows)
      refuse(`More than ${mostRows} rows of the audit log would have to be looked at. Narrow the dates, or name events.`)
    for (const entry of entries) {
      const waiting = pause()
      if (waiting !== undefined) await waiting
      if (!isMeant(entry) || !isSeen(entry)) continue
      total += 1
      first.add(entry)
      table.add(entry)
    }
  }
  const hits = first.list().slice(from)
  return {
    total,
    source: allRows(table.table(), pause),
    hits: hits.map((entry) => ({ id: String(entry.id), type: 'entry', ...(shows && { source: sourceOf(entry, shows) }) })),
  }
}

function conditionsIn(aggregations: readonly Aggregation[]): readonly SearchCondition[] {
  return aggregations.flatMap(({ of, nested }) => [
    ...(of.kind === 'filter' ? [of.condition] : []),
    ...(of.kind === 'filters' ? of.filters.map(({ condition }) => condition) : []),
    ...conditionsIn(nested),
  ])
}

function sourceOf(entry: LogEntry, shows: (field: string) => boolean) {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => shows(name)))
}

/** By their ids where nothing else is asked for, which decide where all else is alike. */
function comparison(sort: readonly Sort[]): (one: LogEntry, other: LogEntry) => number {
  const orders = sort.map(({ column, isAscending }) => {
    if (columnType(column) === undefined && !column.startsWith('extended.')) refuse(`Rows cannot be sorted by ${shown(column)}.`)
    return { read: cellReader(column), direction: isAscending ? 1 : -1 }
  })
  return (one, other) => {
    for (const { read, direction } of orders) {
      const [left, right] = [valuesOf(read(one))[0], valuesOf(read(other))[0]]
      if (left === right) continue
      // What has no value comes last, whichever way.
      if (left === undefined || right === undefined) return left === undefined ? 1 : -1
      const difference =
        typeof left === 'number' && typeof right === 'number' ? left - right : compareText(String(left), String(right))
      if (difference !== 0) return direction * difference
    }
    return one.id - other.id
  }
}
