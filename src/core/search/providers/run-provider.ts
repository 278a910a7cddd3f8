import { defineProblem, Problem } from '../../../base/problem.ts'
import { documentsTooLarge } from '../../../store/problems.ts'
import type { Session } from '../../session.ts'
import { computeAggregates } from '../aggregates/compute-aggregates.ts'
import type { PageWindow } from '../page/found-page.ts'
import { failedPage, type PagePlan, pageOf, planPage } from '../page/page-plan.ts'
import type { ProviderPage, QuickFilterState, RowPage } from '../page/provider-page.ts'
import { compile, searchDocuments, searchRows } from '../page/run-query.ts'
import { activeFilters } from '../query/effective-sort.ts'
import { announceSearch } from './announce-search.ts'
import type { PageProvider } from './page-provider.ts'
import { type ProviderSearch, prepareSearch } from './prepare-search.ts'
import type { ProviderRequest } from './provider-request.ts'

export const givesNoDocuments = defineProblem(
  'givesNoDocuments',
  'invalid',
  (of: { name: string }) => `The page provider '${of.name}' gives rows, not documents.`,
)

/** A page of the documents that a provider finds. What is wrong with the request is the error of the page. */
export async function runProvider(session: Session, provider: PageProvider, request: ProviderRequest): Promise<ProviderPage> {
  const plan = planPage(provider, request, session.repository.searchRules)
  const quickFilters = filterStates(provider, request)
  try {
    // It may find what the caller cannot browse, because only the selected columns are shown.
    if (provider.kind === 'rows') throw givesNoDocuments(provider)
    const search = prepareSearch(session, provider, request)
    const page: ProviderPage = { ...(await findPage(session, search, plan)), quickFilters }
    await announceSearch(session, search, page)
    return page
  } catch (error) {
    return { page: failedPage(plan, refusalOf(error)), documents: [], aggregates: [], quickFilters }
  }
}

/** A page of the rows that the query of a provider selects. */
export async function runRowProvider(session: Session, provider: PageProvider, request: ProviderRequest): Promise<RowPage> {
  const plan = planPage(provider, request, session.repository.searchRules)
  try {
    const search = prepareSearch(session, provider, request)
    const { rows, count } = await searchRows(
      reachOf(session, search),
      compile(session, search.narrowed, 'records'),
      windowOf(plan),
    )
    return { page: pageOf(plan, rows.length, count), rows }
  } catch (error) {
    return { page: failedPage(plan, refusalOf(error)), rows: [] }
  }
}

async function findPage(session: Session, search: ProviderSearch, plan: PagePlan): Promise<Omit<ProviderPage, 'quickFilters'>> {
  const reach = reachOf(session, search)
  const query = compile(session, search.narrowed)
  const { documents, count } = await searchDocuments(reach, query, {
    ...windowOf(plan),
    maxBytes: session.repository.rules.maxListedBytes,
  })
  const aggregates = await computeAggregates(reach, search.text, search.aggregates, {
    onlySelected: search.request.skipsAggregates ?? false,
  })
  return { page: pageOf(plan, documents.length, count), documents, aggregates, query }
}

function reachOf(session: Session, { provider }: ProviderSearch): Session {
  return provider.isUnrestricted ? session.asSystem() : session
}

function windowOf({ offset, limit, countLimit }: PagePlan): PageWindow {
  return { offset, ...(limit !== undefined && { limit }), ...(countLimit !== undefined && { countLimit }) }
}

/** Anything but a mistake in the query is not the page's to tell. */
function refusalOf(error: unknown): string {
  if (documentsTooLarge.is(error)) throw error
  if (error instanceof Problem && error.kind === 'invalid') return error.message
  throw error
}

function filterStates(provider: PageProvider, request: ProviderRequest): readonly QuickFilterState[] {
  const active = new Set(activeFilters(provider, request))
  return (provider.quickFilters ?? []).map((filter) => ({ name: filter.name, isActive: active.has(filter) }))
}
