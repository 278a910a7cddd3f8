/** Where a list stands in its whole (contract: search 15). */
export interface Page {
  /** Total after security; -2 when counting stopped at the limit, -1 when nothing was counted. */
  readonly resultsCount: number
  /** As asked, not clamped; 0 means no paging. */
  readonly pageSize: number
  /** 0: as large as the client likes. */
  readonly maxPageSize: number
  /** Counting stops here; 0 means never. */
  readonly resultsCountLimit: number
  readonly currentPageSize: number
  readonly currentPageIndex: number
  readonly currentPageOffset: number
  readonly isSortable: boolean
  readonly error: string | null
}

export const nothingCounted = -1
export const unknownCount = -2

/** The size that counts: none asked for means the maximum, and no client gets more. */
export function effectivePageSize(pageSize: number, maxPageSize: number): number {
  if (maxPageSize <= 0) return pageSize <= 0 ? Number.MAX_SAFE_INTEGER : pageSize
  return pageSize <= 0 || pageSize > maxPageSize ? maxPageSize : pageSize
}

export function numberOfPages(page: Page): number {
  if (page.pageSize <= 0) return 1
  if (page.resultsCount < 0) return 0
  const size = effectivePageSize(page.pageSize, page.maxPageSize)
  // Truncating division: no results are one page, but none when a page holds one entry; clients assert both.
  return 1 + Math.trunc((page.resultsCount - 1) / size)
}

export function isPreviousPageAvailable(page: Page): boolean {
  return page.currentPageOffset > 0
}

export function isNextPageAvailable(page: Page): boolean {
  if (page.pageSize <= 0) return false
  const size = effectivePageSize(page.pageSize, page.maxPageSize)
  if (page.resultsCount < 0) return page.currentPageSize >= size
  return page.resultsCount > size + page.currentPageOffset
}

export function isLastPageAvailable(page: Page): boolean {
  return page.resultsCount >= 0 && isNextPageAvailable(page)
}
