import { defineProblem } from '../../base/problem.ts'
import { isColumn } from '../../core/search/query/effective-sort.ts'
import type { Sort } from '../../core/search/query/sort.ts'

export const invalidOrder = defineProblem(
  'invalidOrder',
  'invalid',
  (of: { orderBy: string }) =>
    `Invalid parameter: orderBy. '${of.orderBy}' is not a list of fields, each with ASC or DESC or neither`,
)

/** `dc:title DESC, dc:created` as columns to sort by. @throws invalidOrder */
export function parseOrderBy(orderBy: string): readonly Sort[] {
  return orderBy.split(',').map((item) => {
    const [column = '', direction = 'asc', ...more] = item.trim().split(/\s+/)
    if (!isColumn(column) || !/^(?:asc|desc)$/i.test(direction) || more.length > 0) throw invalidOrder({ orderBy })
    return { column, isAscending: direction.toLowerCase() === 'asc' }
  })
}
