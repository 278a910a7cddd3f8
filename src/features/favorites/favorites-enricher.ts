import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { collectionIds } from '../collections/index.ts'
import { findUserWorkspace } from '../user-workspaces/index.ts'

/** Whether the document is in the caller's own collection of favorites. */
export const favoritesEnricher = defineEnricher({
  name: 'favorites',
  entityType: 'document',
  adds: { favorites: Type.Object({ isFavorite: Type.Boolean() }) },
  async enrich({ document, context: { session } }) {
    const ids = collectionIds(document)
    // Most documents are in no collection at all, and then there is nothing to look up.
    const favorites = ids.length === 0 ? undefined : await findFavorites(session)
    return { favorites: { isFavorite: favorites !== undefined && ids.includes(favorites.id) } }
  },
})

async function findFavorites(session: Session): Promise<Document | undefined> {
  const workspace = await findUserWorkspace(session, session.principal.name)
  return workspace && session.reader.documents.findChild(workspace.id, 'Favorites')
}
