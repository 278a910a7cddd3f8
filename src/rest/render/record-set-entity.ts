import type { RowPage } from '../../core/search/page/provider-page.ts'
import { type Static, Type } from '../openapi/schema.ts'
import { placeFields, writePlace } from './page-fields.ts'

const { resultsCountLimit: _limit, currentPageOffset: _offset, ...rowPlaceFields } = placeFields

/** The `recordSet` entity: rows by the names of their columns. Of its place it says less than lists of documents do. */
export const recordSetSchema = Type.Object(
  {
    'entity-type': Type.Literal('recordSet'),
    ...rowPlaceFields,
    entries: Type.Array(Type.Record(Type.Unknown(), { description: 'Values by the names of their columns' })),
  },
  { $id: 'RecordSet' },
)

export function writeRecordSet({ page, rows }: RowPage): Static<typeof recordSetSchema> {
  const { resultsCountLimit: _limit, currentPageOffset: _offset, ...place } = writePlace(page)
  return { 'entity-type': 'recordSet', ...place, entries: rows }
}
