import { type Static, Type } from '../../rest/openapi/schema.ts'
import { entityBody } from '../../rest/payload/entity-payload.ts'
import { type CommentKind, draftOf, sentFields, sharedFields, textOf, writeComments } from '../comments/index.ts'

/** An annotation as clients see it: a comment on a place in a file (contract: adapters 6). */
export const annotationEntity = Type.Object(
  {
    'entity-type': Type.Literal('annotation'),
    ...sharedFields,
    xpath: Type.Nullable(Type.String({ description: 'The file' })),
    documentId: Type.Nullable(Type.String({ description: 'The same as parentId' })),
  },
  { $id: 'Annotation' },
)

export const annotationsSchema = Type.Object(
  { 'entity-type': Type.Literal('annotations'), entries: Type.Array(annotationEntity) },
  { $id: 'Annotations' },
)

export const annotationBody = entityBody(
  'annotation',
  {
    ...sentFields,
    id: Type.Optional(Type.Nullable(Type.String({ maxLength: 1_000, description: 'The entityId of a new one that has none' }))),
    xpath: Type.Optional(Type.Nullable(Type.String({ maxLength: 1_000, description: 'The file, such as file:content' }))),
  },
  [{ 'entity-type': 'annotation', xpath: 'file:content', entity: '<annotation/>' }],
)

export type SentAnnotation = Static<typeof annotationBody>

export const annotations: CommentKind<typeof annotationBody> = {
  type: 'Annotation',
  entityType: 'annotation',
  schema: annotationEntity,
  body: annotationBody,
  draftOf({ id, xpath, ...sent }, isNew) {
    // Ids are the server's to give; by the one that a client made up it looks for the annotation later.
    const named = isNew && (sent.entityId ?? null) === null && typeof id === 'string' ? { ...sent, entityId: id } : sent
    const draft = draftOf(named)
    return xpath === undefined ? draft : { ...draft, properties: { ...draft.properties, 'annotation:xpath': xpath } }
  },
  async write(context, placed) {
    const written = await writeComments(context, placed)
    return written.map((one, index) => ({
      'entity-type': 'annotation',
      ...one,
      xpath: placed[index] === undefined ? null : textOf(placed[index].comment, 'annotation:xpath'),
      documentId: one.parentId,
    }))
  },
}
