import sql, { raw, type Sql } from 'sql-template-tag'
import { memoised } from '../../../base/cache/memo.ts'
import type { Query } from '../../../nxql/query.ts'
import { queryTimedOut } from '../../problems.ts'
import {
  type ListedIds,
  type SearchReader,
  type SearchScope,
  type SearchValue,
  type SearchWindow,
  withOneMore,
} from '../../search.ts'
import { fewRows, type SearchConnection, type SqlRow, type SqlStatement } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import { documentsOfRows } from '../documents/list-documents.ts'
import type { DocumentTable } from '../documents/sql-documents.ts'
import {
  allDocumentsCount,
  countedDocumentsPage,
  countedIdsPage,
  documentsCount,
  documentsPage,
  idsPage,
} from './document-search.ts'
import { facetGroups, summariseFacets } from './facet-summary.ts'
import { listedItems } from './listed-items.ts'
import { rowsCount, rowsPage } from './row-search.ts'
import { hasIndexedOrder, isReadable, type SearchLead } from './search-lead.ts'
import { usesScore } from './search-order.ts'
import { type PreparedStatement, prepare, type SearchRun } from './search-run.ts'
import { findOnlyMatch, leadProbes, requiresMatch, type SearchTarget } from './search-source.ts'
import { readSelected } from './selected-value.ts'
import { partedSearch, summarySearch } from './summary-search.ts'
import { isOfValues } from './summary-source.ts'
import { readTotals, totalsRow } from './total-search.ts'

/** What searches need: the tables, by a way of their own. */
interface SearchTables extends DocumentTable {
  readonly connection: SearchConnection
}

type Form =
  | 'documents'
  | 'ids'
  | 'countedDocuments'
  | 'countedIds'
  | 'rows'
  | 'documentsCount'
  | 'allDocumentsCount'
  | 'rowsCount'

/** Runs checked queries as single statements, in which the filter for rights and the page are. */
export function createSearchReader(tables: SearchTables): SearchReader {
  const { connection: unwatched, dialect } = tables
  const prepared = preparedFor(dialect)
  const limit = unwatched.timeLimitMilliseconds

  /** Searches, if there is time left for it. @throws queryTimedOut */
  async function watched<Found>({ stopwatch }: SearchScope, search: () => Promise<Found>): Promise<Found> {
    if (stopwatch === undefined) return search()
    if (stopwatch.spent > limit) throw queryTimedOut({ milliseconds: limit })
    const started = performance.now()
    try {
      return await search()
    } finally {
      stopwatch.spent += performance.now() - started
    }
  }
  const listed = (scope: SearchScope, statement: SqlStatement): Promise<readonly SqlRow[]> =>
    watched(scope, () => unwatched.all(statement))
  const listedAgain = (scope: SearchScope, statement: SqlStatement): Promise<readonly SqlRow[]> =>
    watched(scope, () => fewRows(unwatched, statement))
  const counted = async (scope: SearchScope, statement: SqlStatement): Promise<number> =>
    Number((await listedAgain(scope, statement))[0]?.[0])
  const restricted = forReadable(dialect)
  const targetOf = (query: Query, { readableAcps }: SearchScope) => {
    const isRestricted = readableAcps !== undefined
    return { dialect: isRestricted ? restricted : dialect, query, isRestricted }
  }

  const onlyMatchOf = memoised((query: Query) => findOnlyMatch({ dialect, query, isRestricted: false }))

  function statementOf(
    query: Query,
    scope: SearchScope,
    form: Form,
    page: Page,
    make: (target: SearchTarget) => Sql,
    lead?: SearchLead,
  ): SqlStatement {
    const isRestricted = scope.readableAcps !== undefined
    const name = [form, isRestricted, lead].join(' ')
    return prepared.find(query, name, () => make({ ...targetOf(query, scope), lead }))(runOf(scope, page))
  }

  /** The first condition that brings few documents; undefined where there is none. */
  async function findFew(
    query: Query,
    scope: SearchScope,
    page: Page,
    form: 'page' | 'count',
    except?: number,
  ): Promise<number | undefined> {
    const isRestricted = scope.readableAcps !== undefined
    const probes = prepared.findAll(query, `${form} probes ${isRestricted}`, () =>
      leadProbes(targetOf(form === 'page' ? query : withoutOrder(query), scope)),
    )
    for (const [index, probe] of probes.entries()) {
      if (index === except) continue
      if ((await counted(scope, probe(runOf(scope, page)))) === 1) return index
    }
    return undefined
  }

  /**
   * Else a page starts from the index of its order, if there is one; the first page of what is counted as well from the matches that are
   * counted, if these are in order.
   */
  async function findLead(query: Query, scope: SearchScope, page: Page, countsAll = false): Promise<SearchLead | undefined> {
    if (!dialect.search.plansBlindly) return undefined
    const match = countsAll && page.offset === 0 && query.order.length === 0 ? onlyMatchOf(query) : undefined
    if (match !== undefined) return (await findFew(query, scope, page, 'page', match)) ?? match
    const few = await findFew(query, scope, page, 'page')
    return few === undefined && page.limit < all && hasIndexedOrder(query) ? 'order' : few
  }

  /** The rows of a page and of one more, with their number where it costs next to nothing. */
  async function listPage(query: Query, scope: SearchScope, window: SearchWindow, form: 'documents' | 'ids'): Promise<FoundRows> {
    const page = pageOf(query, withOneMore(window))
    const lead = await findLead(query, scope, page, window.countsAll)
    const isCounted = window.limit !== undefined && seesAll(query, lead)
    const [name, make] = pageForms[form][isCounted ? 'counted' : 'plain']
    const statement = statementOf(query, scope, name, page, make, lead)
    const rows = form === 'ids' ? await listedAgain(scope, statement) : await listed(scope, statement)
    const found = isCounted ? rows[0]?.at(-1) : undefined
    return { rows, ...(found !== undefined && { total: withinQuery(query, Number(found)) }) }
  }

  async function listRows(query: Query, scope: SearchScope, window: SearchWindow): Promise<readonly (readonly SearchValue[])[]> {
    const { selection } = query
    const page = pageOf(query, window)
    if (selection.kind === 'documents') return (await listIds(query, scope, window)).map((id) => [id])
    if (selection.kind === 'totals') {
      const { totals } = selection
      const rows = await listed(
        scope,
        statementOf(query, scope, 'rows', page, (target) => totalsRow(target, totals)),
      )
      return rows.map((row) => readTotals(totals, row))
    }
    const { columns } = selection
    const rows = await listed(
      scope,
      statementOf(query, scope, 'rows', page, (target) => rowsPage(target, columns)),
    )
    return rows.map((row) => columns.map(({ value }, index) => readSelected(row[index] ?? null, value.type)))
  }

  async function listIds(query: Query, scope: SearchScope, window: SearchWindow): Promise<readonly string[]> {
    const page = pageOf(query, window)
    const lead = await findLead(query, scope, page)
    return (await listed(scope, statementOf(query, scope, 'ids', page, idsPage, lead))).map(([id]) => id as string)
  }

  async function listPageOfIds(query: Query, scope: SearchScope, window: SearchWindow): Promise<ListedIds> {
    const { limit = all } = window
    const { rows, ...found } = await listPage(query, scope, window, 'ids')
    return { ...found, ids: idsIn(rows, limit), hasMore: rows.length > limit }
  }

  async function count(query: Query, scope: SearchScope, form: 'documents' | 'rows', limit: number | undefined): Promise<number> {
    const { selection } = query
    const page = { limit: Math.min(limit ?? all, query.limit ?? all), offset: query.offset }
    if (form === 'rows' && selection.kind === 'totals') return Math.max(0, Math.min(page.limit, 1 - page.offset))
    const statement =
      form === 'rows' && selection.kind === 'columns'
        ? statementOf(query, scope, 'rowsCount', page, (target) => rowsCount(target, selection.columns))
        : await documentsCountOf(query, scope, page)
    return counted(scope, statement)
  }

  async function documentsCountOf(query: Query, scope: SearchScope, page: Page): Promise<SqlStatement> {
    const isOfAll = page.limit === all && page.offset === 0
    const count = isOfAll ? allDocumentsCount : documentsCount
    const make = (target: SearchTarget) => count({ ...target, query: withoutOrder(query) })
    const few = await findFew(query, scope, page, 'count')
    return statementOf(query, scope, isOfAll ? 'allDocumentsCount' : 'documentsCount', page, make, few)
  }

  return {
    listIds,
    listPageOfIds,
    listRows,
    count,
    async listDocuments(query, scope, window) {
      const { limit = all, maxBytes } = window
      const { rows, ...found } = await listPage(query, scope, window, 'documents')
      return { ...found, documents: await documentsOfRows(tables, rows.slice(0, limit), maxBytes), hasMore: rows.length > limit }
    },
    async listItems(items, scope) {
      const isRestricted = scope.readableAcps !== undefined
      const statement = prepare(listedItems({ dialect, isRestricted }, items), `values of ${items.name}`)
      return (await listed(scope, statement(runOf(scope, { limit: items.limit, offset: 0 })))).map(([value]) => value as string)
    },
    async summarise(query, scope, summary) {
      const target = targetOf(query, scope)
      const run = runOf(scope, { limit: query.limit ?? all, offset: query.offset })
      const { of } = summary
      if (of.kind === 'facets')
        return summariseFacets(summary, of, await listed(scope, prepare(facetGroups(target), query.text)(run)))
      const { statement, read } = summarySearch(target, summary, of)
      return read(await listed(scope, prepare(statement, query.text)(run)))
    },
    async summariseParts(query, scope, summary, partings) {
      const { of } = summary
      // Facets are counted by types, of which there are few.
      if (of.kind === 'facets' || !partings.every(isOfValues)) return undefined
      const { statement, read } = partedSearch(targetOf(query, scope), summary, of, partings)
      const run = runOf(scope, { limit: query.limit ?? all, offset: query.offset })
      return read(await listed(scope, prepare(statement, query.text)(run)))
    },
  }
}

// A statement depends on nothing but the query and the engine.
const preparedFor = memoised((_: Dialect) => createPreparedSearches())

function withoutOrder(query: Query): Query {
  return { ...query, order: [] }
}

/** More rows than there are. */
const all = Number.MAX_SAFE_INTEGER

/** The rows of a page. */
interface FoundRows {
  readonly rows: readonly SqlRow[]
  /** How many there are of the query, where the statement had to look at them all. */
  readonly total?: number
}

const pageForms = {
  documents: { plain: ['documents', documentsPage], counted: ['countedDocuments', countedDocumentsPage] },
  ids: { plain: ['ids', idsPage], counted: ['countedIds', countedIdsPage] },
} as const

/** The same list of the same rows, by which callers know it again. */
function idsIn(rows: readonly SqlRow[], limit: number): readonly string[] {
  const lists = idListsOf(rows)
  const known = lists.get(limit) ?? rows.slice(0, limit).map(([id]) => id as string)
  lists.set(limit, known)
  return known
}

const idListsOf = memoised((_: readonly SqlRow[]) => new Map<number, readonly string[]>())

/** Whether a page takes a look at all that is found: it starts from few, or has the best of those that match words. */
function seesAll(query: Query, lead: SearchLead | undefined): boolean {
  return typeof lead === 'number' || ranksMatches(query)
}

const ranksMatches = memoised((query: Query): boolean => usesScore(query.order) && requiresMatch(query))

/** How many of the found LIMIT and OFFSET of the query leave. */
function withinQuery({ limit = all, offset }: Query, found: number): number {
  return Math.max(0, Math.min(limit, found - offset))
}

type Page = Pick<SearchRun, 'limit' | 'offset'>

/** The page within what LIMIT and OFFSET of the query leave. */
function pageOf(query: Query, { offset, limit = all }: SearchWindow): Page {
  const left = query.limit === undefined ? all : Math.max(0, query.limit - offset)
  return { limit: Math.min(limit, left), offset: query.offset + offset }
}

function runOf({ now, readableAcps = [], user }: SearchScope, page: Page): SearchRun {
  return { now, readableAcps, user, ...page }
}

/** Caches what is made of a query for as long as the query itself is cached. */
interface PreparedSearches {
  /** `form` tells the statements of one query apart. */
  find(query: Query, form: string, make: () => Sql): PreparedStatement
  /** Several that belong together. */
  findAll(query: Query, form: string, make: () => readonly Sql[]): readonly PreparedStatement[]
}

function createPreparedSearches(): PreparedSearches {
  const formsOf = memoised((_: Query) => new Map<string, readonly PreparedStatement[]>())

  function findAll(query: Query, form: string, make: () => readonly Sql[]): readonly PreparedStatement[] {
    const forms = formsOf(query)
    const known = forms.get(form) ?? make().map((template) => prepare(template, query.text))
    forms.set(form, known)
    return known
  }
  return {
    findAll,
    find: (query, form, make) => findAll(query, form, () => [make()])[0] as PreparedStatement,
  }
}

/** The engine for a principal that may not read all: what counts documents counts those that the run may read. */
function forReadable(dialect: Dialect): Dialect {
  // Served by documents_by_parent, from the beginning of the folder up to the document.
  const readablePosition = sql`(CASE WHEN documents.pos IS NOT NULL THEN (
    SELECT CAST(count(*) AS INTEGER) FROM documents AS sibling
     WHERE sibling.parent_id = documents.parent_id AND sibling.pos < documents.pos
       AND ${isReadable(dialect, raw('sibling.acp_id'), false)}) END)`
  return { ...dialect, search: { ...dialect.search, readablePosition } }
}
