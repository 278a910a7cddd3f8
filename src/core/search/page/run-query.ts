import { memoised } from '../../../base/cache/memo.ts'
import type { QueryForm } from '../../../nxql/failed-query.ts'
import type { Query } from '../../../nxql/query.ts'
import { type SearchScope, type SearchValue, withOneMore } from '../../../store/search.ts'
import { areReadable } from '../../../store/search-through-cache.ts'
import { isWriting } from '../../access.ts'
import { mostNoted } from '../../noted-rights.ts'
import { noteGranted } from '../../permissions.ts'
import type { SearchIndex, Session } from '../../session.ts'
import { findByColumn, selectsOtherDocuments } from './documents-by-column.ts'
import { type FoundDocuments, type FoundRows, knownCount, type PageWindow } from './found-page.ts'
import type { ResultRow } from './provider-page.ts'
import { throughProxies } from './through-proxies.ts'

/** What the text of a query means here. @throws failedQuery */
export function compile(session: Session, text: string, form: QueryForm = 'documents'): Query {
  return session.repository.queries(text, form)
}

/** A page of the documents that a query finds for the session's principal, as a reader sees them. */
export async function searchDocuments(session: Session, query: Query, window: PageWindow): Promise<FoundDocuments> {
  const found = await findDocuments(session, query, window)
  if (session.principal.granted !== undefined) for (const document of found.documents) noteGranted(session, document, browsing)
  return found
}

async function findDocuments(session: Session, query: Query, window: PageWindow): Promise<FoundDocuments> {
  const scope = await scopeOf(session, query)
  if (selectsOtherDocuments(query)) return findByColumn(session, query, scope, window)
  const { searchIndex } = session.repository
  // What a transaction has written no index knows of.
  const indexed = searchIndex && !isWriting(session) ? await findInIndex(searchIndex, session, query, scope, window) : undefined
  if (indexed !== undefined) return indexed
  const { search } = session.reader
  const { documents, hasMore, total } = await search.listDocuments(query, scope, {
    ...window,
    countsAll: window.countLimit === undefined,
  })
  const count = await countAll(
    window,
    { length: documents.length, hasMore },
    async (limit) => total ?? search.count(query, scope, 'documents', limit),
  )
  return { documents: await throughProxies(session, documents, window.maxBytes), count }
}

/**
 * A page that the index beside the database has found; undefined where the database is to be asked. The index may be behind: what it
 * leads to is loaded with the rights that hold now, and where something of it is gone, or may not be read any more, nothing of the page
 * is shown.
 * @throws documentsTooLarge
 */
async function findInIndex(
  searchIndex: SearchIndex,
  session: Session,
  query: Query,
  scope: SearchScope,
  { offset, limit, countLimit, maxBytes }: PageWindow,
): Promise<FoundDocuments | undefined> {
  const window = { offset, ...(limit !== undefined && { limit }), ...(countLimit !== undefined && { countLimit }) }
  const found = await searchIndex.findPage(session, query, scope, window)
  if (found === undefined) return undefined
  const documents = await session.reader.documents.findAll(found.ids, maxBytes)
  if (documents.length < found.ids.length) {
    const present = new Set(documents.map(({ id }) => id))
    searchIndex.noteGone(
      session.repository,
      found.ids.filter((id) => !present.has(id)),
    )
    return undefined
  }
  if (!areReadable(documents, scope)) return undefined
  return { documents: await throughProxies(session, documents, maxBytes), count: knownCount(found.total, countLimit) }
}

/** A page of the rows that a query selects; `SELECT *` selects the ids of documents. */
export async function searchRows(session: Session, query: Query, window: PageWindow): Promise<FoundRows> {
  const scope = await scopeOf(session, query)
  const listed = await listRows(session, query, scope, withOneMore(window))
  const found = listed.slice(0, window.limit)
  const count = await countAll(window, { length: found.length, hasMore: listed.length > found.length }, (limit) =>
    session.reader.search.count(query, scope, 'rows', limit),
  )
  if (session.principal.granted !== undefined) await noteRows(session, query, scope, window)
  const columns = columnsOf(query)
  return { rows: found.map((row) => namedRow(columns, row)), count }
}

/** Rows do not say of which documents they are, which are found once more for whoever has to check the rights later. */
async function noteRows(session: Session, query: Query, scope: SearchScope, window: PageWindow): Promise<void> {
  const { selection, isDistinct, bindings } = query
  const isOneForEach = selection.kind !== 'totals' && !isDistinct && bindings.length === 0
  const { offset, limit = mostNoted + 1 } = isOneForEach ? window : { offset: 0 }
  const ids = await session.reader.search.listIds(query, scope, { offset, limit: Math.min(limit, mostNoted + 1) })
  const { name: repository } = session.repository
  for (const document of ids) session.principal.granted?.({ repository, document, permission: browsing })
}

/** What makes a document one that may be found. */
const browsing = 'Browse'

/** For whom and when the session searches, with one time limit for all that is asked in it. What is asked decides about the rights. */
export async function scopeOf(session: Session, query: Pick<Query, 'bindings'>): Promise<SearchScope> {
  const readableAcps = await findReadableAcps(session, query)
  return {
    now: session.now,
    stopwatch: { spent: 0 },
    user: session.principal.name,
    ...(readableAcps !== undefined && { readableAcps }),
  }
}

/**
 * Whoever may browse a document need not be told who else may: a query that names access entries finds those documents alone whose
 * entries may be read. A condition on them would tell of others by what it finds.
 */
async function findReadableAcps(session: Session, { bindings }: Pick<Query, 'bindings'>): Promise<readonly number[] | undefined> {
  const { acps } = session.repository
  const browsable = await acps.readableBy(session, browsing)
  if (!bindings.some(({ list }) => list.kind === 'aces')) return browsable
  const withEntries = await acps.readableBy(session, 'ReadSecurity')
  return browsable && withEntries && inBoth(browsable)(withEntries)
}

// The same array for as long as both are: stores keep what they were handed by it.
const inBoth = memoised((some: readonly number[]) =>
  memoised((others: readonly number[]): readonly number[] => {
    const among = new Set(others)
    return some.filter((id) => among.has(id))
  }),
)

async function listRows(
  { reader }: Session,
  query: Query,
  scope: SearchScope,
  window: PageWindow,
): Promise<readonly (readonly SearchValue[])[]> {
  if (query.selection.kind !== 'documents') return reader.search.listRows(query, scope, window)
  return (await reader.search.listIds(query, scope, window)).map((id) => [id])
}

interface NamedColumn {
  readonly key: string
  readonly isDate: boolean
}

function columnsOf({ selection }: Query): readonly NamedColumn[] {
  switch (selection.kind) {
    case 'documents':
      return [{ key: 'ecm:uuid', isDate: false }]
    case 'columns':
      return selection.columns.map(({ key, value }) => ({ key, isDate: value.type === 'date' }))
    case 'totals':
      return selection.totals.map(({ key, type }) => ({ key, isDate: type === 'date' }))
  }
}

/** Dates are milliseconds in rows, as clients of record sets expect. */
function namedRow(columns: readonly NamedColumn[], values: readonly SearchValue[]): ResultRow {
  const named = columns.map(({ key, isDate }, index) => {
    const value = values[index] ?? null
    return [key, isDate && typeof value === 'string' ? Date.parse(value) : value]
  })
  return Object.fromEntries(named)
}

interface FoundPart {
  readonly length: number
  /** Whether others follow. */
  readonly hasMore: boolean
}

/** Nothing needs counting where the page shows the end of the list, or that there are more than would be counted. */
async function countAll(
  { offset, countLimit }: PageWindow,
  { length, hasMore }: FoundPart,
  count: (limit: number | undefined) => Promise<number>,
): Promise<number | undefined> {
  const endIsSeen = !hasMore && (length > 0 || offset === 0)
  if (endIsSeen) return knownCount(offset + length, countLimit)
  if (countLimit === undefined) return count(undefined)
  const isBeyondLimit = length > 0 && offset + length + (hasMore ? 1 : 0) > countLimit
  return isBeyondLimit ? undefined : knownCount(await count(countLimit + 1), countLimit)
}
