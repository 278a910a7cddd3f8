import { throughProxy } from '../../core/documents/proxies/proxy.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { textsOf } from '../../model/properties/property-texts.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { documentSchema } from '../../rest/render/document-entity.ts'
import { writeEntries } from '../../rest/render/documents-entity.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'

const maxCollections = 100

/** The collections that the document is in, as far as the caller can read them. */
export const collectionsEnricher = defineEnricher({
  name: 'collections',
  entityType: 'document',
  adds: { collections: Type.Array(documentSchema) },
  async enrich({ document, context }) {
    const collections = await listReadableCollections(context.session, collectionIds(document))
    return { collections: await writeEntries(context.nested(), collections) }
  },
})

/** The collections that a document is in, regardless of rights. */
export function collectionIds(document: Document): readonly string[] {
  return textsOf(document, 'collectionMember:collectionIds')
}

async function listReadableCollections(session: Session, ids: readonly string[]): Promise<readonly Document[]> {
  if (ids.length === 0) return []
  const readable: Document[] = []
  for (const collection of await session.reader.documents.findAll(ids, session.repository.rules.maxListedBytes)) {
    if (readable.length === maxCollections) break
    const isShown = !collection.isTrashed && !collection.isVersion && (await hasPermission(session, collection, 'Read'))
    if (isShown) readable.push(await throughProxy(session, collection))
  }
  return readable
}
