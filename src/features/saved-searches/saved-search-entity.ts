import { type Document, titleOf } from '../../model/document.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { blobWriterFor } from '../../rest/render/blob-json.ts'
import type { Entity } from '../../rest/render/document-entity.ts'
import { documentPlan } from '../../rest/render/document-plan.ts'
import type { RenderContext } from '../../rest/render/rendering.ts'
import { criteriaOf } from './saved-criteria.ts'
import { furtherTextFields, numberFields, readFields, readNamedParams, textFields } from './saved-search.ts'

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

/** The `savedSearch` entity. All its fields are always there; clients read the numbers as texts. */
export function writeSavedSearch(context: RenderContext, document: Document): Entity {
  const fields = readFields(document)
  const entity: Entity = { 'entity-type': 'savedSearch', id: document.id, title: titleOf(document) }
  for (const key of keysOf(textFields)) entity[key] = fields[key]
  for (const key of keysOf(numberFields)) entity[key] = fields[key] === null ? null : String(fields[key])
  for (const key of keysOf(furtherTextFields)) entity[key] = fields[key]
  entity['params'] = { ...readNamedParams(document), ...writeSchemas(context, document) }
  return entity
}

/** What of the schemas asked for is filled in, criteria under their plain names. */
function writeSchemas(context: RenderContext, document: Document): Entity {
  const { model } = context.session
  if (context.schemas.length === 0) return {}
  const shape = model.shapeOf(document)
  const plan = documentPlan(model, shape, document.isProxy).properties(context.schemas)
  const plainNames = new Map(criteriaOf(model, shape).map(({ name, field }) => [name, field.name]))
  const shown = plan.write(document, blobWriterFor(context, document, true))
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [plainNames.get(name) ?? name, value]))
}

function keysOf<Key extends string>(fields: { readonly [key in Key]: string }): readonly Key[] {
  return Object.keys(fields) as Key[]
}
