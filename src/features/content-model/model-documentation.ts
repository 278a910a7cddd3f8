import { Type } from '../../rest/openapi/schema.ts'
import { constraintSchema } from '../../rest/payload/validation-report.ts'

const shownConstraints = Type.Optional(Type.Array(constraintSchema))

const fields = Type.Record(
  Type.Union([
    Type.String({ description: 'string, long, double, boolean, date, binary or blob, with [] behind it for a list' }),
    Type.Object({
      type: Type.String({ description: 'complex or complex[]; with fetch.schema=fields any type' }),
      fields: Type.Optional(Type.Ref('FieldDefinitions')),
      constraints: shownConstraints,
      itemConstraints: shownConstraints,
    }),
  ]),
  { $id: 'FieldDefinitions', description: 'Fields by their names without the prefix' },
)

const declaredPrefix = Type.Optional(Type.String({ description: 'Absent where the name of the schema takes its place' }))

export const schemaSchema = Type.Object(
  {
    'entity-type': Type.Literal('schema'),
    name: Type.String(),
    prefix: declaredPrefix,
    '@prefix': declaredPrefix,
    fields,
  },
  { $id: 'Schema' },
)

export const typeSchema = Type.Object(
  {
    'entity-type': Type.Literal('docType'),
    name: Type.String(),
    parent: Type.Nullable(Type.String()),
    facets: Type.Array(Type.String(), { description: 'Those of the types it extends included' }),
    schemas: Type.Array(schemaSchema, { description: 'Those that its facets bring included' }),
  },
  { $id: 'DocumentType' },
)

export const facetSchema = Type.Object(
  { 'entity-type': Type.Literal('facet'), name: Type.String(), schemas: Type.Optional(Type.Array(schemaSchema)) },
  { $id: 'Facet' },
)

const listedSchema = Type.Object(
  { name: Type.String(), '@prefix': Type.String({ description: 'Empty when the schema declares none' }), fields },
  { $id: 'ListedSchema' },
)

export const allSchemasSchema = Type.Array(listedSchema)

export const allFacetsSchema = Type.Array(
  Type.Object({ name: Type.String(), schemas: Type.Optional(Type.Array(listedSchema)) }, { $id: 'ListedFacet' }),
)

export const allTypesSchema = Type.Object({
  doctypes: Type.Record(
    Type.Object({
      parent: Type.String({ description: 'None!!! for a type that extends nothing' }),
      facets: Type.Array(Type.String()),
      schemas: Type.Array(Type.String()),
    }),
  ),
  schemas: Type.Record(fields, { description: 'The prefix as @prefix, and beside it the fields' }),
})
