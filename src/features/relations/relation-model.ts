import { defineDirectory } from '../../core/directories/directory-definition.ts'
import { defineDocumentType } from '../../model/document-type.ts'
import { alike, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const relationSchema = defineSchema('relation', {
  prefix: 'relation',
  fields: {
    ...alike(string(), 'predicate', 'sourceUri', 'targetUri'),
    ...alike(string({ indexed: 'sparse' }), 'source', 'target'),
    targetString: string({ maxLength: 10_000 }),
  },
})

/** Relations are documents without a place and without rights of their own: only the server and administrators see them. */
export const relationType = 'DefaultRelation'

/** Beside `Document` the other type that extends none: what relates documents is not found among them. */
export const relationTypes = [
  defineDocumentType('Relation', { schemas: ['relation', 'dublincore'] }),
  defineDocumentType(relationType, { extends: 'Relation', facets: ['HiddenInNavigation'] }),
]

export const predicateDirectories = ['predicates', 'inverse_predicates'].map((name) =>
  defineDirectory(name, {
    schema: 'vocabulary',
    dataFile: new URL(`./data/${name}.csv`, import.meta.url),
    labels: new URL(`./data/labels-${name}.json`, import.meta.url),
  }),
)
