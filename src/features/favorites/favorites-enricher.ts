import { Type } from '../../rest/openapi/schema.ts'
import { defineEnricher } from '../../rest/render/rendering.ts'
import { collectionIds, findPlace } from '../collections/index.ts'
import { ownFavorites } from './favorites-model.ts'

/** Whether the document is in the caller's own collection of favorites. */
export const favoritesEnricher = defineEnricher({
  name: 'favorites',
  entityType: 'document',
  adds: { favorites: Type.Object({ isFavorite: Type.Boolean() }) },
  async enrich({ document, context: { session } }) {
    const ids = collectionIds(document)
    // Most documents are in no collection at all, and then there is nothing to look up.
    const favorites = ids.length === 0 ? undefined : await findPlace(session, ownFavorites)
    return { favorites: { isFavorite: favorites !== undefined && ids.includes(favorites.id) } }
  },
})
