import { defineProblem } from '../../../base/problem.ts'
import type { PageProvider, QuickFilter } from '../providers/page-provider.ts'
import type { ProviderRequest } from '../providers/provider-request.ts'
import type { Sort } from './sort.ts'

export const unsortableColumn = defineProblem(
  'unsortableColumn',
  'invalid',
  (of: { column: string }) => `Cannot order by column: ${of.column}`,
)

const columnShape = /^[A-Za-z_$][\w:.-]*(?:\/(?:[\w:.-]+(?:\[\d+\])?|\*\d*))*$/

export function isColumn(text: string): boolean {
  return columnShape.test(text)
}

/** The quick filters that the request switches on, in the order of the request. */
export function activeFilters({ quickFilters = [] }: PageProvider, request: ProviderRequest): readonly QuickFilter[] {
  const names = new Set(request.quickFilters ?? [])
  return [...names].flatMap((name) => quickFilters.find((filter) => filter.name === name) ?? [])
}

/**
 * What the request asks for, else what its quick filters do, else the order of the provider.
 * @throws unsortableColumn for what is no column: it would become part of the query.
 */
export function effectiveSort(provider: PageProvider, request: ProviderRequest): readonly Sort[] {
  const { sort: asked = [] } = request
  for (const { column } of asked) if (!isColumn(column)) throw unsortableColumn({ column })
  if (asked.length > 0) return asked
  const ofFilters = activeFilters(provider, request).flatMap(({ sort = [] }) => sort)
  return ofFilters.length > 0 ? ofFilters : (provider.sort ?? [])
}
