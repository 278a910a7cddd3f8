import { throughProxy } from '../../core/documents/proxies/proxy.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { actingName } from '../../model/rights/principal.ts'
import { writeEntries } from '../../rest/render/documents-entity.ts'
import type { Enricher } from '../../rest/render/rendering.ts'
import { findUserWorkspace } from '../user-workspaces/index.ts'
import { itemsOf, texts, textsOf } from './property-texts.ts'

/** The labels of the document's tags. */
export const tagsEnricher: Enricher = {
  name: 'tags',
  entityType: 'document',
  async enrich({ document, isStored }) {
    if (!isStored) return {}
    const labels = itemsOf(document, 'nxtag:tags').flatMap(({ label }) => (typeof label === 'string' ? [label] : []))
    return { tags: [...new Set(labels)].sort() }
  },
}

/** What the caller asked to be told about this very document; what holds for a folder above it is not in the list. */
export const subscribedNotificationsEnricher: Enricher = {
  name: 'subscribedNotifications',
  entityType: 'document',
  async enrich({ document, context: { session } }) {
    const subscriber = `user:${actingName(session.principal)}`
    const notifications = itemsOf(document, 'notif:notifications').filter(({ subscribers }) =>
      texts(subscribers).includes(subscriber),
    )
    return { subscribedNotifications: notifications.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])) }
  },
}

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
