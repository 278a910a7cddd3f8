import { defineProblem } from '../../base/problem.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import type { Sort } from '../../core/search/query/sort.ts'
import { type Static, Type } from '../openapi/schema.ts'
import { readQuery, splitAtCommas } from '../payload/declared-input.ts'

/** Which page of a list a client asks for, how long, in which order, counted how far. What it leaves open is absent. */
export interface Paging extends Pick<ProviderRequest, 'pageSize' | 'pageIndex' | 'offset' | 'sort'> {
  /** Counting stops here. Absent: it does not. */
  readonly maxResults?: number
}

export const invalidNumber = defineProblem(
  'invalidNumber',
  'invalid',
  (of: { parameter: string; text: string }) => `Invalid parameter: ${of.parameter}`,
)

/** A whole number, refused in the words that clients know. */
export function numberParameter(description: string, aliases: readonly string[] = []) {
  const number = Type.Optional(Type.Integer({ description }))
  return Type.Aliased(
    Type.Refused(number, ({ name: parameter, value }) => invalidNumber({ parameter, text: String(value) })),
    aliases,
  )
}

const sorting = {
  sortBy: Type.Names({ description: 'Columns to sort by, instead of the usual order' }),
  sortOrder: Type.Names({ description: '`asc` for each of sortBy that is to ascend; anything else descends' }),
}

/** Query parameters of a search. */
export const searchPaging = {
  pageSize: numberParameter('Entries a page; that of the provider unless told. 0: one page, as long as is allowed'),
  currentPageIndex: numberParameter('Page, counted from 0'),
  offset: numberParameter('First entry, instead of a page', ['currentPageOffset']),
  ...sorting,
}

/** Query parameters of every other list. */
export const pagingParameters = {
  pageSize: numberParameter('Entries a page, 50 unless told. 0 or less: as many as allowed', ['pagesize']),
  currentPageIndex: numberParameter('Page, counted from 0', ['page']),
  offset: searchPaging.offset,
  ...sorting,
}

export const maxResultsParameter = numberParameter('Counting stops here and resultsCount is then -2; -1: never')
export const adapterMaxResults = numberParameter('Counting stops here; -1: never', ['maxResult'])

const ofSearch = Type.Object({ ...searchPaging, maxResults: maxResultsParameter })
const ofAdapter = Type.Object({ ...pagingParameters, maxResults: adapterMaxResults })

/** Of a search, whose provider has a page size of its own. @throws invalidNumber */
export function parsePaging(query: URLSearchParams): Paging {
  return pagingOf(readQuery(ofSearch, query))
}

const adapterPageSize = 50

/** Of a list that an adapter gives, which is as long whatever the provider. @throws invalidNumber */
export function parseAdapterPaging(query: URLSearchParams): Paging & { readonly pageSize: number } {
  const paging = pagingOf(readQuery(ofAdapter, query))
  return { ...paging, pageSize: Math.max(0, paging.pageSize ?? adapterPageSize) }
}

/** Names separated by commas, wherever the parameter is repeated. */
export function listNames(query: URLSearchParams, parameter: string): readonly string[] {
  return listValues(query, parameter).filter((name) => name !== '')
}

function pagingOf({ sortBy = [], sortOrder = [], ...query }: Static<typeof ofSearch>): Paging {
  const { pageSize, currentPageIndex: pageIndex, offset, maxResults } = query
  const sort = sortsOf(
    sortBy.filter((column) => column !== ''),
    sortOrder,
  )
  return {
    ...(pageSize !== undefined && { pageSize }),
    ...(pageIndex !== undefined && { pageIndex }),
    ...(offset !== undefined && { offset }),
    ...(sort.length > 0 && { sort }),
    ...(maxResults !== undefined && maxResults > 0 && { maxResults }),
  }
}

/** An order that is missing or not `asc` is descending. */
export function sortsOf(columns: readonly string[], orders: readonly string[]): readonly Sort[] {
  return columns.map((column, index) => ({ column, isAscending: orders[index]?.toLowerCase() === 'asc' }))
}

function listValues(query: URLSearchParams, parameter: string): readonly string[] {
  return query.getAll(parameter).flatMap(splitAtCommas)
}

/** @throws invalidNumber */
export function parseWholeNumber(parameter: string, text: string): number {
  const number = Number(text)
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(number)) throw invalidNumber({ parameter, text })
  return number
}
