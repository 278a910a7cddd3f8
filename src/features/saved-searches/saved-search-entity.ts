import { type Document, titleOf } from '../../model/document.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { blobWriterFor } from '../../rest/render/blob-json.ts'
import { documentPlan } from '../../rest/render/document-plan.ts'
import type { RenderContext } from '../../rest/render/rendering.ts'
import { criteriaOf } from './saved-criteria.ts'
import { readFields, readNamedParams } from './saved-search.ts'

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

const shownText = Type.Nullable(Type.String())
const digits = Type.Nullable(Type.String({ description: 'A number in digits' }))

/** The `savedSearch` entity. All its fields are always there; clients read the numbers as texts. */
export const savedSearchSchema = Type.Object(
  {
    'entity-type': Type.Literal('savedSearch'),
    id: Type.String(),
    title: Type.String(),
    queryParams: shownText,
    query: shownText,
    queryLanguage: shownText,
    pageProviderName: shownText,
    pageSize: digits,
    currentPageIndex: digits,
    maxResults: digits,
    sortBy: shownText,
    sortOrder: shownText,
    contentViewData: shownText,
    params: Type.Record(Type.Unknown(), { description: 'Named parameters, and what of the schemas asked for is filled in' }),
  },
  { $id: 'SavedSearch' },
)

export const savedSearchesSchema = Type.Object(
  { 'entity-type': Type.Literal('savedSearches'), entries: Type.Array(savedSearchSchema) },
  { $id: 'SavedSearches' },
)

type SavedSearchEntity = Static<typeof savedSearchSchema>

export function writeSavedSearch(context: RenderContext, document: Document): SavedSearchEntity {
  const { pageSize, currentPageIndex, maxResults, sortBy, sortOrder, contentViewData, ...query } = readFields(document)
  return {
    'entity-type': 'savedSearch',
    id: document.id,
    title: titleOf(document),
    queryParams: query.queryParams,
    query: query.query,
    queryLanguage: query.queryLanguage,
    pageProviderName: query.pageProviderName,
    pageSize: inDigits(pageSize),
    currentPageIndex: inDigits(currentPageIndex),
    maxResults: inDigits(maxResults),
    sortBy,
    sortOrder,
    contentViewData,
    params: { ...readNamedParams(document), ...writeSchemas(context, document) },
  }
}

function inDigits(number: number | null): string | null {
  return number === null ? null : String(number)
}

/** What of the schemas asked for is filled in, criteria under their plain names. */
function writeSchemas(context: RenderContext, document: Document): SavedSearchEntity['params'] {
  const { model } = context.session
  if (context.schemas.length === 0) return {}
  const shape = model.shapeOf(document)
  const plan = documentPlan(model, shape, document.isProxy).properties(context.schemas)
  const plainNames = new Map(criteriaOf(model, shape).map(({ name, field }) => [name, field.name]))
  const shown = plan.write(document, blobWriterFor(context, document, true))
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [plainNames.get(name) ?? name, value]))
}
