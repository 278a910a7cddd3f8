import { defineProblem } from '../../base/problem.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import type { Sort } from '../../core/search/query/sort.ts'
import { type ObjectSchema, type Static, Type } from '../openapi/schema.ts'

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
  sortOrder: Type.NamesInPlace({ description: '`asc` for each of sortBy that is to ascend; anything else descends' }),
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

/** Of lists that count as they always do: clients send it to all. */
const notHeeded = 'A number, which is not heeded here'
export const idleMaxResults = numberParameter(notHeeded)
export const idleAdapterMaxResults = numberParameter(notHeeded, ['maxResult'])

/** What was sent of such parameters. */
export type SentPaging = Static<ObjectSchema<typeof searchPaging & { readonly maxResults: typeof maxResultsParameter }>>

/** Of a search, whose provider has a page size of its own. */
export function searchPagingOf({ sortBy = [], sortOrder = [], ...query }: SentPaging): Paging {
  const { pageSize, currentPageIndex: pageIndex, offset, maxResults } = query
  const sort = sortsOf(sortBy, sortOrder)
  return {
    ...(pageSize !== undefined && { pageSize }),
    ...(pageIndex !== undefined && { pageIndex }),
    ...(offset !== undefined && { offset }),
    ...(sort.length > 0 && { sort }),
    ...(maxResults !== undefined && maxResults > 0 && { maxResults }),
  }
}

const adapterPageSize = 50

/** Of a list that an adapter gives, which is as long whatever the provider. */
export function adapterPagingOf(sent: SentPaging): Paging & { readonly pageSize: number } {
  const paging = searchPagingOf(sent)
  return { ...paging, pageSize: Math.max(0, paging.pageSize ?? adapterPageSize) }
}

/** An order that is missing or not `asc` is descending. */
export function sortsOf(columns: readonly string[], orders: readonly string[]): readonly Sort[] {
  return columns.map((column, index) => ({ column, isAscending: orders[index]?.toLowerCase() === 'asc' }))
}

/** @throws invalidNumber */
export function parseWholeNumber(parameter: string, text: string): number {
  const number = Number(text)
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(number)) throw invalidNumber({ parameter, text })
  return number
}
