import { roughSize } from '../../../base/json.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { Query } from '../../../nxql/query.ts'
import { requireWithin } from '../../../nxql/query-limits.ts'
import { documentsTooLarge } from '../../../store/problems.ts'
import type { SearchScope } from '../../../store/search.ts'
import { hasPermission } from '../../permissions.ts'
import type { Session } from '../../session.ts'
import { type FoundDocuments, knownCount, type PageWindow } from './found-page.ts'
import { throughProxies } from './through-proxies.ts'

const idsAtOnce = 100

/** Whether the first column names the documents, rather than the query finding them itself. */
export function selectsOtherDocuments({ selection }: Query): boolean {
  if (selection.kind === 'documents') return false
  const first = selection.kind === 'columns' ? selection.columns[0]?.value : undefined
  return !(first?.kind === 'system' && first.name === 'ecm:uuid')
}

/**
 * The documents whose ids are in the first column, in the order of the rows and as often as they are there. What is no id, and what
 * the principal cannot browse, is left out before anything is counted or paged; so the rows have to be read up to the page at least.
 */
export async function findByColumn(
  session: Session,
  query: Query,
  scope: SearchScope,
  { offset, limit = Number.POSITIVE_INFINITY, countLimit, maxBytes }: PageWindow,
): Promise<FoundDocuments> {
  const ids = await listNamedIds(session, query, scope)
  const page: Document[] = []
  let count = 0
  let bytes = 0
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    for (const document of await findBrowsable(session, ids.slice(start, start + idsAtOnce), maxBytes)) {
      if (count >= offset && count < offset + limit) {
        page.push(document)
        bytes += roughSize(document.properties)
      }
      count += 1
    }
    if (maxBytes !== undefined && bytes > maxBytes) throw documentsTooLarge({ maxBytes })
    if (count >= offset + limit && knownCount(count, countLimit) === undefined) break
  }
  return { documents: await throughProxies(session, page, maxBytes), count: knownCount(count, countLimit) }
}

/** @throws queryTooLarge: all of them are in memory at once. */
async function listNamedIds(session: Session, query: Query, scope: SearchScope): Promise<readonly DocumentId[]> {
  const { limits } = session.repository.searchRules.query
  const rows = await session.reader.search.listRows(ofFirstColumn(query), scope, { offset: 0, limit: limits.namedDocuments + 1 })
  requireWithin(limits, 'namedDocuments', rows.length)
  return rows.flatMap(([first]) => (typeof first === 'string' ? [first] : []))
}

/** Without the columns that are not read; they tell the rows of a DISTINCT query apart. */
function ofFirstColumn(query: Query): Query {
  const { selection, isDistinct } = query
  if (selection.kind !== 'columns' || isDistinct) return query
  return { ...query, selection: { kind: 'columns', columns: selection.columns.slice(0, 1) } }
}

async function findBrowsable(
  session: Session,
  ids: readonly DocumentId[],
  maxBytes: number | undefined,
): Promise<readonly Document[]> {
  const found = await session.reader.documents.findAll([...new Set(ids)], maxBytes)
  const browsable = new Map<DocumentId, Document>()
  for (const document of found) if (await hasPermission(session, document, 'Browse')) browsable.set(document.id, document)
  return ids.flatMap((id) => browsable.get(id) ?? [])
}
