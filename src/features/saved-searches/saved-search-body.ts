import { Type } from '../../rest/schema.ts'

const text = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))
const number = (description: string) => Type.Optional(Type.Union([Type.Integer(), Type.String(), Type.Null()], { description }))

/** The `savedSearch` entity as clients send it. */
export const savedSearchBody = Type.Object(
  {
    'entity-type': Type.Literal('savedSearch'),
    title: Type.String(),
    queryParams: text('Fills the `?` of the query; `$currentUser` is whoever runs it'),
    query: text('NXQL, with queryLanguage and without pageProviderName'),
    queryLanguage: text('`NXQL`'),
    pageProviderName: text('A page provider instead of a query'),
    pageSize: number('Entries a page'),
    currentPageIndex: number('Page, counted from 0'),
    maxResults: number('Counting stops here; of queries only'),
    sortBy: text('Columns, separated by commas'),
    sortOrder: text('`asc` for each column that is to ascend'),
    contentViewData: text('Whatever a user interface keeps with it'),
    params: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Named parameters' })),
  },
  { additionalProperties: true },
)
