import { type Document, titleOf } from '../../model/document.ts'
import { blobWriterFor } from '../../rest/blob-json.ts'
import type { Entity } from '../../rest/document-entity.ts'
import { documentPlan } from '../../rest/document-plan.ts'
import type { RenderContext } from '../../rest/rendering.ts'
import { criteriaOf } from './saved-criteria.ts'
import { furtherTextFields, numberFields, readFields, readNamedParams, textFields } from './saved-search.ts'

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
