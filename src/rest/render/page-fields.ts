import { isNextPageAvailable, numberOfPages, type Page } from '../../core/search/page.ts'

/** The fields of every paged list, in their order; `totalSize` is for lists of documents only. */
export function writePage(
  page: Page,
  options: { readonly hasTotalSize: boolean } = { hasTotalSize: true },
): { [field: string]: unknown } {
  const pages = numberOfPages(page)
  const hasNext = isNextPageAvailable(page)
  return {
    isPaginable: true,
    resultsCount: page.resultsCount,
    pageSize: page.pageSize,
    maxPageSize: page.maxPageSize,
    resultsCountLimit: page.resultsCountLimit,
    currentPageSize: page.currentPageSize,
    currentPageIndex: page.currentPageIndex,
    currentPageOffset: page.currentPageOffset,
    numberOfPages: pages,
    isPreviousPageAvailable: page.currentPageOffset > 0,
    isNextPageAvailable: hasNext,
    isLastPageAvailable: page.resultsCount >= 0 && hasNext,
    isSortable: page.isSortable,
    hasError: page.error !== null,
    errorMessage: page.error,
    ...(options.hasTotalSize && { totalSize: page.resultsCount }),
    pageIndex: page.currentPageIndex,
    pageCount: pages,
  }
}
