import { Type } from '../openapi/schema.ts'

/** Query parameters of every paged list, for the documentation. */
export const pagingParameters = {
  currentPageIndex: Type.Optional(Type.String({ description: 'Page, counted from 0. Alias: page' })),
  page: Type.Optional(Type.String({ description: 'Alias of currentPageIndex' })),
  pageSize: Type.Optional(
    Type.String({ description: 'Entries a page, 50 unless told. 0 or less: as many as allowed. Alias: pagesize' }),
  ),
  offset: Type.Optional(Type.String({ description: 'First entry, instead of a page index. Alias: currentPageOffset' })),
  sortBy: Type.Optional(Type.String({ description: 'Fields to sort by, separated by commas' })),
  sortOrder: Type.Optional(
    Type.String({ description: '`asc` for each field of sortBy that is to ascend; anything else descends' }),
  ),
}
