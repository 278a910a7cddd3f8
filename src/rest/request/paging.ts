import { defineProblem } from '../../base/problem.ts'
import type { ProviderRequest } from '../../core/search/provider-request.ts'
import type { Sort } from '../../core/search/sort.ts'

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

type NumberName = 'pageSize' | 'pageIndex' | 'offset' | 'maxResults'
type Spellings = { readonly [name in NumberName]: readonly string[] }

const spellings: Spellings = {
  pageSize: ['pageSize'],
  pageIndex: ['currentPageIndex'],
  offset: ['offset', 'currentPageOffset'],
  maxResults: ['maxResults'],
}

/** The older names come second: where both are given they do not count. */
const adapterSpellings: Spellings = {
  pageSize: ['pageSize', 'pagesize'],
  pageIndex: ['currentPageIndex', 'page'],
  offset: spellings.offset,
  maxResults: ['maxResults', 'maxResult'],
}

/** Of a search, whose provider has a page size of its own. @throws invalidNumber */
export function parsePaging(query: URLSearchParams): Paging {
  return parseAs(spellings, query)
}

const adapterPageSize = 50

/** Of a list that an adapter gives, which is as long whatever the provider. @throws invalidNumber */
export function parseAdapterPaging(query: URLSearchParams): Paging & { readonly pageSize: number } {
  const paging = parseAs(adapterSpellings, query)
  return { ...paging, pageSize: Math.max(0, paging.pageSize ?? adapterPageSize) }
}

/** Names separated by commas, wherever the parameter is repeated. */
export function listNames(query: URLSearchParams, parameter: string): readonly string[] {
  return listValues(query, parameter).filter((name) => name !== '')
}

function parseAs(spelled: Spellings, query: URLSearchParams): Paging {
  const pageSize = findNumber(query, spelled.pageSize)
  const pageIndex = findNumber(query, spelled.pageIndex)
  const offset = findNumber(query, spelled.offset)
  const maxResults = findNumber(query, spelled.maxResults)
  const sort = parseSort(query)
  return {
    ...(pageSize !== undefined && { pageSize }),
    ...(pageIndex !== undefined && { pageIndex }),
    ...(offset !== undefined && { offset }),
    ...(sort.length > 0 && { sort }),
    ...(maxResults !== undefined && maxResults > 0 && { maxResults }),
  }
}

/** `sortBy=dc:title,dc:modified&sortOrder=asc`: an order that is missing or not `asc` is descending. */
function parseSort(query: URLSearchParams): readonly Sort[] {
  return sortsOf(listNames(query, 'sortBy'), listValues(query, 'sortOrder'))
}

export function sortsOf(columns: readonly string[], orders: readonly string[]): readonly Sort[] {
  return columns.map((column, index) => ({ column, isAscending: orders[index]?.toLowerCase() === 'asc' }))
}

function listValues(query: URLSearchParams, parameter: string): readonly string[] {
  return query.getAll(parameter).flatMap(splitAtCommas)
}

export function splitAtCommas(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}

function findNumber(query: URLSearchParams, names: readonly string[]): number | undefined {
  for (const parameter of names) {
    const text = query.get(parameter)?.trim()
    if (text !== undefined && text !== '') return parseWholeNumber(parameter, text)
  }
  return undefined
}

/** @throws invalidNumber */
export function parseWholeNumber(parameter: string, text: string): number {
  const number = Number(text)
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(number)) throw invalidNumber({ parameter, text })
  return number
}
