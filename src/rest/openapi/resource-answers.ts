import { documentSchema } from '../render/document-entity.ts'
import { documentPageSchema } from '../render/documents-entity.ts'
import { olderPlaceFields, placeFields } from '../render/page-fields.ts'
import type { EntityWriter } from '../render/rendering.ts'
import type { Resource } from '../resource.ts'
import { type Answers, bytesAnswer, type Success } from './answers.ts'
import { type Schema, Type } from './schema.ts'

/** How every download can end. */
export const downloadAnswers = {
  200: bytesAnswer('The bytes'),
  206: bytesAnswer('The bytes of the range that was asked for'),
  302: 'They are at the object store',
  304: 'The client has them already',
  403: 'May not be downloaded',
  404: 'There is no such document or file, or none that may be read',
  412: 'It is not what the conditions of the request ask for',
  416: 'The range starts beyond the end',
} as const satisfies Answers

/** A page of what is no document: users, groups, entries of a directory. */
export function entityPageSchema<const ListType extends string, Entry extends Schema>(
  listType: ListType,
  entry: Entry,
  $id: string,
) {
  return Type.Object(
    { 'entity-type': Type.Literal(listType), ...placeFields, ...olderPlaceFields, entries: Type.Array(entry) },
    { $id },
  )
}

/** An entity of which nothing is known but its type: what plugins answer with that do not say more. */
export const openEntitySchema = Type.Object({ 'entity-type': Type.String() }, { $id: 'Entity', additionalProperties: true })

/** A page of whatever a provider lists. */
export const openPageSchema = Type.Object(
  {
    'entity-type': Type.String(),
    ...placeFields,
    totalSize: Type.Optional(Type.Integer({ description: 'resultsCount, where the list is one of `documents`' })),
    ...olderPlaceFields,
    entries: Type.Array(openEntitySchema),
  },
  { $id: 'EntityPage' },
)

/** What reading a resource of that kind is answered with. */
export function answersOfKind(kind: Resource['kind'] | undefined, entityWriters: ReadonlyMap<string, EntityWriter>): Answers {
  return kind === 'blob' ? downloadAnswers : { 200: answerOfKind(kind, entityWriters) }
}

function answerOfKind(kind: Exclude<Resource['kind'], 'blob'> | undefined, writers: ReadonlyMap<string, EntityWriter>): Success {
  switch (kind) {
    case 'document':
      return documentSchema
    case 'documents':
      return documentPageSchema
    case 'user':
    case 'group':
      return writers.get(kind)?.schema ?? openEntitySchema
    case 'entities':
      return openPageSchema
    case 'root':
    case undefined:
      return openEntitySchema
  }
}
