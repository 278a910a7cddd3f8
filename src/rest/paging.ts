import { defineProblem } from '../base/problem.ts'
import { isScalar } from '../model/field.ts'
import type { Model } from '../model/model.ts'
import type { SortKey } from '../store/documents.ts'
import { effectivePageSize, type Page, unknownCount } from './page.ts'

/** What a client asks of a list: which page, how long, in which order, counted how far. */
export interface Paging {
  readonly pageIndex: number
  /** As asked; 0 or less means as many as allowed. */
  readonly pageSize: number
  /** The clamped size. */
  readonly size: number
  readonly offset: number
  readonly sort: readonly SortRequest[]
  /** Undefined when not given; 0 or less means no limit. */
  readonly maxResults: number | undefined
}

export interface SortRequest {
  readonly field: string
  readonly descending: boolean
}

export const invalidNumber = defineProblem(
  'invalidNumber',
  'invalid',
  (of: { parameter: string; text: string }) => `The parameter ${of.parameter} must be a whole number, not '${of.text}'.`,
)

export const unsortable = defineProblem(
  'unsortable',
  'invalid',
  (of: { field: string }) => `Results cannot be sorted by ${of.field}.`,
)

const defaultPageSize = 50

export function parsePaging(query: URLSearchParams, maxPageSize: number): Paging {
  const pageIndex = Math.max(0, readNumber(query, ['currentPageIndex', 'page']) ?? 0)
  const pageSize = readNumber(query, ['pageSize', 'pagesize']) ?? defaultPageSize
  const size = effectivePageSize(pageSize, maxPageSize)
  const offset = Math.max(0, readNumber(query, ['offset']) ?? (pageSize <= 0 ? 0 : pageIndex * size))
  return { pageIndex, pageSize, size, offset, sort: parseSort(query), maxResults: readNumber(query, ['maxResults', 'maxResult']) }
}

/** The place of a page in its list. `count` is undefined when there is more than was counted. */
export function pageOf(
  paging: Paging,
  found: number,
  count: number | undefined,
  limits: { maxPageSize: number; countLimit: number },
): Page {
  return {
    resultsCount: count ?? unknownCount,
    pageSize: paging.pageSize,
    maxPageSize: limits.maxPageSize,
    resultsCountLimit: limits.countLimit,
    currentPageSize: found,
    currentPageIndex: paging.pageSize <= 0 ? 0 : paging.pageIndex,
    currentPageOffset: paging.offset,
    isSortable: true,
    error: null,
  }
}

/** `sortBy=dc:title,dc:modified&sortOrder=asc`: an order that is missing or not `asc` is descending. */
function parseSort(query: URLSearchParams): SortRequest[] {
  const list = (name: string) =>
    query
      .getAll(name)
      .flatMap((text) => text.split(','))
      .map((text) => text.trim())
  const orders = list('sortOrder')
  return list('sortBy')
    .filter((field) => field !== '')
    .map((field, index) => ({ field, descending: orders[index]?.toLowerCase() !== 'asc' }))
}

// A map, because every object has fields of its own that a client can name: `constructor`, `toString`.
const sortableColumns: ReadonlyMap<string, Extract<SortKey['by'], { kind: 'column' }>['name']> = new Map([
  ['ecm:uuid', 'id'],
  ['ecm:name', 'name'],
  ['ecm:pos', 'position'],
  ['ecm:path', 'path'],
  ['ecm:primaryType', 'type'],
  ['ecm:currentLifeCycleState', 'state'],
  ['uid:major_version', 'majorVersion'],
  ['uid:minor_version', 'minorVersion'],
])

/** @throws unsortable for a field that is none, or that holds lists, blobs or parts. */
export function sortKeys(model: Model, sort: readonly SortRequest[]): readonly SortKey[] {
  return sort.map(({ field, descending }) => {
    const column = sortableColumns.get(field)
    if (column !== undefined) return { by: { kind: 'column', name: column }, descending }
    const property = model.findProperty(field)
    if (property === undefined || !isScalar(property.field.type)) throw unsortable({ field })
    const isNumeric = property.field.type.kind === 'long' || property.field.type.kind === 'double'
    return { by: { kind: 'property', name: property.name, isNumeric }, descending }
  })
}

function readNumber(query: URLSearchParams, names: readonly string[]): number | undefined {
  for (const parameter of names) {
    const text = query.get(parameter)?.trim()
    if (text === undefined || text === '') continue
    const number = Number(text)
    if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(number)) throw invalidNumber({ parameter, text })
    return number
  }
  return undefined
}
