import { alike, clob, complex, date, list, string } from '../../field.ts'
import { defineSchema } from '../../schema.ts'

export const relation = defineSchema('relation', {
  prefix: 'relation',
  fields: {
    ...alike(string(), 'predicate', 'sourceUri', 'targetUri'),
    ...alike(string({ indexed: true }), 'source', 'target'),
    targetString: string({ maxLength: 10_000 }),
  },
})

export const collection = defineSchema('collection', {
  prefix: 'collection',
  fields: { documentIds: list(string()) },
})

export const collectionMember = defineSchema('collectionMember', {
  prefix: 'collectionMember',
  fields: { collectionIds: list(string(), { indexed: true }) },
  writableOnVersions: true,
})

export const facetedTag = defineSchema('facetedTag', {
  prefix: 'nxtag',
  fields: { tags: list(complex({ label: string({ indexed: true }), username: string() })) },
})

/** Where tags were kept before they became data of the tagged document. */
export const tag = defineSchema('tag', {
  prefix: 'tag',
  fields: { label: string() },
})

export const comment = defineSchema('comment', {
  prefix: 'comment',
  fields: {
    author: string(),
    text: clob(),
    ...alike(date(), 'creationDate', 'modificationDate'),
    parentId: string(),
    ancestorIds: list(string(), { indexed: true }),
  },
  html: [{ field: 'text' }],
})

export const annotation = defineSchema('annotation', {
  prefix: 'annotation',
  fields: { xpath: string() },
})

export const externalEntity = defineSchema('externalEntity', {
  prefix: 'externalEntity',
  fields: { entityId: string(), origin: string(), entity: clob() },
})

export const notification = defineSchema('notification', {
  prefix: 'notif',
  fields: { notifications: list(complex({ name: string(), subscribers: list(string()) })) },
  writableOnVersions: true,
})

export const collaborationSchemas = [
  relation,
  collection,
  collectionMember,
  facetedTag,
  tag,
  comment,
  annotation,
  externalEntity,
  notification,
]
