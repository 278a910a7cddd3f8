import type { DocumentType } from '../../model/document-type.ts'
import type { Model } from '../../model/model.ts'
import type { DocumentSchema } from '../../model/schema.ts'
import type { Static } from '../../rest/openapi/schema.ts'
import { type FieldDefinitions, writeFields } from './field-definition.ts'
import type { allFacetsSchema, allSchemasSchema, allTypesSchema } from './model-documentation.ts'
import { schemasOf } from './model-entities.ts'

// Lists have another form than what they list has alone, and no entity types (people 7.4): code generators read them so.

type ListedTypes = Static<typeof allTypesSchema>
type ListedType = ListedTypes['doctypes'][string]
type ListedSchema = Static<typeof allSchemasSchema>[number]
type ListedFacet = Static<typeof allFacetsSchema>[number]

/** What clients read where a type extends nothing. */
const noParent = 'None!!!'

/** All types, and all schemas with their fields beside the prefix. */
export function writeAllTypes(model: Model): ListedTypes {
  return {
    doctypes: Object.fromEntries(byName(model.types).map((type) => [type.name, listType(model, type)])),
    schemas: Object.fromEntries(byName(model.schemas).map((schema) => [schema.name, listFields(schema)])),
  }
}

export function writeAllSchemas(model: Model): readonly ListedSchema[] {
  return byName(model.schemas).map(listSchema)
}

export function writeAllFacets(model: Model): readonly ListedFacet[] {
  return byName(model.facets).map((facet) => {
    const schemas = schemasOf(model, facet).map(listSchema)
    return { name: facet.name, ...(schemas.length > 0 && { schemas }) }
  })
}

function listType(model: Model, type: DocumentType): ListedType {
  const { facets, schemas } = model.shapeOf({ type: type.name })
  return { parent: type.extends ?? noParent, facets, schemas: schemas.map(({ name }) => name) }
}

function listFields(schema: DocumentSchema): FieldDefinitions {
  return { '@prefix': shownPrefix(schema), ...writeFields(schema.fields, 'plain') }
}

function listSchema(schema: DocumentSchema): ListedSchema {
  return { name: schema.name, '@prefix': shownPrefix(schema), fields: writeFields(schema.fields, 'plain') }
}

function shownPrefix({ prefix = '' }: DocumentSchema): string {
  return prefix
}

function byName<Named extends { readonly name: string }>(all: ReadonlyMap<string, Named>): readonly Named[] {
  return [...all.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
}
