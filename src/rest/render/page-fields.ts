import { isNextPageAvailable, numberOfPages, type Page } from '../../core/search/page/page.ts'
import { type Static, Type } from '../openapi/schema.ts'

/** Where a list stands in its whole: fields of every paged list, in their order. */
export const placeFields = {
  isPaginable: Type.Boolean(),
  resultsCount: Type.Integer({ description: 'Of all pages; -2 when counting stopped at the limit, -1 when nothing was counted' }),
  pageSize: Type.Integer({ description: 'As asked for; 0 means no paging' }),
  maxPageSize: Type.Integer({ description: 'Longer pages are cut; 0 means that they are not' }),
  resultsCountLimit: Type.Integer({ description: 'Counting stops here; 0 means never' }),
  currentPageSize: Type.Integer({ description: 'Entries of this page' }),
  currentPageIndex: Type.Integer({ description: 'Counted from 0' }),
  currentPageOffset: Type.Integer({ description: 'Entries before this page' }),
  numberOfPages: Type.Integer({ description: '0 when not everything was counted' }),
  isPreviousPageAvailable: Type.Boolean(),
  isNextPageAvailable: Type.Boolean(),
  isLastPageAvailable: Type.Boolean(),
  isSortable: Type.Boolean(),
  hasError: Type.Boolean(),
  errorMessage: Type.Nullable(Type.String()),
}

/** Two of them once more, by the names they had before; lists of rows do without. */
export const olderPlaceFields = { pageIndex: Type.Integer(), pageCount: Type.Integer() }

type Place = Static<ObjectOf<typeof placeFields>>
type OlderPlace = Static<ObjectOf<typeof olderPlaceFields>>
type ObjectOf<Known extends Parameters<typeof Type.Object>[0]> = ReturnType<typeof Type.Object<Known>>

export function writePlace(page: Page): Place {
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
    numberOfPages: numberOfPages(page),
    isPreviousPageAvailable: page.currentPageOffset > 0,
    isNextPageAvailable: hasNext,
    isLastPageAvailable: page.resultsCount >= 0 && hasNext,
    isSortable: page.isSortable,
    hasError: page.error !== null,
    errorMessage: page.error,
  }
}

export function writeOlderPlace(page: Page): OlderPlace {
  return { pageIndex: page.currentPageIndex, pageCount: numberOfPages(page) }
}
