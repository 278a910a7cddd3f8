import { throughProxy } from '../../core/documents/proxies/proxy.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { writeEntries } from '../../rest/documents-entity.ts'
import type { Enricher } from '../../rest/rendering.ts'
import { findUserWorkspace } from '../user-workspaces/index.ts'
import { textsOf } from './property-texts.ts'

const maxCollections = 100

/** The collections that the document is in, as far as the caller can read them. */
export const collectionsEnricher: Enricher = {
  name: 'collections',
  entityType: 'document',
  async enrich({ document, context }) {
    const collections = await listReadableCollections(context.session, collectionIds(document))
    return { collections: await writeEntries(context.nested(), collections) }
  },
}

/** Whether the document is in the caller's own collection of favorites. */
export const favoritesEnricher: Enricher = {
  name: 'favorites',
  entityType: 'document',
  async enrich({ document, context: { session } }) {
    const ids = collectionIds(document)
    // Most documents are in no collection at all, and then there is nothing to look up.
    const favorites = ids.length === 0 ? undefined : await findFavorites(session)
    return { favorites: { isFavorite: favorites !== undefined && ids.includes(favorites.id) } }
  },
}

function collectionIds(document: Document): readonly string[] {
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

async function findFavorites(session: Session): Promise<Document | undefined> {
  const workspace = await findUserWorkspace(session, session.principal.name)
  return workspace && session.reader.documents.findChild(workspace.id, 'Favorites')
}
