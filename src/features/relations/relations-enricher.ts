import { hasPermission } from '../../core/permissions.ts'
import { throughProxies } from '../../core/search/page/through-proxies.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { documentSchema } from '../../rest/render/document-entity.ts'
import { writeEntries } from '../../rest/render/documents-entity.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { type End, listRelationsAt } from './relation.ts'

const maxRelations = 100

const shownRelation = Type.Object({
  predicate: Type.String({ description: 'What the relation is' }),
  outgoing: Type.Boolean({ description: 'It leads from the document to the other one' }),
  document: documentSchema,
})

/** What the document is related to, and what is related to it, as far as the caller can read that. */
export const relationsEnricher = defineEnricher({
  name: 'relations',
  entityType: 'document',
  needsRead: true,
  adds: { relations: Type.Array(shownRelation) },
  async enrich({ document, isStored, context }) {
    if (!isStored) return {}
    const related = [
      ...(await listRelated(context.session, document, 'source')),
      ...(await listRelated(context.session, document, 'target')),
    ].slice(0, maxRelations)
    const documents = await writeEntries(
      context.nested(),
      related.map((relation) => relation.other),
    )
    const relations = related.flatMap(({ predicate, outgoing }, index) => {
      const other = documents[index]
      return other === undefined ? [] : [{ predicate, outgoing, document: other }]
    })
    return { relations }
  },
})

interface Related {
  readonly predicate: string
  readonly outgoing: boolean
  readonly other: Document
}

// Documents may be long, and only as many are read as are shown.
const readAtOnce = 10

/** Those at the other ends of its relations, in the order in which they were made; what is in the trash is left out. */
async function listRelated(session: Session, { id }: Document, at: End): Promise<readonly Related[]> {
  const ends = await listRelationsAt(session, at, id)
  const related: Related[] = []
  for (let start = 0; start < ends.length && related.length < maxRelations; start += readAtOnce) {
    const some = ends.slice(start, start + readAtOnce)
    const readable: Document[] = []
    for (const document of await session.reader.documents.findAll(some.map(({ other }) => other))) {
      if (!document.isTrashed && (await hasPermission(session, document, 'Read'))) readable.push(document)
    }
    const shown = await throughProxies(session, readable, session.repository.rules.maxListedBytes)
    for (const { predicate, other: otherId } of some) {
      const other = shown.find((document) => document.id === otherId)
      if (other !== undefined) related.push({ predicate, outgoing: at === 'source', other })
    }
  }
  return related
}
