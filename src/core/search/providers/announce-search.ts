import { stringifyJson } from '../../../base/json.ts'
import type { Document } from '../../../model/document.ts'
import { accessIn } from '../../access.ts'
import { emptyDocument } from '../../documents/empty-document.ts'
import { announce, searchCategory } from '../../event.ts'
import type { Repository, Session, WriteSession } from '../../session.ts'
import type { ProviderPage } from '../page/provider-page.ts'
import type { PageProvider } from './page-provider.ts'
import type { ProviderSearch } from './prepare-search.ts'

const event = 'search'

/** Tells listeners what was searched for and found, where the provider is one to tell of and there is a listener. */
export async function announceSearch(session: Session, search: ProviderSearch, found: ProviderPage): Promise<void> {
  const { repository } = session
  if (!isTracked(repository, search.provider) || !isListenedTo(repository)) return
  const properties = describe(session, search, found)
  const tell = (telling: WriteSession) =>
    announce(telling, event, searchedFor(telling, search), { category: searchCategory, properties })
  await accessIn(session).write(tell)
}

function isTracked({ searchRules }: Repository, { name, isTracked: saysSo = false }: PageProvider): boolean {
  return saysSo || searchRules.trackedProviders.includes(name) || searchRules.trackedProviders.includes('*')
}

function isListenedTo({ listeners }: Repository): boolean {
  const all = [listeners.inline(event), listeners.afterCommit(event), listeners.asynchronous(event)]
  return all.some((some) => some.length > 0)
}

/** An event is about a document; a search is about the one that holds what was looked for. */
function searchedFor({ repository, model }: Session, { provider, criteria }: ProviderSearch): Document {
  const type = criteria.document?.type ?? 'Document'
  const empty = emptyDocument(model, { repository: repository.name, id: '', name: provider.name, parent: undefined, type })
  return { ...empty, properties: criteria.document?.properties ?? {} }
}

function describe({ repository, principal }: Session, search: ProviderSearch, { page, aggregates }: ProviderPage) {
  const { provider, request, criteria, started } = search
  return {
    pageProviderName: provider.name,
    effectiveQuery: search.text,
    searchPattern: provider.pattern ?? null,
    queryParams: request.parameters ?? [],
    params: request.named ?? {},
    whereClause_fixedPart: provider.whereClause?.fixedPart ?? null,
    whereClause_select: provider.whereClause?.selectStatement ?? null,
    searchDocumentModelAsJson: criteria.document === undefined ? null : stringifyJson(criteria.document),
    searchFields: Object.keys(criteria.document?.properties ?? {}),
    resultsCountInPage: page.currentPageSize,
    resultsCount: page.resultsCount,
    pageSize: page.pageSize,
    pageIndex: page.currentPageIndex,
    principal: principal.name,
    executionTimeMs: Date.parse(repository.now()) - Date.parse(started),
    aggregates: Object.fromEntries(aggregates.map(({ definition, selection }) => [definition.id, selection])),
    aggregatesMatches: Object.fromEntries(aggregates.map(({ definition, result }) => [definition.id, result])),
  }
}
