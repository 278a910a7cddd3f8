import type { RowPage } from '../../core/search/provider-page.ts'
import type { Entity } from './document-entity.ts'
import { writePage } from './page-fields.ts'

/** Lists of rows do without those that were added for documents. */
const pageFields = [
  'isPaginable',
  'resultsCount',
  'pageSize',
  'maxPageSize',
  'currentPageSize',
  'currentPageIndex',
  'numberOfPages',
  'isPreviousPageAvailable',
  'isNextPageAvailable',
  'isLastPageAvailable',
  'isSortable',
  'hasError',
  'errorMessage',
]

/** The `recordSet` entity: rows by the names of their columns. */
export function writeRecordSet({ page, rows }: RowPage): Entity {
  const fields = writePage(page)
  return { 'entity-type': 'recordSet', ...Object.fromEntries(pageFields.map((name) => [name, fields[name]])), entries: rows }
}
