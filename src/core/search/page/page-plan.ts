import type { PageProvider } from '../providers/page-provider.ts'
import type { ProviderRequest } from '../providers/provider-request.ts'
import type { SearchRules } from '../search-rules.ts'
import { effectivePageSize, nothingCounted, type Page, unknownCount } from './page.ts'

/** Which part of the results a request gets, and how far they are counted. */
export interface PagePlan {
  /** As asked; 0 means no pages. */
  readonly pageSize: number
  readonly maxPageSize: number
  readonly pageIndex: number
  readonly offset: number
  /** Undefined: all that is left. */
  readonly limit: number | undefined
  /** Undefined: to the end. */
  readonly countLimit: number | undefined
  readonly isSortable: boolean
}

/** What a list says about its pages. */
type Pages = Pick<PageProvider, 'pageSize' | 'maxPageSize' | 'maxResults' | 'isSortable'>

export function planPage(provider: Pages, request: ProviderRequest, rules: SearchRules): PagePlan {
  const pageSize = notNegative(request.pageSize) ?? provider.pageSize ?? 0
  const maxPageSize = notNegative(provider.maxPageSize) ?? rules.maxPageSize
  const size = effectivePageSize(pageSize, maxPageSize)
  const asked = pageSize === 0 ? 0 : (notNegative(request.pageIndex) ?? 0)
  const offset = notNegative(request.offset) ?? Math.min(asked * size, Number.MAX_SAFE_INTEGER)
  return {
    pageSize,
    maxPageSize,
    pageIndex: pageSize === 0 ? 0 : Math.floor(offset / size),
    offset,
    limit: size === Number.MAX_SAFE_INTEGER ? undefined : size,
    countLimit: planCount(provider, pageSize === 0 ? undefined : size, rules),
    isSortable: provider.isSortable ?? true,
  }
}

/** The facts about a page of so many results. The count is undefined when there are more than were counted. */
export function pageOf(plan: PagePlan, found: number, count: number | undefined): Page {
  return { ...emptyPage(plan), resultsCount: count ?? unknownCount, currentPageSize: found }
}

/** The page of a search that could not be run. */
export function failedPage(plan: PagePlan, error: string): Page {
  return { ...emptyPage(plan), error }
}

function emptyPage(plan: PagePlan): Page {
  return {
    resultsCount: nothingCounted,
    pageSize: plan.pageSize,
    maxPageSize: plan.maxPageSize,
    resultsCountLimit: plan.countLimit ?? 0,
    currentPageSize: 0,
    currentPageIndex: plan.pageIndex,
    currentPageOffset: plan.offset,
    isSortable: plan.isSortable,
    error: null,
  }
}

function planCount({ maxResults }: Pages, size: number | undefined, rules: SearchRules): number | undefined {
  const named = { PAGE_SIZE: size, DEFAULT_NAVIGATION_RESULTS: rules.navigationResults }
  const own = typeof maxResults === 'string' ? named[maxResults] : maxResults
  const limits = [own, rules.countLimit].flatMap((limit) => (limit === undefined || limit <= 0 ? [] : limit))
  return limits.length === 0 ? undefined : Math.min(...limits)
}

function notNegative(number: number | undefined): number | undefined {
  return number === undefined || number < 0 ? undefined : number
}
