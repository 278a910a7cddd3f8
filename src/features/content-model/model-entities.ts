import type { DocumentType, Facet } from '../../model/document-type.ts'
import type { Model } from '../../model/model.ts'
import type { DocumentSchema } from '../../model/schema.ts'
import type { Static } from '../../rest/openapi/schema.ts'
import { type FieldStyle, writeFields } from './field-definition.ts'
import type { facetSchema, schemaSchema, typeSchema } from './model-documentation.ts'

type SchemaEntity = Static<typeof schemaSchema>
type TypeEntity = Static<typeof typeSchema>
type FacetEntity = Static<typeof facetSchema>

/** A schema alone. Only a prefix that was declared is shown: without one the name of the schema takes its place in properties. */
export function writeSchema({ name, prefix, fields }: DocumentSchema, style: FieldStyle): SchemaEntity {
  const prefixes = prefix === undefined ? {} : { prefix, '@prefix': prefix }
  return { 'entity-type': 'schema', name, ...prefixes, fields: writeFields(fields, style) }
}

/** A type with everything that its documents have, inherited facets and schemas brought by facets included. */
export function writeType(model: Model, type: DocumentType, style: FieldStyle): TypeEntity {
  const { facets, schemas } = model.shapeOf({ type: type.name })
  return {
    'entity-type': 'docType',
    name: type.name,
    parent: type.extends ?? null,
    facets,
    schemas: schemas.map((schema) => writeSchema(schema, style)),
  }
}

export function writeFacet(model: Model, facet: Facet, style: FieldStyle): FacetEntity {
  const schemas = schemasOf(model, facet).map((schema) => writeSchema(schema, style))
  return { 'entity-type': 'facet', name: facet.name, ...(schemas.length > 0 && { schemas }) }
}

export function schemasOf(model: Model, facet: Facet): readonly DocumentSchema[] {
  return facet.schemas.flatMap((name) => model.schemas.get(name) ?? [])
}
