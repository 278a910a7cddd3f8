import { throughProxy } from '../../core/documents/proxies/proxy.ts'
import { hasPermission } from '../../core/permissions.ts'
import { compile, scopeOf } from '../../core/search/page/run-query.ts'
import { listed, quoted } from '../../core/search/query/nxql-text.ts'
import type { Session } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { documentSchema } from '../../rest/render/document-entity.ts'
import { writeEntries } from '../../rest/render/documents-entity.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { collectionIds } from './membership.ts'

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

// Most of them may be hidden from the caller, such as the favorites of others, and all of them are as large as they have members.
const askedAtOnce = 200
const readAtOnce = 10

async function listReadableCollections(session: Session, ids: readonly DocumentId[]): Promise<readonly Document[]> {
  const readable: Document[] = []
  for (let start = 0; start < ids.length; start += askedAtOnce) {
    const seen = await listSeen(session, ids.slice(start, start + askedAtOnce))
    for (let next = 0; next < seen.length; next += readAtOnce) {
      for (const collection of await session.reader.documents.findAll(seen.slice(next, next + readAtOnce))) {
        const isShown = !collection.isTrashed && !collection.isVersion && (await hasPermission(session, collection, 'Read'))
        if (isShown) readable.push(await throughProxy(session, collection))
        if (readable.length === maxCollections) return readable
      }
    }
  }
  return readable
}

/** Those that the caller can see, in the same order. */
async function listSeen(session: Session, ids: readonly DocumentId[]): Promise<readonly DocumentId[]> {
  if (ids.length <= readAtOnce) return ids
  const query = compile(session, `SELECT * FROM Document WHERE ecm:uuid IN ${listed(ids.map(quoted))}`)
  const seen = new Set(await session.reader.search.listIds(query, await scopeOf(session, query), { offset: 0 }))
  return ids.filter((id) => seen.has(id))
}
