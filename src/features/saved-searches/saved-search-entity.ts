import { type Document, titleOf } from '../../model/document.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { blobWriterFor } from '../../rest/render/blob-json.ts'
import { documentPlan } from '../../rest/render/document-plan.ts'
import type { RenderContext } from '../../rest/render/rendering.ts'
import { criteriaOf } from './saved-criteria.ts'
import { readFields, readNamedParams } from './saved-search.ts'

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
